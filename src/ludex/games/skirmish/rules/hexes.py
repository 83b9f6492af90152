"""Hexes: coordinates, a board's numbers, neighbours and distances, walks, and line of sight."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import sqrt
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from ludex.core.compilable import compilable
from ludex.core.errors import MalformedAction
from ludex.kernels.jit import kernel, share

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


MOST_COLS: Final = 64
LEAST_ROWS: Final = 2
"""With a single row the odd columns would be empty."""
MOST_ROWS: Final = 64
NOWHERE: Final = -1
"""The neighbour beyond the border; no hex has this number."""
NO_DISTANCE: Final = 255
"""How far a hole is from anything."""

_NAME: Final = re.compile(r"(0|[1-9][0-9]?)\.(0|[1-9][0-9]?)")


@dataclass(frozen=True)
class Grid:
    """A board of `cols` x `rows` hexes without anything on it. Take it from `grid_of`; its arrays are read-only."""

    cols: int
    rows: int
    exists: NDArray[np.bool_] = field(compare=False, repr=False)
    """bool[size]: false for holes."""
    neighbours: NDArray[np.int16] = field(compare=False, repr=False)
    """int16[size, 6]: north, north-east, south-east, south, south-west, north-west; NOWHERE beyond the border."""
    distance: NDArray[np.uint8] = field(compare=False, repr=False)
    """uint8[size, size]: steps between two hexes if nothing stands in the way; NO_DISTANCE from and to holes."""

    @property
    def size(self) -> int:
        """How many numbers there are, holes included."""
        return self.cols * self.rows

    def rows_in(self, col: int) -> int:
        """How many hexes a column of the board has."""
        return self.rows - (col & 1)

    def find(self, col: int, row: int) -> int | None:
        """The number of a hex, or None if there is no such hex.

        >>> grid_of(3, 3).find(1, 1), grid_of(3, 3).find(1, 2)
        (4, None)
        """
        if 0 <= col < self.cols and 0 <= row < self.rows_in(col):
            return col * self.rows + row
        return None

    def index(self, col: int, row: int) -> int:
        """The number of a hex that must exist.

        >>> grid_of(25, 21).index(1, 20)
        Traceback (most recent call last):
        ValueError: no hex at column 1, row 20: rows of column 1 go from 0 to 19
        """
        h = self.find(col, row)
        if h is None:
            raise ValueError(f"no hex at column {col}, row {row}: {self._bounds_text(col)}")
        return h

    def col_row(self, h: int) -> tuple[int, int]:
        """The column and row of a hex's number.

        >>> grid_of(25, 21).col_row(28)
        (1, 7)
        """
        if not 0 <= h < self.size or not self.exists[h]:
            raise ValueError(f"{h} is no hex of a board of {self.cols} x {self.rows}")
        return divmod(h, self.rows)

    def name(self, h: int) -> str:
        """A hex's text: column, dot, row, the numbers that scenario files use.

        >>> grid_of(25, 21).name(28)
        '1.7'
        """
        col, row = self.col_row(h)
        return f"{col}.{row}"

    def parse(self, text: str) -> int:
        """The number of the hex that a text names, written as `name` writes it.

        >>> grid_of(25, 21).parse("1.20")
        Traceback (most recent call last):
        ludex.core.errors.MalformedAction: '1.20' is not on the board: rows of column 1 go from 0 to 19
        """
        match = _NAME.fullmatch(text)
        if match is None:
            name = repr(text) if len(text) <= 40 else f"a text of {len(text)} characters"
            raise MalformedAction(f"{name} names no hex: expected a column and a row with a dot between, such as 12.7")
        col, row = int(match[1]), int(match[2])
        h = self.find(col, row)
        if h is None:
            raise MalformedAction(f"{text!r} is not on the board: {self._bounds_text(col)}")
        return h

    @cached_property
    def half_turn(self) -> NDArray[np.int16]:
        """int16[size]: where each hex goes when the board is rotated by 180°; NOWHERE for holes.

        Neighbours stay neighbours. With an even number of columns a full column would land on a short one: ValueError.

        >>> grid_of(3, 3).half_turn.tolist()
        [8, 7, 6, 4, 3, -1, 2, 1, 0]
        """
        if self.cols % 2 == 0:
            raise ValueError(
                f"a board of {self.cols} x {self.rows} has no half turn: the number of columns must be odd"
            )
        turned = np.full(self.size, NOWHERE, np.int16)
        # Numbers ascend by (col, row), and the turn reverses both orders.
        turned[self.exists] = np.flatnonzero(self.exists)[::-1]
        turned.flags.writeable = False
        return turned

    def _bounds_text(self, col: int) -> str:
        if 0 <= col < self.cols:
            return f"rows of column {col} go from 0 to {self.rows_in(col) - 1}"
        return f"columns go from 0 to {self.cols - 1}"

    def __reduce__(self) -> tuple[Callable[[int, int], "Grid"], tuple[int, int]]:
        # Another process makes its own tables instead of receiving megabytes of them.
        return grid_of, (self.cols, self.rows)


@lru_cache(maxsize=16)
def grid_of(cols: int, rows: int) -> Grid:
    """The grid of a size, made once.

    >>> grid_of(3, 3).neighbours[4].tolist()
    [3, 7, 8, -1, 2, 1]
    >>> grid_of(3, 3).distance[0].tolist()
    [0, 1, 2, 1, 2, 255, 2, 2, 3]
    """
    if not (1 <= cols <= MOST_COLS and LEAST_ROWS <= rows <= MOST_ROWS):
        raise ValueError(
            f"a board has 1 to {MOST_COLS} columns and {LEAST_ROWS} to {MOST_ROWS} rows, found {cols} x {rows}"
        )
    number = np.arange(cols * rows, dtype=np.int16)
    col, row = number // rows, number % rows
    exists: NDArray[np.bool_] = row < rows - (col & 1)
    q, r = to_cube(col, row)
    neighbours = np.full((cols * rows, len(STEPS)), NOWHERE, np.int16)
    for direction, (step_q, step_r) in enumerate(STEPS):
        to_col, to_row = to_offset(q + step_q, r + step_r)
        inside = (to_col >= 0) & (to_col < cols) & (to_row >= 0) & (to_row < rows - (to_col & 1))
        neighbours[:, direction] = np.where(exists & inside, to_col * rows + to_row, NOWHERE)
    apart = length(q[:, None] - q, r[:, None] - r)
    distance = np.where(exists[:, None] & exists, apart, NO_DISTANCE).astype(np.uint8)
    for table in (exists, neighbours, distance):
        table.flags.writeable = False
    return Grid(cols, rows, exists, neighbours, distance)


Marks = NDArray[np.bool_] | NDArray[np.uint8]
"""[size]: one truth value a hex."""
UNREACHED: Final = -1


@kernel
def reach(
    start: int,
    steps: int,
    blocked: Marks,
    barred: Marks,
    neighbours: NDArray[np.int16],
    out_distance: NDArray[np.int16],
    queue: NDArray[np.int16],
) -> int:
    """Steps to every hex within `steps`, into `out_distance: int16[size]`; UNREACHED elsewhere. Returns how many.

    No step enters a hex of `blocked` (walls, units) or of `barred` (next to an enemy); what holds of `start`, whose
    distance is 0, does not matter. `queue: int16[size]` then begins with the hexes reached, the start first and the
    nearer before the farther.
    """
    out_distance[:] = UNREACHED
    out_distance[start] = 0
    queue[0] = start
    done, known = 0, 1
    while done < known and out_distance[queue[done]] < steps:
        here = queue[done]
        done += 1
        for direction in range(neighbours.shape[1]):
            there = neighbours[here, direction]
            if there == NOWHERE or blocked[there] or barred[there] or out_distance[there] != UNREACHED:
                continue
            out_distance[there] = out_distance[here] + 1
            queue[known] = there
            known += 1
    return known


LEFT: Final = 1
RIGHT: Final = -1

# The hair is below 2 / HAIR of a hex. Points of a line of n steps are nearer to one hex by at least 1 / 2n, or as near
# to both; n is below 128.
HAIR: Final = 1 << 14


@compilable
def waypoint(q: int, r: int, step: int, steps: int, side: int) -> tuple[int, int]:
    """(q, r) of the hex at `step` of `steps` on the segment from (0, 0) to (q, r), nudged to a side.

    >>> waypoint(2, -1, 1, 2, LEFT), waypoint(2, -1, 1, 2, RIGHT)
    ((1, -1), (1, 0))
    """
    s, unit = -q - r, steps * HAIR
    # (r - s, s - q, q - r) is (q, r, s) turned to the left by a quarter of a turn.
    at_q = q * step * HAIR + side * (r - s)
    at_r = r * step * HAIR + side * (s - q)
    at_s = -at_q - at_r
    near_q = (2 * at_q + unit) // (2 * unit)
    near_r = (2 * at_r + unit) // (2 * unit)
    near_s = (2 * at_s + unit) // (2 * unit)
    off_q, off_r, off_s = abs(near_q * unit - at_q), abs(near_r * unit - at_r), abs(near_s * unit - at_s)
    # Rounded one by one they may not add up to 0: the one rounded most follows from the others.
    if off_q > off_r and off_q > off_s:
        near_q = -near_r - near_s
    elif off_r > off_s:
        near_r = -near_q - near_s
    return near_q, near_r


share(waypoint)
share(length)


def sight_table(grid: Grid, walls: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[size, size], read-only: which hexes see each other across `walls: bool[size]`.

    Two hexes see each other if at least one of the two lines between them, one nudged to each side of the segment
    between the centres, has no wall strictly between its ends. So a segment along the border of a wall and an open hex
    is open, and a wall whose corner is grazed between two steps of the line does not block. A line that leaves the
    board does not count: there is no sight around a wall outside it. A wall sees nothing and is not seen; any other hex
    sees itself and its neighbours that are no walls.

    >>> from ludex.games.skirmish.rules.hexes import grid_of
    >>> grid, walls = grid_of(3, 3), np.zeros(9, np.bool_)
    >>> walls[grid.parse("1.0")] = True
    >>> table = sight_table(grid, walls)
    >>> table[grid.parse("0.1"), grid.parse("2.1")], table[grid.parse("0.0"), grid.parse("2.0")]
    (np.True_, np.False_)
    """
    if walls.shape != (grid.size,) or walls.dtype != np.bool_:
        raise ValueError(f"walls must be bool[{grid.size}], found {walls.dtype}{list(walls.shape)}")
    numbers = np.flatnonzero(grid.exists).astype(np.int16)
    q, r = to_cube(numbers // grid.rows, numbers % grid.rows)
    # Hexes by cube coordinates, one column after the other with a margin, so that a line is the same additions wherever
    # it begins. What is off the board is as opaque as a wall.
    stride = grid.rows + grid.cols // 2 + 1
    cells = np.full(grid.size, -1, np.int64)
    cells[numbers] = q.astype(np.int64) * stride + r + grid.cols // 2 + 1
    opaque = np.ones(grid.cols * stride, np.bool_)
    opaque[cells[numbers]] = walls[numbers]
    seen = np.zeros((grid.size, grid.size), np.bool_)
    _look(grid.cols, grid.rows, stride, cells, opaque, seen)
    seen.flags.writeable = False
    return seen


@kernel
def _look(
    cols: int, rows: int, stride: int, cells: NDArray[np.int64], opaque: NDArray[np.bool_], seen: NDArray[np.bool_]
) -> None:
    """Fill `seen: bool[size, size]`, one vector after the other: all lines along a vector are the same but for a shift.

    `cells: int64[size]` is where each hex is in `opaque: bool[cols * stride]`.
    """
    left, right = np.empty(cols + rows, np.int64), np.empty(cols + rows, np.int64)
    for q in range(cols):
        # Only vectors from a hex to itself or to a greater number: the others are the same lines backwards.
        for r in range(0 if q == 0 else 1 - rows - q // 2, rows - (q + 1) // 2):
            steps = length(q, r)
            for step in range(1, steps):
                way_q, way_r = waypoint(q, r, step, steps, LEFT)
                left[step] = way_q * stride + way_r
                way_q, way_r = waypoint(q, r, step, steps, RIGHT)
                right[step] = way_q * stride + way_r
            for a in range((cols - q) * rows):
                col, row = a // rows, a % rows
                to_col = col + q
                to_row = row + r + (to_col >> 1) - (col >> 1)
                if row >= rows - (col & 1) or to_row < 0 or to_row >= rows - (to_col & 1):
                    continue
                cell, b = cells[a], to_col * rows + to_row
                if opaque[cell] or opaque[cells[b]]:
                    continue
                if _is_open(opaque, cell, left, steps) or _is_open(opaque, cell, right, steps):
                    seen[a, b] = seen[b, a] = True


@kernel
def _is_open(opaque: NDArray[np.bool_], cell: int, way: NDArray[np.int64], steps: int) -> bool:
    """Whether nothing opaque is between the ends of a line from a cell; `way[1:steps]` are its shifts."""
    step = 1
    while step < steps and not opaque[cell + way[step]]:
        step += 1
    return step >= steps
