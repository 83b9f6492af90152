"""The symmetry group and the canonical image, beside the reference."""

import pytest
from hypothesis import given

from ludex.core.ranking import MemoryRankings
from ludex.games.tictactoe.agents.policy import RankingPolicy
from ludex.games.tictactoe.learning.training import Learning
from ludex.games.tictactoe.rules.symmetry import Symmetry
from tests.games.support import examples
from tests.games.tictactoe.support import SHAPES, THREE, all_grids, at, choices, game_of, position_of, shapes, walked
from tests.reference import tictactoe as reference

Shape = tuple[int, int, int]
each_shape = pytest.mark.parametrize("shape", SHAPES, ids=str)


def images(shape: Shape) -> list[tuple[int, ...]]:
    return [transform.image for transform in game_of(*shape).board.grid.symmetries]


@each_shape
def test_the_symmetries_are_the_references(shape: Shape) -> None:
    rows, cols, _ = shape
    expected = {tuple(map(places.index, range(rows * cols))) for places in reference.symmetries(rows, cols)}
    assert set(images(shape)) == expected


@each_shape
def test_the_symmetries_form_a_group(shape: Shape) -> None:
    group = set(images(shape))
    cells = range(shape[0] * shape[1])
    assert tuple(cells) in group
    assert {tuple(second[first[cell]] for cell in cells) for first in group for second in group} == group
    assert {tuple(map(image.index, cells)) for image in group} == group


def test_the_symmetries_have_the_seeds_names() -> None:
    images = {transform.name: transform.image for transform in THREE.grid.symmetries}
    assert images == {
        "Identity": (0, 1, 2, 3, 4, 5, 6, 7, 8),
        "Rot90": (2, 5, 8, 1, 4, 7, 0, 3, 6),
        "Rot180": (8, 7, 6, 5, 4, 3, 2, 1, 0),
        "Rot270": (6, 3, 0, 7, 4, 1, 8, 5, 2),
        "ReflectVertical": (2, 1, 0, 5, 4, 3, 8, 7, 6),
        "ReflectHorizontal": (6, 7, 8, 3, 4, 5, 0, 1, 2),
        "ReflectMainDiagonal": (0, 3, 6, 1, 4, 7, 2, 5, 8),
        "ReflectAntiDiagonal": (8, 5, 2, 7, 4, 1, 6, 3, 0),
    }


@pytest.mark.slow
@examples(150)
@given(shapes, choices)
def test_the_canonical_image_is_the_references(shape: Shape, steps: list[int]) -> None:
    game, position, grid = walked(shape, steps)
    image = Symmetry(game.board).canonical(position)
    assert image.key == reference.canonical_key(grid)
    assert list(image.moves) == [reference.canonical_move(grid, cell) for cell in range(game.board.cells)]


@pytest.mark.slow
def test_ruling_2_the_canonical_image_of_every_3x3x3_position_is_the_references() -> None:
    symmetry = Symmetry(THREE)
    for grid in all_grids():
        image = symmetry.canonical(position_of(grid, 3))
        expected = tuple(reference.canonical_move(grid, cell) for cell in range(9))
        assert (image.key, image.moves) == (reference.canonical_key(grid), expected)


@pytest.mark.slow
@examples(100)
@given(shapes, choices)
def test_the_named_transform_leads_to_the_key(shape: Shape, steps: list[int]) -> None:
    game, position, grid = walked(shape, steps)
    canonical = Symmetry(game.board).canonical(position)
    image = next(transform.image for transform in game.board.grid.symmetries if transform.name == canonical.transform)
    marks = reference.key(grid)
    assert all(canonical.key[image[cell]] == mark for cell, mark in enumerate(marks))


def test_ruling_2_by_the_first_smallest_transform_alone_equal_moves_would_have_different_entries() -> None:
    """To the letter, one transform gives the smallest key: on the empty board every corner is a move of its own."""
    apart = 0
    for grid in all_grids():
        symmetry = dict(reversed(reference.images(grid)))[reference.canonical_key(grid)]
        moves = reference.moves(grid, 3)
        literal = {symmetry.index(cell) for cell in moves}
        ours = {reference.canonical_move(grid, cell) for cell in moves}
        assert len(literal) == len(moves) >= len(ours)
        apart += len(literal) > len(ours)
    assert apart > 0


def test_ruling_2_equal_moves_of_a_symmetric_position_share_one_entry() -> None:
    position = at("XEE EOE EEX")
    policy = RankingPolicy(THREE, MemoryRankings())
    learning = Learning(policy, alpha=1.0, bound=5.0)
    for cell in (1, 3, 5, 7):
        learning.update_q(position, cell, 1.0)
    assert [q for _, _, q in policy.store.entries()] == [4.0]
