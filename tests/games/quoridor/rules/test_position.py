"""Positions as values and as texts."""

from typing import Any

import pytest

from ludex.core.errors import BadPosition, MalformedAction
from tests.games.quoridor.support import at, game_of, live_steps, played, reach_texts
from tests.games.support import TRAP
from tests.reference import quoridor as reference

GAME = game_of()
SEEN = (13 << 8 | 67) << 1
"""White on e2, black on e8, white to move."""


def test_positions_that_no_game_reached_come_back_too() -> None:
    for game, reference_state, state in live_steps(200, 7, 8, seed=5):
        position = reference_state._replace(ply=100 + reference_state.turn)
        data = game.dump(position)
        assert isinstance(data, dict)
        assert data["pawns"] == [reference.name(pawn) for pawn in state.pawns]
        assert data["walls"] == [wall for wall in reference.all_walls(7) if wall in state.walls]
        assert game.load(data) == position


def test_a_dump_is_read_by_people() -> None:
    assert GAME.dump(played("e2 e8 e3h a1v")) == {
        "pawns": ["e2", "e8"],
        "walls": ["e3h", "a1v"],
        "left": [9, 9],
        "turn": 0,
        "ply": 4,
        "seen": [(13 << 8 | 67) << 1],
    }


def test_the_count_of_repetitions_survives() -> None:
    position = GAME.load(GAME.dump(played("e2 e8 e1 e9 e2 e8 e1")))
    assert GAME.outcome(position) is None
    assert GAME.outcome(played("e9", position=position)) is not None


def good() -> dict[str, Any]:
    """Walls e3h and d5v stand, and it is white's turn."""
    data = GAME.dump(played("e2 e8 e3h d5v"))
    assert isinstance(data, dict)
    return data


BOX = ["e1h", "d1v", "f1v"]
"""Around e1 and f1."""


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        pytest.param({"walls": ["e3h", "e3v"]}, "e3v overlaps or crosses another", id="walls that cross"),
        pytest.param({"walls": ["e3h", "f3h"]}, "f3h overlaps or crosses another", id="walls that overlap"),
        pytest.param({"walls": ["e3h", "e3h"]}, "e3h overlaps or crosses another", id="one wall twice"),
        pytest.param(
            {"walls": BOX, "left": [9, 8], "pawns": ["e1", "e8"], "seen": [(4 << 8 | 67) << 1]},
            "Blue has no path",
            id="white cut off",
        ),
        pytest.param(
            {"walls": ["e8h", "d8v", "f8v"], "left": [9, 8], "pawns": ["e2", "e9"], "seen": [(13 << 8 | 76) << 1]},
            "Orange has no path",
            id="black cut off",
        ),
        pytest.param({"walls": ["e3h"]}, "1 walls stand and 18 are left, but there are 20", id="a wall is missing"),
        pytest.param({"walls": ["e3h", "d5v", "a1h"]}, "3 walls stand and 18 are left", id="a wall too many"),
        pytest.param({"left": [10, 10]}, "2 walls stand and 20 are left", id="stocks too full"),
        pytest.param({"left": [11, 7]}, "'left' must be a whole number in 0..10, found 11", id="too many walls"),
        pytest.param({"left": [9]}, "'left' must have two values", id="one stock"),
        pytest.param({"left": [True, 9]}, "'left' must be a whole number", id="a stock of True"),
        pytest.param({"pawns": ["e2", "e2"]}, "both pawns stand on e2", id="both on one square"),
        pytest.param({"pawns": ["e9", "e1"]}, "both pawns stand on their goals", id="both at their goals"),
        pytest.param({"pawns": ["e2"]}, "'pawns' must have two values", id="one pawn"),
        pytest.param({"pawns": ["e2", "j8"]}, "'j8' is not on this board", id="a pawn off the board"),
        pytest.param({"pawns": ["e2", "e8h"]}, "'e8h' is a wall, expected a square", id="a wall for a pawn"),
        pytest.param({"pawns": [13, 67]}, "expected a text such as e1 or e3h, found 13", id="pawns as numbers"),
        pytest.param({"walls": ["e3h", "e3"]}, "'e3' is a square, expected a wall", id="a square for a wall"),
        pytest.param({"walls": ["e3h", "i9h"]}, "'i9h' is not on this board", id="a wall off the board"),
        pytest.param({"walls": ["e3h", "rubbish"]}, "'rubbish' is not on this board", id="a wall of rubbish"),
        pytest.param({"walls": ["e3h", 7]}, "expected a text such as e1 or e3h, found 7", id="a wall as a number"),
        pytest.param({"walls": {"e3h": 1, "d5v": 2}}, "'walls' must be a list", id="walls as an object"),
        pytest.param({"turn": 2}, "'turn' must be a whole number in 0..1, found 2", id="a third player"),
        pytest.param({"turn": False}, "'turn' must be a whole number in 0..1, found False", id="a turn of False"),
        pytest.param({"turn": 1}, "after 4 plies it is player 0's turn, found 1", id="another's turn than seen"),
        pytest.param({"ply": -1}, "'ply' must be a whole number in 0..324", id="a negative ply"),
        pytest.param({"seen": []}, "the last of 'seen' must be the position itself", id="nothing seen"),
        pytest.param({"seen": 7}, "'seen' must be a list", id="seen as a number"),
        pytest.param({"seen": [SEEN ^ 1, SEEN] * 3}, "6 positions after 4 plies", id="too much seen"),
        pytest.param({"seen": [SEEN, SEEN]}, "the turns in 'seen' do not alternate", id="one player twice"),
        pytest.param({"seen": [1 << 17, SEEN]}, "'seen' must be a whole number", id="seen beyond the board"),
        pytest.param({"seen": [SEEN ^ 1]}, "the last of 'seen' must be the position itself", id="another seen last"),
        pytest.param({"ply": 0}, "white has put 1 walls in 0 moves", id="walls before the first ply"),
        pytest.param({"colour": "red"}, "expected an object with left, pawns, ply, seen, turn, walls", id="a new key"),
    ],
)
def test_a_bad_position_is_refused_by_name(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BadPosition) as error:
        GAME.load({**good(), **changes})
    assert message in error.value.message


def test_the_position_of_another_board_is_refused() -> None:
    data = game_of(11, 10).dump(game_of(11, 10).initial(TRAP))
    with pytest.raises(BadPosition, match="'f11' is not on this board"):
        GAME.load(data)


START = GAME.initial(TRAP)


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
