"""Exact mine probabilities, for Python callers."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import Unsupported
from ludex.games.minesweeper.rules.errors import BadBoard, InconsistentPosition
from ludex.games.minesweeper.rules.geometry import MOST_CELLS
from ludex.games.minesweeper.rules.inference.assess import TOO_COMPLEX, assess
from ludex.games.minesweeper.rules.inference.combine import IMPOSSIBLE
from ludex.games.minesweeper.rules.inference.workspace import Workspace, set_size, workspace
from ludex.games.minesweeper.rules.layout import HIDDEN, Numbers

MOST_NUMBER = 8


def flat_numbers(numbers: Numbers, mines: int) -> NDArray[np.int8]:
    """int8[HW], a copy of int8[H, W] that kernels may write to.

    Raises `BadBoard` for arrays and counts that no position has.
    """
    if numbers.ndim != 2 or numbers.dtype != np.int8:
        raise BadBoard(f"numbers must be int8[H, W], found {numbers.dtype}{list(numbers.shape)}")
    rows, cols = numbers.shape
    if not 1 <= numbers.size <= MOST_CELLS:
        raise BadBoard(f"a board has 1 to {MOST_CELLS} cells, found {rows} x {cols}")
    wrong = np.argwhere((numbers < HIDDEN) | (numbers > MOST_NUMBER))
    if len(wrong):
        row, col = wrong[0].tolist()
        raise BadBoard(f"row {row}, column {col}: expected -1 (hidden) or 0 to 8, found {numbers[row, col]}")
    hidden = int((numbers == HIDDEN).sum())
    if not 0 <= mines <= hidden:
        raise BadBoard(f"mines must be in 0..{hidden}, the hidden cells, found {mines}")
    return numbers.reshape(-1).copy()


_FREE: Final[deque[Workspace]] = deque(maxlen=1)
"""One: kernels touch 20 MiB of each, and a new one costs a thread less than a millisecond."""


@contextmanager
def borrowed_workspace(rows: int, cols: int) -> Iterator[Workspace]:
    """A workspace for a board that no other thread uses meanwhile. One is kept for reuse, however many are in use."""
    try:
        work = _FREE.pop()
        set_size(work, rows, cols)
    except IndexError:
        work = workspace(rows, cols)
    try:
        yield work
    finally:
        _FREE.append(work)


def mine_probabilities(numbers: Numbers, mines: int) -> NDArray[np.float64]:
    """The exact probability, float64[H, W], that each hidden cell of int8[H, W] is a mine; NaN where it is revealed.

    A hidden cell is -1. 0.0 and 1.0 mean certainty. Raises `InconsistentPosition` if no layout of so many mines fits.

    >>> mine_probabilities(np.array([[1, -1, -1]], np.int8), 1)
    array([[nan,  1.,  0.]])
    """
    return assess_position(numbers, mines)[0]


def assess_position(numbers: Numbers, mines: int) -> tuple[NDArray[np.float64], float]:
    """The probabilities, and the natural logarithm of the number of layouts that fit."""
    flat, probability = flat_numbers(numbers, mines), np.empty(numbers.size)
    with borrowed_workspace(*numbers.shape) as work:
        log_solutions = assess(flat, mines, work, probability)
    refuse(log_solutions, numbers, mines)
    return probability.reshape(numbers.shape), log_solutions


def refuse(log_solutions: float, numbers: Numbers, mines: int) -> None:
    """Raise the error that the kernel's result encodes, if it is not a number of solutions."""
    if log_solutions == IMPOSSIBLE:
        raise InconsistentPosition(f"no layout of {mines} mines fits these numbers:\n{_drawn(numbers)}")
    if log_solutions == TOO_COMPLEX:
        raise Unsupported("too many numbers depend on each other here to count the layouts that fit them")


def _drawn(numbers: Numbers) -> str:
    return "\n".join("".join("#" if number < 0 else str(number) for number in row) for row in numbers.tolist())
