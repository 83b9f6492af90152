"""Hexes beside the reference: pictures, numbers, neighbours, distances, walks and line of sight."""

import pickle
from collections.abc import Collection
from itertools import product
from math import dist, isclose, sqrt
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.core.errors import MalformedAction
from ludex.games.skirmish.rules.hexes import (
    LEFT,
    NO_DISTANCE,
    NOWHERE,
    RIGHT,
    UNREACHED,
    Grid,
    centre,
    corners,
    extent,
    grid_of,
    reach,
    sight_table,
    to_cube,
    to_offset,
    waypoint,
)
from tests.reference import hexes as reference
from tests.reference.hexes import Hex, distances

SIZES = ((1, 2), (2, 2), (3, 2), (1, 7), (8, 5), (9, 6), (7, 7))
"""Columns and rows, among them the smallest boards, even and odd ones."""
LONG_SIZES = ((25, 21), (64, 3), (3, 64))
"""The default board, and the longest lines."""
ODD_SIZES = tuple((cols, rows) for cols, rows in SIZES if cols % 2)


def marked(grid: Grid, places: Collection[Hex]) -> NDArray[np.bool_]:
    """bool[size]: true at the places."""
    marks = np.zeros(grid.size, np.bool_)
    marks[[grid.index(col, row) for col, row in places]] = True
    return marks


def numbers(grid: Grid) -> list[int]:
    """Every hex there is."""
    hexes: list[int] = np.flatnonzero(grid.exists).tolist()
    return hexes


def some_pairs(cols: int, rows: int) -> list[tuple[Hex, Hex]]:
    """All pairs of hexes of a small board, 1,000 of a large one."""
    pairs = list(distances(cols, rows))
    return pairs if len(pairs) <= 3_000 else Random(cols).sample(pairs, 1_000)


SIZE = 14.0


def test_centres_are_those_of_the_plane() -> None:
    for place in reference.hexes(9, 6):
        x, y = reference.centre(place)
        assert centre(*place, SIZE) == pytest.approx((SIZE * (x / 2 + 1), SIZE * sqrt(3) * (y + 1) / 2))


def test_a_hex_is_regular_and_flat_on_top() -> None:
    for place in reference.hexes(4, 3):
        points = corners(*place, SIZE)
        for this, following in zip(points, points[1:] + points[:1], strict=True):
            assert isclose(dist(this, following), SIZE)
            assert isclose(dist(this, centre(*place, SIZE)), SIZE)
        assert points[4][1] == points[5][1] < points[0][1]


@pytest.mark.parametrize("size", [(1, 2), (4, 3), (25, 21)], ids=str)
def test_the_picture_just_holds_the_board(size: tuple[int, int]) -> None:
    points = [point for place in reference.hexes(*size) for point in corners(*place, SIZE)]
    assert (min(x for x, _ in points), min(y for _, y in points)) == pytest.approx((0, 0))
    assert (max(x for x, _ in points), max(y for _, y in points)) == pytest.approx(extent(*size, SIZE))


OPPOSITE = [3, 4, 5, 0, 1, 2]
DIRECTIONS = ((0, -2), (3, -1), (3, 1), (0, 2), (-3, 1), (-3, -1))
"""From centre to centre in the reference's plane, which points east and south."""


@pytest.fixture(params=[*SIZES, (25, 21)], ids=str)
def grid(request: pytest.FixtureRequest) -> Grid:
    return grid_of(*request.param)


def test_numbers_ascend_by_column_and_row_and_the_last_row_of_odd_columns_is_missing(grid: Grid) -> None:
    places = [grid.col_row(h) for h in numbers(grid)]
    assert places == sorted(places) == list(reference.hexes(grid.cols, grid.rows))
    assert [grid.index(col, row) for col, row in places] == numbers(grid)
    for col in range(1, grid.cols, 2):
        hole = col * grid.rows + grid.rows - 1
        assert grid.find(col, grid.rows - 1) is None
        assert not grid.exists[hole]
        assert (grid.neighbours[hole] == NOWHERE).all()
        assert (grid.distance[hole] == NO_DISTANCE).all()
        assert (grid.distance[:, hole] == NO_DISTANCE).all()


def test_neighbours_are_the_hexes_a_height_away_each_in_its_direction(grid: Grid) -> None:
    near = reference.adjacent(grid.cols, grid.rows)
    for h in numbers(grid):
        here = grid.col_row(h)
        x, y = reference.centre(here)
        pairs = set()
        for direction, to in enumerate(grid.neighbours[h].tolist()):
            if to == NOWHERE:
                continue
            there = grid.col_row(to)
            u, v = reference.centre(there)
            assert (u - x, v - y) == DIRECTIONS[direction]
            assert grid.neighbours[to, OPPOSITE[direction]] == h
            pairs.add(there)
        assert pairs == near[here]


@pytest.mark.parametrize("size", [*SIZES, (13, 11)], ids=str)
def test_distance_is_the_number_of_steps_to_walk(size: tuple[int, int]) -> None:
    grid = grid_of(*size)
    for (a, b), steps in reference.distances(*size).items():
        assert grid.distance[grid.index(*a), grid.index(*b)] == steps


@pytest.mark.parametrize("size", [*ODD_SIZES, (25, 21)], ids=str)
def test_half_a_turn_is_undone_by_another_and_keeps_neighbours_and_distances(size: tuple[int, int]) -> None:
    grid = grid_of(*size)
    for h in numbers(grid):
        col, row = grid.col_row(h)
        away = grid.cols - 1 - col
        assert grid.col_row(int(grid.half_turn[h])) == (away, grid.rows_in(away) - 1 - row)
    there = numbers(grid)
    turned = grid.half_turn[there]
    assert (grid.half_turn[turned] == there).all()
    assert (grid.half_turn[~grid.exists] == NOWHERE).all()
    assert (grid.distance[np.ix_(turned, turned)] == grid.distance[np.ix_(there, there)]).all()
    near = grid.neighbours[there]
    seen_turned = np.where(near == NOWHERE, NOWHERE, grid.half_turn[near])
    assert (grid.neighbours[turned][:, OPPOSITE] == seen_turned).all()


def test_an_even_number_of_columns_has_no_half_turn() -> None:
    with pytest.raises(ValueError, match="8 x 5 has no half turn: the number of columns must be odd"):
        _ = grid_of(8, 5).half_turn


def test_names_are_tokens_that_parse_back(grid: Grid) -> None:
    names = [grid.name(h) for h in numbers(grid)]
    assert [grid.parse(name) for name in names] == numbers(grid)
    assert len(set(names)) == len(names)
    assert all(name.isascii() and name.isprintable() and " " not in name for name in names)


@pytest.mark.parametrize("text", ["", "3", "3.", ".3", "03.1", "3.01", "-1.2", "3,1", " 3.1", "3.1\n", "٣.1", "3.1.1"])
def test_texts_that_name_no_hex_are_refused(text: str) -> None:
    with pytest.raises(MalformedAction, match="names no hex: expected a column and a row with a dot between"):
        grid_of(25, 21).parse(text)


def test_refusals_say_what_would_be_right() -> None:
    grid = grid_of(25, 21)
    with pytest.raises(MalformedAction, match=r"'25\.0' is not on the board: columns go from 0 to 24"):
        grid.parse("25.0")
    with pytest.raises(MalformedAction, match="a text of 41 characters names no hex"):
        grid.parse("1" * 41)
    with pytest.raises(ValueError, match="no hex at column 3, row -1: rows of column 3 go from 0 to 19"):
        grid.index(3, -1)
    with pytest.raises(ValueError, match="no hex at column -1, row 0: columns go from 0 to 24"):
        grid.index(-1, 0)
    for number in (-1, 41, 525):
        with pytest.raises(ValueError, match=f"{number} is no hex of a board of 25 x 21"):
            grid.col_row(number)


@pytest.mark.parametrize("size", [(0, 5), (5, 1), (65, 5), (5, 65)], ids=str)
def test_sizes_that_make_no_board_are_refused(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=f"1 to 64 columns and 2 to 64 rows, found {size[0]} x {size[1]}"):
        grid_of(*size)


def test_a_grid_is_one_immutable_value(grid: Grid) -> None:
    again = pickle.loads(pickle.dumps(grid))
    assert again is grid_of(grid.cols, grid.rows)
    assert len(pickle.dumps(grid)) < 200
    for table in (grid.exists, grid.neighbours, grid.distance):
        assert not table.flags.writeable


@pytest.mark.parametrize("size", [*SIZES, (25, 21)], ids=str)
def test_a_unit_reaches_what_a_plain_search_reaches(size: tuple[int, int]) -> None:
    grid, rng = grid_of(*size), np.random.default_rng(23)
    away, queue = np.full(grid.size, 99, np.int16), np.full(grid.size, 99, np.int16)
    places = reference.hexes(*size)
    for _ in range(60):
        start, steps = places[rng.integers(len(places))], int(rng.integers(12))
        # The start may be marked itself: the unit stands there, perhaps next to an enemy.
        blocked = {place for place in places if rng.random() < 0.15}
        barred = {place for place in places if rng.random() < 0.1}
        marks = marked(grid, blocked).astype(np.uint8), marked(grid, barred).astype(np.uint8)
        known = reach(grid.index(*start), steps, *marks, grid.neighbours, away, queue)
        expected = np.full(grid.size, UNREACHED)
        for place, walked in reference.walk(*size, start, steps, blocked | barred).items():
            expected[grid.index(*place)] = walked
        assert away.tolist() == expected.tolist()
        reached = queue[:known].tolist()
        assert reached[0] == grid.index(*start)
        assert sorted(reached) == np.flatnonzero(away != UNREACHED).tolist()
        assert (np.diff(away[reached]) >= 0).all()


def test_marks_may_be_bool() -> None:
    grid = grid_of(3, 3)
    away, queue, none = np.empty(9, np.int16), np.empty(9, np.int16), np.zeros(9, np.bool_)
    assert reach(0, 2, none, none, grid.neighbours, away, queue) == 7
    assert away.tolist() == [0, 1, 2, 1, 2, UNREACHED, 2, 2, UNREACHED]


def test_a_waypoint_is_the_hex_with_the_nearest_centre_wherever_the_segment_is_parted() -> None:
    for col, row, step in product(range(-6, 7), range(-6, 7), range(1, 97, 8)):
        # 97 is prime: no point of a segment square to a border is on it, where no nudge would help.
        for side, beside in ((LEFT, -1), (RIGHT, 1)):
            offset = to_offset(*waypoint(*to_cube(col, row), step, 97, side))
            assert offset == reference.passed((0, 0), (col, row), step, 97, beside)


@pytest.mark.slow
@pytest.mark.parametrize("size", [*SIZES, *LONG_SIZES], ids=str)
def test_hexes_see_each_other_where_the_reference_says_so(size: tuple[int, int]) -> None:
    grid, rng = grid_of(*size), np.random.default_rng(11)
    for density in (0.02, 0.05, 0.15, 0.3):
        walls = {place for place in reference.hexes(*size) if rng.random() < density}
        table = sight_table(grid, marked(grid, walls))
        for a, b in some_pairs(*size):
            assert table[grid.index(*a), grid.index(*b)] == reference.sees(*size, walls, a, b), (walls, a, b)


@pytest.mark.parametrize(
    ("walls", "a", "b", "expected"),
    [
        pytest.param({(3, 2)}, (2, 3), (4, 3), True, id="along the side of a wall, open on the other"),
        pytest.param({(3, 2), (3, 3)}, (2, 3), (4, 3), False, id="between two walls that touch"),
        pytest.param({(3, 2), (5, 3)}, (2, 3), (6, 3), False, id="each side closed by one of two walls"),
        pytest.param({(3, 2), (5, 2)}, (2, 3), (6, 3), True, id="both walls on the same side"),
        pytest.param({(2, 3)}, (2, 1), (2, 5), False, id="a wall in the way"),
        pytest.param({(3, 0)}, (2, 0), (4, 0), False, id="no sight around a wall outside the board"),
        pytest.param({(3, 5)}, (2, 6), (4, 6), False, id="nor at the lower border"),
        pytest.param({(3, 2), (5, 2)}, (0, 0), (8, 5), True, id="corners of walls are grazed between two steps"),
    ],
)
def test_walls_that_block_and_walls_that_do_not(walls: set[Hex], a: Hex, b: Hex, expected: bool) -> None:
    grid = grid_of(9, 7)
    assert sight_table(grid, marked(grid, walls))[grid.index(*a), grid.index(*b)] == expected


def test_the_table_is_read_only_and_walls_of_another_board_are_refused() -> None:
    grid = grid_of(7, 7)
    assert not sight_table(grid, np.zeros(49, np.bool_)).flags.writeable
    with pytest.raises(ValueError, match=r"walls must be bool\[49\], found bool\[48\]"):
        sight_table(grid, np.zeros(48, np.bool_))
    with pytest.raises(ValueError, match=r"walls must be bool\[49\], found uint8\[49\]"):
        sight_table(grid, np.zeros(49, np.uint8))
