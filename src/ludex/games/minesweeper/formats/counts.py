"""The numbers of a board whose mines are known."""

import numpy as np
from numpy.typing import NDArray


def mine_counts(mines: NDArray[np.bool_]) -> NDArray[np.int8]:
    """int8[H, W]: how many of each cell's neighbours are mines.

    >>> mine_counts(np.array([[True, False, False]])).tolist()
    [[0, 1, 0]]
    """
    rows, cols = mines.shape
    framed = np.pad(mines.astype(np.int8), 1)
    around = sum(framed[row : row + rows, col : col + cols] for row in range(3) for col in range(3))
    return np.asarray(around - mines, np.int8)
