"""A board's hexes: numbers, neighbours, distances and how far a unit can walk."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import MalformedAction
from ludex.games.skirmish.rules.hexes.coordinates import STEPS, length, to_cube, to_offset
from ludex.kernels.jit import kernel

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
            raise ValueError(f"no hex at column {col}, row {row}: {self._expected(col)}")
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
            raise MalformedAction(f"{text!r} is not on the board: {self._expected(col)}")
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

    def _expected(self, col: int) -> str:
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
