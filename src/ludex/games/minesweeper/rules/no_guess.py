"""Boards that can be cleared without a guess, found by placing mines until one qualifies."""

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import Unsupported
from ludex.core.seeding import Rng
from ludex.games.minesweeper.options import BoardOptions
from ludex.games.minesweeper.rules.inference.frontier import NONE
from ludex.games.minesweeper.rules.inference.probabilities import assess, safe_by_rule, safest
from ludex.games.minesweeper.rules.inference.workspace import Workspace, borrowed_workspace
from ludex.games.minesweeper.rules.layout import (
    HIDDEN,
    MINE,
    NUMBER,
    Cells,
    Lines,
    Near,
    Numbers,
    Opened,
    States,
    has_bit,
    surroundings,
)
from ludex.games.minesweeper.rules.revealing import KEPT, empty_lines, place_mines, reveal, shut_lines
from ludex.kernels.jit import kernel, to_index

MOST_TRIES = 20_000
"""The experts' board needs about six."""
ROUND = 100
"""Layouts tried in one kernel call; an interrupt is handled between calls."""


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
    packed, states = np.zeros((1, cells), np.uint8), np.array([rng.state], np.uint64)
    board = (empty_lines(1, rows), surroundings(rows, cols), first, KEPT[options.start], options.mines)
    memory = (np.empty((1, cells), np.int16), np.empty(cells, np.int8), np.empty(cells))
    for begun in range(0, most_tries, ROUND):
        tries = min(ROUND, most_tries - begun)
        with borrowed_workspace(rows, cols) as work:
            attempt = _find(packed, *board, states, work, *memory, tries)
        if attempt:
            rng.state = int(states[0])
            return has_bit(packed, MINE).reshape(rows, cols), begun + attempt
    advice = "fewer mines would help" if options.start == "zero" else "fewer mines would help, or start=zero"
    raise NoGuessBoardNotFound(
        f"none of {most_tries} layouts of {options.mines} mines on {rows}x{cols} with start={options.start} "
        f"can be cleared without a guess; {advice}"
    )


@kernel
def _find(
    packed: Cells,
    lines: Lines,
    near: Near,
    first: int,
    keep: int,
    mines: int,
    states: States,
    work: Workspace,
    opened: Opened,
    numbers: Numbers,
    probability: NDArray[np.float64],
    tries: int,
) -> int:
    """Place mines until a board needs no guess; returns the number of that try, from 1, or 0."""
    cols = to_index(work.size[1])
    for number in range(1, tries + 1):
        packed[0] = 0
        shut_lines(0, cols, lines)
        place_mines(packed, 0, near, cols, first, keep, mines, lines, states)
        if _clears(packed, lines, first, mines, work, opened, numbers, probability):
            return number
    return 0


@kernel
def _clears(
    packed: Cells,
    lines: Lines,
    first: int,
    mines: int,
    work: Workspace,
    opened: Opened,
    numbers: Numbers,
    probability: NDArray[np.float64],
) -> bool:
    """Whether certain reveals clear the board after the first one; it is left as they leave it."""
    numbers[:] = HIDDEN
    count, cell = 0, first
    while True:
        after = reveal(packed, 0, to_index(work.size[1]), cell, opened, count, lines)
        if after == count:
            # Only the first reveal can hit a mine, where nothing keeps it free.
            return False
        for place in range(count, after):
            numbers[opened[0, place]] = packed[0, opened[0, place]] & NUMBER
        count = after
        if count == len(numbers) - mines:
            return True
        cell = to_index(safe_by_rule(numbers, work, True))
        if cell == NONE:
            if assess(numbers, mines, work, probability) < 0.0:
                return False
            cell = to_index(safest(numbers, probability))
            if probability[cell] > 0.0:
                return False
