"""Line of sight, against exact segments."""

from itertools import product

import numpy as np
import pytest

from ludex.games.skirmish.rules.hexes import LEFT, NOWHERE, RIGHT, grid_of, sight_table, to_cube, to_offset, waypoint
from tests.games.skirmish.rules.hexes.support import LONG_SIZES, SIZES, marked, some_pairs
from tests.reference import hexes as reference
from tests.reference.hexes import Hex

LARGE = [(25, 21), (24, 20)]


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


@pytest.mark.parametrize("size", LARGE, ids=str)
@pytest.mark.parametrize("density", [0.05, 0.2, 0.6])
def test_sight_is_mutual_walls_are_blind_and_neighbours_see_each_other(size: tuple[int, int], density: float) -> None:
    grid = grid_of(*size)
    walls = np.random.default_rng(13).random(grid.size) < density
    table, clear = sight_table(grid, walls), grid.exists & ~walls
    assert (table == table.T).all()
    assert not table[~clear].any()
    for h in np.flatnonzero(clear).tolist():
        near = [to for to in grid.neighbours[h].tolist() if to != NOWHERE]
        assert table[h, h]
        assert (table[h, near] == clear[near]).all()


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
