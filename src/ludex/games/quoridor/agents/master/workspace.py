"""Everything a search writes to: one record, laid out once, that kernels receive as a single pointer."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ludex.core.compiled import Vector
from ludex.games.quoridor.agents.master.moves import MOVE_CODES, NO_MOVE, WORDS, zobrist
from ludex.games.quoridor.agents.master.race import MOST_RACERS, RACES, SQUARES
from ludex.games.quoridor.rules.board import GEOMETRY_WORDS, Row
from ludex.games.quoridor.rules.position import STATE_WORDS
from ludex.kernels.records import new_record

PASSED, REDUCED, NARROW, FULL = range(4)
"""What a node waits for (`pending`): a passed turn, a reduced search, a null window, a full one."""
MOST_PLIES = 64
"""No line is searched deeper."""
LINE_ROWS = MOST_PLIES + 2
INFINITY = 32_000
STALE = -1
"""Instead of a row: the field of this ply is not known."""
MOST_MOVES = 256
MOST_SEEN = 512
NEAR = 1

PerPly = Annotated[Vector, LINE_ROWS]


class Workspace:
    """The record's fields, with their shapes; those of LINE_ROWS have a row per ply."""

    geometry: Annotated[Row, GEOMETRY_WORDS]
    random: Annotated[Row, WORDS]
    near: Annotated[Row, SQUARES, 2]
    """The slots around each square."""
    states: Annotated[Row, LINE_ROWS, STATE_WORDS]
    keys: Annotated[Row, MOST_SEEN + LINE_ROWS]
    """Keys of the positions since the last wall of the game, then of the line."""
    quiet: PerPly
    """Plies since the last wall."""
    fields: Annotated[NDArray[np.int8], LINE_ROWS, 2, SQUARES]
    field_at: Annotated[Vector, LINE_ROWS, 2]
    """The row that holds a ply's field, or STALE."""
    steps: Annotated[Vector, LINE_ROWS, 2]
    """The distances of both pawns."""
    cuts: Annotated[Row, LINE_ROWS, 2, 4]
    moves: Annotated[Vector, LINE_ROWS, MOST_MOVES]
    order: Annotated[Vector, LINE_ROWS, MOST_MOVES]
    """How promising each move is."""
    alpha: PerPly
    beta: PerPly
    first_alpha: PerPly
    depth: PerPly
    best: PerPly
    best_move: PerPly
    cursor: PerPly
    count: PerPly
    """How many moves are listed."""
    whole: PerPly
    """Whether none is left out."""
    searched: PerPly
    pending: PerPly
    move: PerPly
    """The one under way."""
    via: PerPly
    """The one that led here."""
    may_pass: PerPly
    lines: Annotated[Vector, LINE_ROWS, LINE_ROWS]
    """The best line from each ply on."""
    lengths: PerPly
    killers: Annotated[Vector, LINE_ROWS, 2]
    history: Annotated[Vector, 2, MOVE_CODES]
    banned: Annotated[NDArray[np.uint8], MOVE_CODES]
    """1 for moves the root leaves out."""
    races: Annotated[NDArray[np.int16], RACES, MOST_RACERS]
    race_walls: Annotated[Row, RACES, 4]
    """The walls of each table of races."""
    race_queue: Annotated[NDArray[np.int32], MOST_RACERS]
    race_moves: Annotated[NDArray[np.int8], MOST_RACERS]
    nodes: int
    most_nodes: int
    generation: int
    oldest: int
    """The oldest generation whose entries of the table are used."""
    base: int
    """The row of `keys` that belongs to the root."""
    aborted: int
    plies_left: int
    learned: int
    """Whether the network evaluates."""
    solved: int
    """Tables of races, over all searches."""


def new_workspace(size: int, geometry: Row) -> Workspace:
    """A workspace for one board."""
    workspace = new_record(Workspace)
    workspace.geometry[:] = geometry
    workspace.random[:] = zobrist()
    workspace.near[:] = _near(size)
    workspace.killers[:] = NO_MOVE
    workspace.race_walls[:] = np.uint64(2**64 - 1)
    return workspace


def _near(size: int) -> Row:
    """Slots are at a square's corners; more rows and columns of them around those."""
    sets = np.zeros((SQUARES, 2), np.uint64)
    for square in range(size * size):
        row, col = divmod(square, size)
        around = sum(
            1 << r * size + c
            for r in range(max(0, row - NEAR - 1), min(size - 1, row + NEAR + 1))
            for c in range(max(0, col - NEAR - 1), min(size - 1, col + NEAR + 1))
        )
        sets[square] = around & (1 << 64) - 1, around >> 64
    return sets
