r"""Offset and cube coordinates of flat-top hexes whose odd columns are shoved down by half a hex ("odd-q").

A cube coordinate is (q, r, s) with q + r + s = 0; s is left out. Steps and lines are plain sums there, whatever the
column's parity:

             (0,-1)
      (-1,0)  ____  (1,-1)
             /    \
             \____/
      (-1,1)        (1,0)
             (0,1)
"""

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
