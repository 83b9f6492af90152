"""Names, neighbours, lines and symmetries of grids, by examples and by counting."""

import numpy as np
import pytest

from ludex.kit.geometry import Grid, hex_grid, points_grid, square_grid


def test_squares_are_named_from_a1_in_either_corner() -> None:
    low, top = square_grid(2, 3), square_grid(2, 3, top=True)
    assert low.names == top.names == ("a1", "b1", "c1", "a2", "b2", "c2")
    assert (low.drawn(0), top.drawn(0)) == ((1, 0), (0, 0))


def test_hexagons_touch_where_they_are_drawn_side_by_side() -> None:
    """Odd rows of a scene lie half a cell further to the right."""
    grid = hex_grid(4, 5)

    def middle(cell: int) -> tuple[float, float]:
        row, col = grid.drawn(cell)
        return row * 0.75**0.5, col + row % 2 / 2

    for cell in range(grid.sites):
        x, y = middle(cell)
        near = {
            other
            for other in range(grid.sites)
            if other != cell and np.hypot(middle(other)[0] - x, middle(other)[1] - y) < 1.01
        }
        assert near == {int(other) for other in grid.neighbours[cell] if other >= 0}


@pytest.mark.parametrize(
    ("grid", "count"), [(square_grid(3, 3), 8), (square_grid(2, 3), 4), (hex_grid(3, 3), 4), (hex_grid(2, 3), 2)]
)
def test_symmetries_keep_neighbours(grid: Grid, count: int) -> None:
    assert len(grid.symmetries) == count
    assert grid.symmetries[0].image == tuple(range(grid.sites))
    near = {(cell, int(other)) for cell in range(grid.sites) for other in grid.neighbours[cell] if other >= 0}
    for transform in grid.symmetries:
        assert {(transform.image[cell], transform.image[other]) for cell, other in near} == near, transform.name


def test_a_hexagon_of_hexagons_has_twelve_symmetries() -> None:
    ring = Grid(places=((0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)), shape="hex", top=True)
    assert len({transform.image for transform in ring.symmetries}) == 12


def test_lines_are_straight_and_whole() -> None:
    assert len(square_grid(6, 7).lines(4)) == 69
    assert len(hex_grid(3, 3).lines(3)) == 7
    assert square_grid(3, 3).lines(3)[:3] == ((0, 1, 2), (0, 3, 6), (0, 4, 8))


def test_steps_of_bit_boards_are_those_of_neighbours() -> None:
    for grid in (square_grid(3, 4), hex_grid(5, 5), square_grid(9, 9)):
        for direction, (by, *words) in enumerate(grid.shifts.tolist()):
            movable = sum((word & (1 << 64) - 1) << 64 * index for index, word in enumerate(words))
            for cell, other in enumerate(grid.neighbours[:, direction].tolist()):
                assert (movable >> cell & 1 == 1) == (other >= 0)
                assert other in (-1, cell + by)


def test_edges_lie_between_cells() -> None:
    grid = square_grid(2, 2, edges=True)
    assert (grid.sites, grid.planes) == (4 + 12, (5, 5))
    assert len(set(grid.plane_places)) == grid.sites
    assert len(grid.symmetries) == 8
    assert grid.names[4:] == (*("a1s", "b1s", "a2s", "b2s", "a1w", "b1w", "a2w", "b2w"), "a2n", "b2n", "b1e", "b2e")


def test_a_board_may_have_holes() -> None:
    grid = points_grid(["a1", "c1", "b2", "a3", "c3"])
    assert (grid.rows, grid.cols, len(grid.symmetries)) == (3, 3, 8)
    assert grid.cell((1, 0)) == -1
