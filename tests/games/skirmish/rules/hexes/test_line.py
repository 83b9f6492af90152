"""Straight lines, against points of exact segments."""

from itertools import pairwise, product

import numpy as np
import pytest

from ludex.games.skirmish.rules.hexes.coordinates import to_cube, to_offset
from ludex.games.skirmish.rules.hexes.grid import Grid, grid_of
from ludex.games.skirmish.rules.hexes.line_of_sight import LEFT, RIGHT, line, waypoint
from tests.games.skirmish.rules.hexes.support import LONG_SIZES, SIZES, numbers, some_pairs
from tests.reference import hexes as reference


def check(grid: Grid, a: int, b: int) -> None:
    hexes = line(grid, a, b)
    assert (hexes[0], hexes[-1], len(hexes)) == (a, b, grid.distance[a, b] + 1)
    assert all(grid.distance[here, there] == 1 for here, there in pairwise(hexes))
    assert line(grid, b, a) == hexes[::-1]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_line_is_connected_as_short_as_can_be_and_the_same_backwards(size: tuple[int, int]) -> None:
    grid = grid_of(*size)
    for a in numbers(grid):
        for b in numbers(grid):
            check(grid, a, b)


@pytest.mark.parametrize("size", [(25, 21), (64, 64)], ids=str)
def test_so_it_is_on_large_boards(size: tuple[int, int]) -> None:
    grid = grid_of(*size)
    for a, b in np.random.default_rng(7).choice(numbers(grid), (400, 2)).tolist():
        check(grid, a, b)
    border = [grid.index(col, row) for col in (0, grid.cols - 2, grid.cols - 1) for row in (0, grid.rows_in(col) - 1)]
    for a in border:
        for b in border:
            check(grid, a, b)


@pytest.mark.slow
@pytest.mark.parametrize("size", [*SIZES, *LONG_SIZES], ids=str)
def test_a_line_is_the_exact_segment_nudged_to_the_north_or_to_the_south_at_the_border(size: tuple[int, int]) -> None:
    grid = grid_of(*size)
    for a, b in some_pairs(*size):
        here, there = min(a, b), max(a, b)
        between = tuple(grid.col_row(h) for h in line(grid, grid.index(*here), grid.index(*there))[1:-1])
        south, north = reference.ways(*size, here, there)  # right and left on the way to the east
        assert between == (north if None not in north else south)


def test_a_waypoint_is_the_hex_with_the_nearest_centre_wherever_the_segment_is_parted() -> None:
    for col, row, step in product(range(-6, 7), range(-6, 7), range(1, 97, 8)):
        # 97 is prime: no point of a segment square to a border is on it, where no nudge would help.
        for side, beside in ((LEFT, -1), (RIGHT, 1)):
            offset = to_offset(*waypoint(*to_cube(col, row), step, 97, side))
            assert offset == reference.passed((0, 0), (col, row), step, 97, beside)


def test_a_hole_is_on_no_line() -> None:
    with pytest.raises(ValueError, match="41 is no hex of a board of 25 x 21"):
        line(grid_of(25, 21), 0, 41)
