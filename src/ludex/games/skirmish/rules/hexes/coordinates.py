"""Offset and cube coordinates of flat-top hexes ("odd-q"), and where hexes are in a picture."""

from math import sqrt
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from ludex.core.compilable import compilable

Whole = TypeVar("Whole", int, NDArray[np.int16])

STEPS: Final = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""(q, r) of the six directions: north, north-east, south-east, south, south-west, north-west."""


def to_cube(col: Whole, row: Whole) -> tuple[Whole, Whole]:
    """(q, r) of a column and a row, on the board or off it.

    >>> to_cube(3, 0), to_cube(4, 2)
    ((3, -1), (4, 0))
    """
    return col, row - (col >> 1)


def to_offset(q: Whole, r: Whole) -> tuple[Whole, Whole]:
    """(column, row) of a cube coordinate.

    >>> to_offset(3, -1), to_offset(4, 0)
    ((3, 0), (4, 2))
    """
    return q, r + (q >> 1)


@compilable
def length(q: Whole, r: Whole) -> Whole:
    """How many steps a cube vector is long.

    >>> length(2, -1), length(2, 1)
    (2, 3)
    """
    return (abs(q) + abs(r) + abs(q + r)) // 2


Point = tuple[float, float]


def centre(col: int, row: int, size: float) -> Point:
    """The middle of a hex.

    >>> centre(0, 0, 10), centre(1, 0, 10)
    ((10.0, 8.660254037844386), (25.0, 17.32050807568877))
    """
    return size * (1.5 * col + 1), size * sqrt(3) * (row + 0.5 + 0.5 * (col & 1))


def corners(col: int, row: int, size: float) -> tuple[Point, Point, Point, Point, Point, Point]:
    """The six corners of a hex, clockwise from the eastern one; the fifth and sixth are the ends of its top side.

    >>> [(round(x), round(y)) for x, y in corners(0, 0, 10)]
    [(20, 9), (15, 17), (5, 17), (0, 9), (5, 0), (15, 0)]
    """
    x, y = centre(col, row, size)
    half, height = size / 2, size * sqrt(3) / 2
    return (
        (x + size, y),
        (x + half, y + height),
        (x - half, y + height),
        (x - size, y),
        (x - half, y - height),
        (x + half, y - height),
    )


def extent(cols: int, rows: int, size: float) -> Point:
    """The width and height of a board's picture.

    >>> extent(3, 2, 2)
    (10.0, 6.928203230275509)
    """
    return size * (1.5 * cols + 0.5), size * sqrt(3) * rows
