"""Pictures of hexes."""

from math import dist, isclose, sqrt

import pytest

from ludex.games.skirmish.rules.hexes import NOWHERE, centre, corners, extent, grid_of
from tests.games.skirmish.rules.hexes.support import numbers
from tests.reference import hexes as reference

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


def test_only_neighbours_share_a_side() -> None:
    grid = grid_of(5, 4)

    def rounded(h: int) -> set[tuple[float, float]]:
        return {(round(x, 6), round(y, 6)) for x, y in corners(*grid.col_row(h), SIZE)}

    for a in numbers(grid):
        near = {to for to in grid.neighbours[a].tolist() if to != NOWHERE}
        assert {b for b in numbers(grid) if len(rounded(a) & rounded(b)) == 2} == near


@pytest.mark.parametrize("size", [(1, 2), (4, 3), (25, 21)], ids=str)
def test_the_picture_just_holds_the_board(size: tuple[int, int]) -> None:
    points = [point for place in reference.hexes(*size) for point in corners(*place, SIZE)]
    assert (min(x for x, _ in points), min(y for _, y in points)) == pytest.approx((0, 0))
    assert (max(x for x, _ in points), max(y for _, y in points)) == pytest.approx(extent(*size, SIZE))
