"""Walking distances, against a plain search."""

import numpy as np
import pytest

from ludex.games.skirmish.rules.hexes import UNREACHED, grid_of, reach
from tests.games.skirmish.rules.hexes.support import SIZES, marked
from tests.reference import hexes as reference


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
