"""A board of hexes as points in the plane: slow, plain, and sharing nothing with the package.

A hex is its (column, row). Its centre is (3 * col, 2 * row), one more down in odd columns: x is counted in half sides,
y in half heights, so that a length is the root of (x * x + 3 * y * y) half sides, and all but the root is exact.
Nothing here knows cube coordinates: neighbours are the hexes whose centres are a hex's height apart, distances are
walked, and a point belongs to the hex with the nearest centre.
"""

from collections import deque
from collections.abc import Collection
from functools import cache

Hex = tuple[int, int]
Way = tuple[Hex | None, ...]
"""The hexes strictly between two others; None off the board."""

HEIGHT = 12
"""The square of a hex's height, in half sides."""
HAIRS = 10**6
"""Points beside a segment are a HAIRS-th of its length away, and are counted in such pieces of every step."""


@cache
def hexes(cols: int, rows: int) -> tuple[Hex, ...]:
    return tuple((col, row) for col in range(cols) for row in range(rows if col % 2 == 0 else rows - 1))


def centre(place: Hex) -> tuple[int, int]:
    col, row = place
    return 3 * col, 2 * row + col % 2


def apart(x: int, y: int) -> int:
    """The square of a vector's length."""
    return x * x + 3 * y * y


@cache
def adjacent(cols: int, rows: int) -> dict[Hex, frozenset[Hex]]:
    places = {place: centre(place) for place in hexes(cols, rows)}
    return {
        here: frozenset(there for there, (u, v) in places.items() if apart(u - x, v - y) == HEIGHT)
        for here, (x, y) in places.items()
    }


def walk(cols: int, rows: int, start: Hex, steps: int, closed: Collection[Hex]) -> dict[Hex, int]:
    """How many steps from a hex to each within `steps` without entering the closed ones."""
    near, away, queue = adjacent(cols, rows), {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in near[here]:
            if away[here] < steps and there not in away and there not in closed:
                away[there] = away[here] + 1
                queue.append(there)
    return away


@cache
def distances(cols: int, rows: int) -> dict[tuple[Hex, Hex], int]:
    places = hexes(cols, rows)
    return {(a, b): steps for a in places for b, steps in walk(cols, rows, a, len(places), ()).items()}


def holder(x: int, y: int, unit: int) -> Hex:
    """The only hex, on the board or off it, that has the point (x / unit, y / unit) inside."""
    column, height = x // (3 * unit), y // (2 * unit)
    around = [(col, row) for col in (column, column + 1) for row in range(height - 1, height + 2)]
    centres = ((place, centre(place)) for place in around)
    ranked = sorted((apart(u * unit - x, v * unit - y), place) for place, (u, v) in centres)
    assert ranked[0][0] < ranked[1][0], f"({x}, {y}) / {unit} is on a border"
    return ranked[0][1]


def passed(a: Hex, b: Hex, step: int, steps: int, side: int) -> Hex:
    """The hex at `step` of `steps` on the segment a hair beside that of two centres: 1 is its right, -1 its left."""
    (x, y), (u, v), unit = centre(a), centre(b), steps * HAIRS
    # (-3 * y, x) is square to (x, y) where lengths are measured as above.
    along_x, along_y = HAIRS * step * (u - x), HAIRS * step * (v - y)
    return holder(x * unit + along_x - 3 * side * (v - y), y * unit + along_y + side * (u - x), unit)


@cache
def ways(cols: int, rows: int, a: Hex, b: Hex) -> tuple[Way, Way]:
    """What is between two hexes on the segments to the right and to the left of theirs."""
    board, steps = adjacent(cols, rows), distances(cols, rows)[a, b]
    right, left = ([passed(a, b, step, steps, side) for step in range(1, steps)] for side in (1, -1))
    return tuple(h if h in board else None for h in right), tuple(h if h in board else None for h in left)


def sees(cols: int, rows: int, walls: Collection[Hex], a: Hex, b: Hex) -> bool:
    """Whether one of the two ways between two open hexes stays on the board and meets no wall."""
    if a in walls or b in walls:
        return False
    return any(all(place is not None and place not in walls for place in way) for way in ways(cols, rows, a, b))
