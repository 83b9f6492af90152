"""3BV, Bechtel's Board Benchmark Value, and the openings of a board whose mines are known."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.rules.geometry import DEGREE, neighbours
from ludex.kernels.jit import kernel


def mine_counts(mines: NDArray[np.bool_]) -> NDArray[np.int8]:
    """int8[H, W]: how many of each cell's neighbours are mines.

    >>> mine_counts(np.array([[True, False, False]])).tolist()
    [[0, 1, 0]]
    """
    rows, cols = mines.shape
    framed = np.pad(mines.astype(np.int8), 1)
    around = sum(framed[row : row + rows, col : col + cols] for row in range(3) for col in range(3))
    return np.asarray(around - mines, np.int8)


def openings(mines: NDArray[np.bool_]) -> int:
    """The number of connected regions of zeros.

    >>> openings(np.array([[False, False, False, True, False, False, False]]))
    2
    """
    near = neighbours(*mines.shape)
    closed = set(np.flatnonzero(~mines & (mine_counts(mines) == 0)).tolist())
    count = 0
    while closed:
        count += 1
        held = [closed.pop()]
        while held:
            cell = held.pop()
            reached = closed.intersection(near[cell, : near[cell, DEGREE]].tolist())
            closed -= reached
            held += reached
    return count


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
