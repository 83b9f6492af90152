"""How a board is packed: one byte per cell, row by row. Kernels, positions and batches share this format."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.uint8]
"""[N, cells]: the boards of N lanes, with the bits below."""
Numbers = NDArray[np.int8]
"""[cells] or [rows, cols]: what is revealed, HIDDEN elsewhere."""
Lines = NDArray[np.uint64]
"""[N, 4, rows + 2]: boards as bits, see `bitboard`."""
Near = NDArray[np.uint16]
"""[cells, 8]: see `geometry.surroundings`."""
Opened = NDArray[np.int16]
"""[N, cells]: the safe cells that are revealed, in the order of their reveals."""
States = NDArray[np.uint64]
"""[N]: the generators of N lanes."""

NUMBER: Final = 0x0F
"""How many neighbours of a revealed safe cell are mines, 0 to 8; zero in every other cell."""
MINE: Final = 0x10
REVEALED: Final = 0x20
"""A mine with this bit is the one that went off."""
FLAG: Final = 0x40
TOUCHED: Final = 0x80
"""A neighbour is revealed and safe. Only batches that show or mask the frontier keep it; no position has it."""

HIDDEN: Final = -1
"""What the array of numbers, int8[rows, cols], holds for a cell that is not revealed, or is the mine that went off."""


def has_bit(cells: NDArray[np.uint8], bit: int) -> NDArray[np.bool_]:
    """Where cells have a bit, in an array of its own."""
    found: NDArray[np.bool_] = cells & bit != 0
    return found


def mine_counts(mines: NDArray[np.bool_]) -> NDArray[np.int8]:
    """int8[H, W]: how many of each cell's neighbours are mines.

    >>> mine_counts(np.array([[True, False, False]])).tolist()
    [[0, 1, 0]]
    """
    rows, cols = mines.shape
    framed = np.pad(mines.astype(np.int8), 1)
    around = sum(framed[row : row + rows, col : col + cols] for row in range(3) for col in range(3))
    return np.asarray(around - mines, np.int8)
