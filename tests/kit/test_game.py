"""What a grid game says by its fields: what lies on its sites, and which positions are none."""

import pytest

from ludex.core.errors import BadPosition
from ludex.core.game import Json
from ludex.core.seeding import Rng
from ludex.kit.game import Bits, Field, GridGame, Number, Position, Values
from ludex.kit.geometry import square_grid
from ludex.kit.rules import RUNNING, Mask, Vector, kernel


@kernel
def legal(board: Vector, state: Vector, mask: Mask) -> None:
    mask[:] = 1


@kernel
def apply(board: Vector, state: Vector, action: int) -> None:
    state[0] = 1 - state[0]


@kernel
def outcome(board: Vector, state: Vector) -> float:
    return RUNNING


class Plain(GridGame):
    """A game without rules to speak of."""

    id = "plain"

    def __init__(self, fields: dict[str, Field] | None) -> None:
        super().__init__("9x9", grid=square_grid(9, 9), rules=__name__, fields=fields)


def place(game: GridGame, first: list[int], second: list[int]) -> Position:
    """The position with these cells of either player."""
    dumped = game.dump(game.initial(Rng(0)))
    assert isinstance(dumped, dict)
    sets: dict[str, list[Json]] = {
        "first": [game.grid.names[cell] for cell in first],
        "second": [game.grid.names[cell] for cell in second],
    }
    document: Json = {**dumped, **{name: [*sets[name]] for name in dumped.keys() & sets.keys()}}
    return game.load(document)


@pytest.mark.parametrize(
    "fields",
    [{"first": Bits(), "second": Bits()}, {"n": Number(3), "first": Bits(words=3), "second": Bits(words=3)}],
)
def test_pieces_are_those_of_two_bit_boards(fields: dict[str, Field]) -> None:
    game = Plain(fields)
    pieces = [*game.pieces(place(game, [0, 63, 80], [1, 64]))]
    assert {cell: value for cell, value in enumerate(pieces) if value} == {0: 1, 63: 1, 80: 1, 1: -1, 64: -1}


def test_pieces_are_numbers_per_site_by_default() -> None:
    game = Plain(None)
    numbers = game.initial(Rng(0)).vector()
    numbers[[1, 81]] = 1, -1
    assert [value for value in game.pieces(Position(numbers)) if value] == [1, -1]
    assert (len(game.notation), game.info.max_plies, game.layout.size) == (81, 81, 82)


def test_fields_that_say_no_pieces_need_a_rule() -> None:
    with pytest.raises(TypeError, match="plain: neither its rules have `piece`"):
        Plain({"first": Bits(), "n": Number(1)})
    Plain({"first": Bits(), "heights": Values(3)})


def test_a_cell_is_in_one_set() -> None:
    with pytest.raises(BadPosition, match="'second' must name no site of another set"):
        place(Plain({"first": Bits(), "second": Bits()}), [5], [5, 6])
    game = Plain({"first": Bits(), "second": Bits(apart=False)})
    assert [*game.pieces(place(game, [5], [5, 6]))][5:7] == [0, -1]


def test_an_unknown_symmetry_is_named() -> None:
    class Turned(Plain):
        symmetries = ("Identity", "Rot91")

    with pytest.raises(TypeError, match="plain: unknown symmetries Rot91; known: Identity, "):
        Turned({"sites": Values(1, least=-1)})
