"""How a board is packed, one byte per cell row by row, and which cells touch which.

Kernels, positions and batches share this format. A kernel needs no rows and columns:

0   1   2   3        cell = row * cols + col
4   5   6   7        the neighbours of 5 are 0 1 2 4 6 8 9 10
8   9  10  11
"""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import BadPosition, MoveError


class BadBoard(BadPosition):
    """A text or a file that describes no board."""


class InconsistentPosition(BadPosition):
    """Numbers that no layout of the mines can explain."""

    owner = "minesweeper"


class EpisodeOver(MoveError):
    """A step in an environment whose episode has ended and needs a reset."""


Cells = NDArray[np.uint8]
"""[N, cells]: the boards of N lanes, with the bits below."""
Numbers = NDArray[np.int8]
"""[cells] or [rows, cols]: what is revealed, HIDDEN elsewhere."""
Lines = NDArray[np.uint64]
"""[N, 4, rows + 2]: boards as bits, see `revealing`."""
Near = NDArray[np.uint16]
"""[cells, 8]: see `surroundings`."""
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
    has: NDArray[np.bool_] = cells & bit != 0
    return has


def mine_counts(mines: NDArray[np.bool_]) -> NDArray[np.int8]:
    """int8[H, W]: how many of each cell's neighbours are mines.

    >>> mine_counts(np.array([[True, False, False]])).tolist()
    [[0, 1, 0]]
    """
    rows, cols = mines.shape
    framed = np.pad(mines.astype(np.int8), 1)
    around = sum(framed[row : row + rows, col : col + cols] for row in range(3) for col in range(3))
    return np.asarray(around - mines, np.int8)


MOST_CELLS = 4096
"""The largest board: 64 x 64."""
BOARDS_KEPT: Final = 64
"""Boards whose arrays and names stay in memory: those of all 4,096 sizes would take more than a gigabyte."""
DEGREE = 8
"""The column of `neighbours` that holds the number of neighbours of the cell."""


@lru_cache(maxsize=BOARDS_KEPT)
def neighbours(rows: int, cols: int) -> NDArray[np.int16]:
    """int16[rows * cols, 9]: each cell's neighbours in ascending order, filled up with -1, then their number.

    >>> neighbours(3, 4)[5].tolist()
    [0, 1, 2, 4, 6, 8, 9, 10, 8]
    >>> neighbours(3, 4)[0].tolist()
    [1, 4, 5, -1, -1, -1, -1, -1, 3]
    """
    table = np.full((rows * cols, DEGREE + 1), -1, np.int16)
    for cell in range(rows * cols):
        row, col = divmod(cell, cols)
        near = [
            r * cols + c
            for r in range(max(0, row - 1), min(rows, row + 2))
            for c in range(max(0, col - 1), min(cols, col + 2))
            if (r, c) != (row, col)
        ]
        table[cell, : len(near)] = near
        table[cell, DEGREE] = len(near)
    table.flags.writeable = False
    return table


@lru_cache(maxsize=BOARDS_KEPT)
def surroundings(rows: int, cols: int) -> NDArray[np.uint16]:
    """uint16[rows * cols, 8]: each cell's neighbours, filled up with the cell itself.

    A revealed safe cell is no mine and is not opened twice, so kernels that open one may take it for its own neighbour:
    eight turns, whatever the cell, are faster than a count.

    >>> surroundings(3, 4)[0].tolist()
    [1, 4, 5, 0, 0, 0, 0, 0]
    """
    near = neighbours(rows, cols)[:, :DEGREE]
    itself = np.arange(rows * cols, dtype=np.int16)[:, None]
    table = np.where(near < 0, itself, near).astype(np.uint16)
    table.flags.writeable = False
    return table


MIDDLE = 8 * 3 + 3
"""The bit of a window's own cell: 8 * (row + 3) + col + 3 for the cell at (row, col) from it, each in -3..3."""


@lru_cache(maxsize=BOARDS_KEPT)
def windows(rows: int, cols: int) -> NDArray[np.int8]:
    """int8[rows * cols, 8]: for each neighbour in the table its bit in the cell's window.

    >>> windows(3, 4)[5].tolist()
    [18, 19, 20, 26, 28, 34, 35, 36]
    """
    near = neighbours(rows, cols)
    bits = np.full((rows * cols, DEGREE), -1, np.int8)
    for cell in range(rows * cols):
        for i, other in enumerate(near[cell, : near[cell, DEGREE]].tolist()):
            bits[cell, i] = MIDDLE + 8 * (other // cols - cell // cols) + other % cols - cell % cols
    bits.flags.writeable = False
    return bits
