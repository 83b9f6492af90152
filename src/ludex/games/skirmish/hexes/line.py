"""Straight lines of hexes.

A line of n steps is the hex nearest to each of the points that part the segment between two centres into n equal
pieces. A point on the border of two hexes is as near to both: the segment is nudged by a hair to one side of itself,
which settles every such case, because a segment square to a border has its points at centres only. All in whole
numbers: no rounding differs between machines, or between the two ways along a line.
"""

from typing import Final

from ludex.core.compilable import compilable
from ludex.games.skirmish.hexes.cube import to_cube, to_offset
from ludex.games.skirmish.hexes.grid import Grid

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


def line(grid: Grid, a: int, b: int) -> list[int]:
    """The hexes from a to b, both included: distance + 1 of them, each a neighbour of the one before.

    Where two are as near, the northern one is taken, or the southern one all along if the northern line would leave the
    board. `line(grid, b, a)` is the same line backwards.

    >>> from ludex.games.skirmish.hexes.grid import grid_of
    >>> grid = grid_of(25, 21)
    >>> [grid.name(h) for h in line(grid, grid.parse("0.2"), grid.parse("4.2"))]
    ['0.2', '1.1', '2.2', '3.1', '4.2']
    >>> [grid.name(h) for h in line(grid, grid.parse("4.0"), grid.parse("0.0"))]
    ['4.0', '3.0', '2.0', '1.0', '0.0']
    """
    first, last = min(a, b), max(a, b)
    hexes = _nudged(grid, first, last, LEFT)
    if len(hexes) <= grid.distance[a, b]:
        hexes = _nudged(grid, first, last, RIGHT)
    return hexes if a == first else hexes[::-1]


def _nudged(grid: Grid, a: int, b: int, side: int) -> list[int]:
    """The hexes of a nudged line, without those that are not on the board."""
    (q, r), (to_q, to_r) = to_cube(*grid.col_row(a)), to_cube(*grid.col_row(b))
    steps = int(grid.distance[a, b])
    ways = [waypoint(to_q - q, to_r - r, step, steps, side) for step in range(1, steps)]
    found = [grid.find(*to_offset(q + way_q, r + way_r)) for way_q, way_r in ways]
    between = [h for h in found if h is not None]
    return [a, *between, b] if steps else [a]
