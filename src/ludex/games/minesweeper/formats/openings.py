"""How many openings a board has: regions of zeros, each of which one click opens."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.formats.counts import mine_counts
from ludex.games.minesweeper.geometry import DEGREE, neighbours


def openings(mines: NDArray[np.bool_]) -> int:
    """The number of regions of zeros that hang together.

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
