"""Boards that can be cleared without a guess, found by placing mines until one qualifies."""

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import Unsupported
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.games.minesweeper.options import BoardOptions
from ludex.games.minesweeper.rules.inference.frontier import NONE
from ludex.games.minesweeper.rules.inference.probabilities import assess, safe_by_rule
from ludex.games.minesweeper.rules.inference.workspace import Workspace, borrowed_workspace
from ludex.games.minesweeper.rules.layout import HIDDEN, MINE, NUMBER, Cells, Lines, has_bit, surroundings
from ludex.games.minesweeper.rules.revealing import KEPT, empty_lines, place_mines, read_lines, reveal

MOST_TRIES = 20_000
"""The experts' board needs about six."""


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
            mines = has_bit(packed, MINE)
            if _clears(packed, lines, cols, first, options.mines, work):
                rng.state = int(states[0])
                return mines.reshape(rows, cols), tries
    sizes = {"count": most_tries, "mines": options.mines, "rows": rows, "cols": cols}
    raise NoGuessBoardNotFound.of(Message(f"minesweeper.no_guess_not_found_{options.start}", sizes))


def _clears(packed: Cells, lines: Lines, cols: int, first: int, mines: int, work: Workspace) -> bool:
    """Whether certain reveals clear the board after the first one; it is left as they leave it."""
    cells = packed.shape[1]
    numbers, probability = np.full(cells, HIDDEN, np.int8), np.empty(cells)
    opened, count, certain = np.empty((1, cells), np.int16), 0, [first]
    while True:
        for cell in certain:
            if numbers[cell] != HIDDEN:
                continue
            after = reveal(packed, 0, cols, cell, opened, count, lines)
            if after == count:
                # Only the first reveal can hit a mine, where nothing keeps it free.
                return False
            new = opened[0, count:after]
            numbers[new] = packed[0, new] & NUMBER
            count = after
        if count == cells - mines:
            return True
        certain = [int(safe_by_rule(numbers, work, True))]
        if certain == [NONE]:
            if assess(numbers, mines, work, probability) < 0.0:
                return False
            certain = np.flatnonzero(probability == 0.0).tolist()
            if not certain:
                return False
