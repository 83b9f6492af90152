"""MBF, the board files of Minesweeper Arbiter and its kin.

width u8, height u8, mines u16 (high byte first), then x u8, y u8 of each mine
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.errors import BadBoard
from ludex.games.minesweeper.formats.size import require_size

HEADER: Final = 4
"""Bytes before the first mine."""


def read_mbf(data: bytes) -> NDArray[np.bool_]:
    """bool[H, W], True where the mines are.

    >>> read_mbf(bytes([3, 1, 0, 1, 2, 0])).tolist()
    [[False, False, True]]
    """
    if len(data) < HEADER:
        raise BadBoard(f"an MBF file begins with {HEADER} bytes, width, height and mines; found {len(data)}")
    width, height, count = data[0], data[1], int.from_bytes(data[2:HEADER], "big")
    require_size(height, width)
    expected = HEADER + 2 * count
    if len(data) < expected:
        raise BadBoard(f"the file ends after {len(data)} bytes: {count} mines need {expected}; is it truncated?")
    if len(data) > expected:
        raise BadBoard(f"byte {expected}: {len(data) - expected} bytes follow the last of {count} mines, expected none")
    mines = np.zeros((height, width), np.bool_)
    for at in range(HEADER, expected, 2):
        x, y = data[at], data[at + 1]
        if x >= width or y >= height:
            raise BadBoard(f"byte {at}: a mine at ({x}, {y}) lies outside a board of width {width}, height {height}")
        if mines[y, x]:
            raise BadBoard(f"byte {at}: a second mine at ({x}, {y})")
        mines[y, x] = True
    return mines


def write_mbf(mines: NDArray[np.bool_]) -> bytes:
    """The file of a board, mines row by row.

    >>> list(write_mbf(np.array([[False, False, True]])))
    [3, 1, 0, 1, 2, 0]
    """
    height, width = mines.shape
    require_size(height, width)
    cells = np.argwhere(mines)
    return bytes([width, height, *len(cells).to_bytes(2, "big"), *cells[:, ::-1].ravel().tolist()])
