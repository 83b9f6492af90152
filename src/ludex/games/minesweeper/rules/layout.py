"""How a board is packed: one byte per cell, row by row. Kernels, positions and batches share this format."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

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


def mine_counts(cells: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """How many neighbours of every cell are mines, revealed or not; both arrays are [rows, cols]."""
    mines = np.pad(has_bit(cells, MINE).astype(np.uint8), 1)
    rows, cols = cells.shape
    around = [(row, col) for row in range(3) for col in range(3) if (row, col) != (1, 1)]
    counts: NDArray[np.uint8] = np.zeros_like(cells)
    for row, col in around:
        counts += mines[row : row + rows, col : col + cols]
    return counts
