"""Moves as texts."""

import pytest

from ludex.core.errors import MalformedAction
from ludex.games.quoridor.rules.board import action_name, action_of, square_name
from tests.games.quoridor.support import TRAP, at, game_of, reach_texts
from tests.reference import quoridor as reference

GAME = game_of()
START = GAME.initial(TRAP)


@pytest.mark.parametrize("size", range(3, 12))
def test_every_action_has_its_text_and_every_text_its_action(size: int) -> None:
    game = game_of(size, 4)
    position = game.initial(TRAP)
    texts = [game.action_text(position, action) for action in range(game.info.num_actions)]
    assert texts == list(reference.all_moves(size))
    assert len(set(texts)) == len(texts)
    assert all(text.isascii() and text.isalnum() for text in texts)
    for action, text in enumerate(texts):
        parsed = game.parse_action(position, text)
        assert (parsed, type(parsed)) == (action, int)
        assert action_of(action_name(action, size), size) == action
    assert [square_name(square, size) for square in range(size**2)] == texts[: size**2]


def test_ruling_2_white_starts_on_e1_and_moves_first_black_on_e9() -> None:
    assert [square_name(pawn, 9) for pawn in START.pawns] == ["e1", "e9"]
    assert GAME.to_move(START) == 0


def test_ruling_2_a_pawn_move_is_its_destination() -> None:
    after = GAME.apply(START, GAME.parse_action(START, "e2"), TRAP)
    assert [square_name(pawn, 9) for pawn in after.pawns] == ["e2", "e9"]


@pytest.mark.parametrize(
    ("wall", "parted", "open_pairs"),
    [
        ("e3h", [("e3", "e4"), ("f3", "f4")], [("d3", "d4"), ("g3", "g4"), ("e3", "f3"), ("e4", "f4")]),
        ("e3v", [("e3", "f3"), ("e4", "f4")], [("e2", "f2"), ("e5", "f5"), ("e3", "e4"), ("f3", "f4")]),
    ],
)
def test_ruling_2_a_wall_lies_above_or_right_of_the_squares_it_names(
    wall: str, parted: list[tuple[str, str]], open_pairs: list[tuple[str, str]]
) -> None:
    for here, there in [*parted, *(pair[::-1] for pair in parted)]:
        assert there not in reach_texts(GAME, at(here, "i9", wall))
    for here, there in [*open_pairs, *(pair[::-1] for pair in open_pairs)]:
        assert there in reach_texts(GAME, at(here, "i9", wall))


MALFORMED = "e 2 e0 e00 e02 E2 2e ee2 e-1 e3H e3x e3hv he3 h v e3hh e123 é2 e\uff12 l1 z9 pass e2e3 e2,e3 e3-h 0 131"


@pytest.mark.parametrize("text", ["", "e2 ", " e2", "e2\n", "e 2", *MALFORMED.split()])
def test_a_malformed_text_is_refused(text: str) -> None:
    with pytest.raises(MalformedAction, match="is no move: expected a square such as e2 or a wall such as e3h or e3v"):
        GAME.parse_action(START, text)


@pytest.mark.parametrize(
    ("size", "text", "message"),
    [
        (9, "j1", "'j1' is not on the board: squares go from a1 to i9"),
        (9, "e10", "'e10' is not on the board: squares go from a1 to i9"),
        (9, "k11", "'k11' is not on the board: squares go from a1 to i9"),
        (9, "e9h", "'e9h' is not on the board: walls go from a1 to h8"),
        (9, "i1v", "'i1v' is not on the board: walls go from a1 to h8"),
        (9, "i9v", "'i9v' is not on the board: walls go from a1 to h8"),
        (3, "d1", "'d1' is not on the board: squares go from a1 to c3"),
        (3, "c1h", "'c1h' is not on the board: walls go from a1 to b2"),
        (11, "a12", "'a12' is not on the board: squares go from a1 to k11"),
        (11, "k1h", "'k1h' is not on the board: walls go from a1 to j10"),
    ],
)
def test_a_text_off_the_board_is_refused(size: int, text: str, message: str) -> None:
    game = game_of(size, 2)
    with pytest.raises(MalformedAction) as error:
        game.parse_action(game.initial(TRAP), text)
    assert error.value.message == message
