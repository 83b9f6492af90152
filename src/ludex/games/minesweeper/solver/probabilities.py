"""Exact mine probabilities, for Python callers."""

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import Unsupported
from ludex.games.minesweeper.errors import InconsistentPosition
from ludex.games.minesweeper.solver.assess import TOO_COMPLEX, assess
from ludex.games.minesweeper.solver.board import board_of, desk
from ludex.games.minesweeper.solver.combine import IMPOSSIBLE


def mine_probabilities(numbers: NDArray[np.int8], mines: int) -> NDArray[np.float64]:
    """The exact probability, float64[H, W], that each hidden cell of int8[H, W] is a mine; NaN where it is revealed.

    A hidden cell is -1. 0.0 and 1.0 mean certainty. Raises `InconsistentPosition` if no layout of so many mines fits.

    >>> mine_probabilities(np.array([[1, -1, -1]], np.int8), 1)
    array([[nan,  1.,  0.]])
    """
    return assessed(numbers, mines)[0]


def assessed(numbers: NDArray[np.int8], mines: int) -> tuple[NDArray[np.float64], float]:
    """The probabilities, and the natural logarithm of the number of layouts that fit."""
    board = board_of(numbers, mines)
    found = np.empty(numbers.size)
    with desk() as work:
        log_solutions = assess(board.numbers, board.cols, mines, board.near, board.bits, work, found)
    refuse(log_solutions, numbers, mines)
    return found.reshape(numbers.shape), log_solutions


def refuse(log_solutions: float, numbers: NDArray[np.int8], mines: int) -> None:
    """Raise what the kernel's answer stands for, if it is no number of solutions."""
    if log_solutions == IMPOSSIBLE:
        raise InconsistentPosition(f"no layout of {mines} mines fits these numbers:\n{_drawn(numbers)}")
    if log_solutions == TOO_COMPLEX:
        raise Unsupported("too many numbers depend on each other here to count the layouts that fit them")


def _drawn(numbers: NDArray[np.int8]) -> str:
    return "\n".join("".join("#" if number < 0 else str(number) for number in row) for row in numbers.tolist())
