"""3BV, Bechtel's Board Benchmark Value, and the openings of a board whose mines are known."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.rules.layout import DEGREE, neighbours
from ludex.kernels.jit import kernel


def openings(mines: NDArray[np.bool_]) -> int:
    """The number of connected regions of zeros.

    >>> openings(np.array([[False, False, False, True, False, False, False]]))
    2
    """
    return _clicks(np.ascontiguousarray(mines).reshape(-1), neighbours(*mines.shape))[0]


def three_bv(mines: NDArray[np.bool_]) -> int:
    """One click for every opening, and one for every safe cell that no opening touches.

    >>> three_bv(np.array([[True, False, False, False, False, True, False]]))
    2
    """
    return _clicks(np.ascontiguousarray(mines).reshape(-1), neighbours(*mines.shape))[1]


@kernel
def _clicks(mines: NDArray[np.bool_], near: NDArray[np.int16]) -> tuple[int, int]:
    """The openings and the 3BV; `mines: bool[cells]`, `near` as `layout.neighbours` makes it."""
    cells = len(mines)
    opened = np.zeros(cells, np.bool_)
    zero = np.zeros(cells, np.bool_)
    stack = np.empty(cells, np.int16)
    for cell in range(cells):
        zero[cell] = not mines[cell]
        for index in range(near[cell, DEGREE]):
            zero[cell] &= not mines[near[cell, index]]
    clicks = 0
    for start in range(cells):
        if not zero[start] or opened[start]:
            continue
        clicks += 1
        opened[start] = True
        stack[0], waiting = start, 1
        while waiting:
            waiting -= 1
            cell = stack[waiting]
            for index in range(near[cell, DEGREE]):
                other = near[cell, index]
                if not opened[other]:
                    opened[other] = True
                    if zero[other]:
                        stack[waiting] = other
                        waiting += 1
    zeros = clicks
    for cell in range(cells):
        clicks += not mines[cell] and not opened[cell]
    return zeros, clicks
