"""Everything a search writes to: one record, laid out once, that kernels receive as a single pointer."""

from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from ludex.games.quoridor.agents.master.distances import SQUARES
from ludex.games.quoridor.agents.master.moves import MOVE_CODES, NO_MOVE
from ludex.games.quoridor.agents.master.race import MOST_RACERS, RACES
from ludex.games.quoridor.agents.master.zobrist import WORDS, zobrist
from ludex.games.quoridor.rules.board import GEOMETRY_WORDS
from ludex.games.quoridor.rules.position import STATE_WORDS

# Fields of a frame, `ws.frames[ply]`.
ALPHA, BETA, DEPTH, BEST, BEST_MOVE, CURSOR, COUNT, SEARCHED, PENDING, FIRST_ALPHA, MOVE, MAY_PASS, VIA, WHOLE = range(
    14
)
# What a frame waits for (PENDING): a passed turn, a reduced search, a null window, a full one.
PASSED, REDUCED, NARROW, FULL = range(4)
# Counters of a search, `ws.counters`; SOLVED counts tables of races over all searches.
NODES, MOST_NODES, GENERATION, OLDEST, BASE, ABORTED, PLIES_LEFT, LEARNED, SOLVED = range(9)

MOST_PLIES = 64
"""No line is searched deeper."""
LINE_ROWS = MOST_PLIES + 2
FRAME_FIELDS = 14
COUNTERS = 9
INFINITY = 32_000
STALE = -1
"""Instead of a row: the field of this ply is not known."""


MOST_MOVES = 256
MOST_SEEN = 512
NEAR = 1


class Workspace(Protocol):
    """The record's fields, with one row per ply where they begin with P."""

    geometry: NDArray[np.uint64]
    random: NDArray[np.uint64]
    near: NDArray[np.uint64]
    """[SQUARES, 2]: the slots around each square."""
    states: NDArray[np.uint64]
    """[P, STATE_WORDS]"""
    keys: NDArray[np.uint64]
    """[MOST_SEEN + P]: keys of the positions since the last wall of the game, then of the line."""
    quiet: NDArray[np.int64]
    """[P]: plies since the last wall."""
    fields: NDArray[np.int8]
    """[P, 2, SQUARES]"""
    field_at: NDArray[np.int64]
    """[P, 2]: the row that holds a ply's field, or STALE."""
    steps: NDArray[np.int64]
    """[P, 2]: the distances of both pawns."""
    cuts: NDArray[np.uint64]
    """[P, 2, 4]"""
    moves: NDArray[np.int64]
    """[P, MOST_MOVES]"""
    order: NDArray[np.int64]
    """[P, MOST_MOVES]: how promising each move is."""
    frames: NDArray[np.int64]
    """[P, FRAME_FIELDS]"""
    lines: NDArray[np.int64]
    """[P, P]: the best line from each ply on."""
    lengths: NDArray[np.int64]
    """[P]"""
    killers: NDArray[np.int64]
    """[P, 2]"""
    history: NDArray[np.int64]
    """[2, MOVE_CODES]"""
    banned: NDArray[np.uint8]
    """[MOVE_CODES]: 1 for moves the root leaves out."""
    races: NDArray[np.int16]
    """[RACES, MOST_RACERS]"""
    race_walls: NDArray[np.uint64]
    """[RACES, 4]: the walls of each table of races."""
    race_queue: NDArray[np.int32]
    """[MOST_RACERS]"""
    race_moves: NDArray[np.int8]
    """[MOST_RACERS]"""
    counters: NDArray[np.int64]
    """[COUNTERS]"""


LAYOUT = np.dtype(
    [
        ("geometry", np.uint64, (GEOMETRY_WORDS,)),
        ("random", np.uint64, (WORDS,)),
        ("near", np.uint64, (SQUARES, 2)),
        ("states", np.uint64, (LINE_ROWS, STATE_WORDS)),
        ("keys", np.uint64, (MOST_SEEN + LINE_ROWS,)),
        ("quiet", np.int64, (LINE_ROWS,)),
        ("fields", np.int8, (LINE_ROWS, 2, SQUARES)),
        ("field_at", np.int64, (LINE_ROWS, 2)),
        ("steps", np.int64, (LINE_ROWS, 2)),
        ("cuts", np.uint64, (LINE_ROWS, 2, 4)),
        ("moves", np.int64, (LINE_ROWS, MOST_MOVES)),
        ("order", np.int64, (LINE_ROWS, MOST_MOVES)),
        ("frames", np.int64, (LINE_ROWS, FRAME_FIELDS)),
        ("lines", np.int64, (LINE_ROWS, LINE_ROWS)),
        ("lengths", np.int64, (LINE_ROWS,)),
        ("killers", np.int64, (LINE_ROWS, 2)),
        ("history", np.int64, (2, MOVE_CODES)),
        ("banned", np.uint8, (MOVE_CODES,)),
        ("races", np.int16, (RACES, MOST_RACERS)),
        ("race_walls", np.uint64, (RACES, 4)),
        ("race_queue", np.int32, (MOST_RACERS,)),
        ("race_moves", np.int8, (MOST_RACERS,)),
        ("counters", np.int64, (COUNTERS,)),
    ],
    align=True,
)


class SearchSpace:
    """A workspace for Python code: `space.states` and so on are its fields, `record` is passed to kernels."""

    def __init__(self, size: int, geometry: NDArray[np.uint64]) -> None:
        self._held = np.zeros(1, LAYOUT)
        self.record = cast(Workspace, self._held[0])
        self.geometry[:] = geometry
        self.random[:] = zobrist()
        self.near[:] = _near(size)
        self.killers[:] = NO_MOVE
        self.race_walls[:] = np.uint64(2**64 - 1)

    def __getattr__(self, name: str) -> NDArray[Any]:
        return cast("NDArray[Any]", self._held[name][0])


def _near(size: int) -> NDArray[np.uint64]:
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
