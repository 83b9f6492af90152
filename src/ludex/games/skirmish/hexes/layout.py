"""Where hexes are in a picture: x to the right, y down, the board's top left corner at the origin.

`size` is a hex's side, which is also the way from its centre to a corner. A flat-top hex is 2 sizes wide and sqrt(3)
sizes high; columns are 1.5 sizes apart.
"""

from math import sqrt

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
