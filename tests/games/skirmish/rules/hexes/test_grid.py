"""Numbers, names, neighbours, distances and the half turn of boards."""

import pickle

import numpy as np
import pytest

from ludex.core.errors import MalformedAction
from ludex.games.skirmish.rules.hexes import NO_DISTANCE, NOWHERE, Grid, grid_of
from tests.games.skirmish.rules.hexes.support import ODD_SIZES, SIZES, numbers
from tests.reference import hexes as reference

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


def test_the_default_board_has_513_hexes() -> None:
    grid = grid_of(25, 21)
    assert (grid.size, int(grid.exists.sum())) == (525, 13 * 21 + 12 * 20)


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
