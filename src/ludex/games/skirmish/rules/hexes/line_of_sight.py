"""Line of sight for all pairs of hexes at once."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.compilable import compilable
from ludex.games.skirmish.rules.hexes.coordinates import length, to_cube
from ludex.games.skirmish.rules.hexes.grid import Grid
from ludex.kernels.jit import kernel, share

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

    >>> from ludex.games.skirmish.rules.hexes.grid import grid_of
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
