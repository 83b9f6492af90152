"""3BV, Bechtel's Board Benchmark Value: how many clicks a board takes at least, without flags."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.geometry import DEGREE, neighbours
from ludex.kernels.jit import kernel


def three_bv(mines: NDArray[np.bool_]) -> int:
    """One click for every opening, and one for every safe cell that no opening touches.

    >>> three_bv(np.array([[True, False, False, False, False, True, False]]))
    2
    """
    return int(_clicks(np.ascontiguousarray(mines).reshape(-1), neighbours(*mines.shape)))


@kernel
def _clicks(mines: NDArray[np.bool_], near: NDArray[np.int16]) -> int:
    """`mines: bool[cells]`, `near` as `geometry.neighbours` makes it."""
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
        stack[0], held = start, 1
        while held:
            held -= 1
            cell = stack[held]
            for index in range(near[cell, DEGREE]):
                other = near[cell, index]
                if not opened[other]:
                    opened[other] = True
                    if zero[other]:
                        stack[held] = other
                        held += 1
    for cell in range(cells):
        clicks += not mines[cell] and not opened[cell]
    return clicks
