"""Boards that can be cleared without a guess, found by placing mines until one qualifies."""

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import Unsupported
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.games.minesweeper.options import BoardOptions
from ludex.games.minesweeper.rules.inference.forced_moves import SAFE
from ludex.games.minesweeper.rules.inference.frontier import NONE
from ludex.games.minesweeper.rules.inference.probabilities import assess, safe_by_rule
from ludex.games.minesweeper.rules.inference.workspace import Workspace, borrowed_workspace, field
from ludex.games.minesweeper.rules.layout import HIDDEN, MINE, Cells, Lines, has_bit, mine_counts, surroundings
from ludex.games.minesweeper.rules.revealing import KEPT, empty_lines, place_mines, read_lines, reveal

MOST_TRIES = 20_000
"""The experts' board needs about six."""
MATCH_TRIES = 2_000
"""For a match or an episode: some seconds on the densest boards, and a handful on the usual ones."""


class NoGuessBoardNotFound(Unsupported):
    """Every layout tried needs a guess."""


def no_guess_board(
    options: BoardOptions, first: int, rng: Rng, most_tries: int = MOST_TRIES
) -> tuple[NDArray[np.bool_], int]:
    """Mines, bool[H, W], of a board that needs no guess when `first` is revealed first; and the number of tries.

    All such boards are equally likely. Raises `NoGuessBoardNotFound`.
    """
    rows, cols, cells = options.rows, options.cols, options.rows * options.cols
    if not 0 <= first < cells:
        raise ValueError(f"the first cell must be in 0..{cells - 1}, found {first}")
    packed, states, lines = np.zeros((1, cells), np.uint8), np.array([rng.state], np.uint64), empty_lines(1, rows)
    near, keep = surroundings(rows, cols), KEPT[options.start]
    # The kernels are those of a game and of the exact player: one of its own would be compiled before the first match.
    with borrowed_workspace(rows, cols) as work:
        for tries in range(1, most_tries + 1):
            packed[0] = 0
            read_lines(packed, 0, cols, lines)
            place_mines(packed, 0, near, cols, first, keep, options.mines, lines, states)
            mines = has_bit(packed, MINE).reshape(rows, cols)
            if _clears(packed, lines, mines, first, work):
                rng.state = int(states[0])
                return mines, tries
    sizes = {"count": most_tries, "mines": options.mines, "rows": rows, "cols": cols}
    raise NoGuessBoardNotFound.of(Message(f"minesweeper.no_guess_not_found_{options.start}", sizes))


def hidden_board(options: BoardOptions, start_cell: int, rng: Rng) -> NDArray[np.uint8]:
    """The cells, uint8[HW], of an untouched board that needs no guess from a start cell."""
    mines, _ = no_guess_board(options, start_cell, rng, MATCH_TRIES)
    return np.where(mines.reshape(-1), np.uint8(MINE), np.uint8(0))


def _clears(packed: Cells, lines: Lines, mines: NDArray[np.bool_], first: int, work: Workspace) -> bool:
    """Whether certain reveals clear the board after the first one, with mines bool[H, W]; kernels flood its zeros."""
    cells, cols, most = packed.shape[1], mines.shape[1], int(mines.sum())
    counts, numbers = mine_counts(mines).reshape(-1), np.full(cells, HIDDEN, np.int8)
    opened, probability = np.empty((1, cells), np.int16), np.empty(cells)
    known = field(work, "known")[:cells]
    if mines.flat[first]:
        # Where nothing keeps it free.
        return False
    certain = np.array([first])
    while True:
        for cell in certain[counts[certain] == 0].tolist():
            if numbers[cell] == HIDDEN:
                flood = opened[0, : reveal(packed, 0, cols, cell, opened, 0, lines)]
                numbers[flood] = counts[flood]
        numbers[certain] = counts[certain]
        if np.count_nonzero(numbers == HIDDEN) == most:
            return True
        if safe_by_rule(numbers, work, True) != NONE:
            certain = (known == SAFE).nonzero()[0]
        elif assess(numbers, most, work, probability) < 0.0:
            return False
        else:
            certain = (probability == 0.0).nonzero()[0]
        if not len(certain):
            return False
