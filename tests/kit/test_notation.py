"""Tables of actions: texts, sites and images under symmetries; and what a module of rules must have."""

from types import ModuleType

import pytest

from ludex.core.errors import MalformedAction
from ludex.kit.geometry import square_grid
from ludex.kit.notation import Notation, dropping, moving, placing, placing_edges, words
from ludex.kit.rules import kernels_of

GRID = square_grid(2, 2)


def test_an_index_has_one_text() -> None:
    notation = Notation(placing(GRID) + moving(GRID, [(0, 1), (1, 0)]) + placing(GRID, "x") + words("pass"))
    texts = [choice.text for choice in notation.choices]
    assert texts == ["a1", "b1", "a2", "b2", "a1b1", "b1a1", "xa1", "xb1", "xa2", "xb2", "pass"]
    assert [notation.parse(text) for text in texts] == list(range(len(notation)))
    assert notation.sites(2).tolist()[3:6] == [[3, -1], [0, 1], [1, 0]]
    with pytest.raises(MalformedAction, match="expected one such as a1"):
        notation.parse("a3")
    with pytest.raises(ValueError, match="same text"):
        Notation(placing(GRID) + placing(GRID))


def test_images_follow_from_the_sites() -> None:
    mirror = next(transform for transform in GRID.symmetries if transform.name == "ReflectVertical")
    notation = Notation(placing(GRID) + moving(GRID, [(0, 1), (1, 0)]) + placing(GRID, "x") + words("pass"))
    image = notation.image(mirror.image)
    assert image is not None
    assert image.tolist() == [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 10]


def test_a_symmetry_without_images_is_none() -> None:
    """Stones that fall are not turned upside down."""
    notation = Notation(dropping(GRID))
    images = {transform.name: notation.image(transform.image) for transform in GRID.symmetries}
    assert [name for name, image in images.items() if image is not None] == ["Identity", "ReflectVertical"]


def test_edges_are_actions() -> None:
    grid = square_grid(1, 1, edges=True)
    assert [choice.text for choice in placing_edges(grid)] == ["a1s", "a1w", "a1n", "a1e"]


def test_rules_that_lack_a_function_are_named() -> None:
    with pytest.raises(TypeError, match="the rules in empty lack legal, apply, outcome"):
        kernels_of(ModuleType("empty"))
