"""The rules beside the reference, and every one of them by name."""

import numpy as np
import pytest

from ludex.core.errors import IllegalAction
from ludex.core.game import Outcome
from ludex.games.quoridor.rules.movegen import count_legal, is_legal, legal_mask, perft
from ludex.games.quoridor.rules.position import STATE_WORDS, Position, words
from tests.games.quoridor.support import (
    at,
    game_of,
    legal_texts,
    live_steps,
    played,
    position_of,
    reach_texts,
    state_at,
)
from tests.games.support import TRAP
from tests.reference import quoridor as reference

GAME = game_of()

BOARDS = [
    # size, walls, live positions compared
    (3, 0, 60),
    (3, 1, 200),
    (3, 2, 300),
    (3, 4, 300),
    (4, 2, 300),
    (4, 6, 400),
    (5, 2, 300),
    (5, 5, 800),
    (5, 50, 200),
    (7, 8, 250),
    (7, 20, 150),
    (9, 1, 30),
    (9, 10, 400),
    (9, 25, 80),
    (11, 12, 60),
    (11, 50, 40),
]


# Against the reference


@pytest.mark.slow
@pytest.mark.parametrize(("size", "walls", "count"), BOARDS)
def test_the_legal_moves_are_the_references_action_by_action(size: int, walls: int, count: int) -> None:
    names = reference.all_moves(size)
    compared = 0
    for game, position, state in live_steps(count, size, walls, every=3 if size >= 7 else 1):
        expected = reference.moves(state)
        assert len(names) == game.info.num_actions
        assert game.legal(position).tolist() == [name in expected for name in names], state
        compared += 1
    assert compared == count


@pytest.mark.parametrize(("size", "walls"), [(3, 3), (4, 4), (5, 5), (7, 8), (9, 10), (9, 30), (11, 12), (11, 50)])
def test_one_action_checked_alone_is_as_legal_as_in_the_mask(size: int, walls: int) -> None:
    scratch = np.empty(STATE_WORDS, np.uint64)
    for game, position, _ in live_steps(60, size, walls, every=3 if size >= 7 else 1):
        row = words(position, size)
        mask = np.ones(game.info.num_actions, np.bool_)
        legal_mask(row, size, game.geometry, scratch, mask)
        alone = [is_legal(row, action, size, game.geometry) for action in range(game.info.num_actions)]
        assert alone == mask.tolist()
        assert count_legal(row, size, game.geometry, scratch) == int(mask.sum())


@pytest.mark.parametrize(("depth", "lines"), [(0, 1), (1, 131), (2, 16_677), (3, 2_062_264)])
def test_perft_from_the_start(depth: int, lines: int) -> None:
    assert perft(words(GAME.initial(TRAP), 9), depth, 9, GAME.geometry) == lines


@pytest.mark.parametrize(
    ("size", "walls", "depth"),
    [*((3, walls, depth) for walls in range(5) for depth in (1, 2, 3)), (3, 2, 4), (4, 2, 3), (5, 2, 2), (7, 3, 2)],
)
def test_perft_of_small_boards_is_the_references(size: int, walls: int, depth: int) -> None:
    game = game_of(size, walls)
    lines = reference.lines(reference.start(size, walls), depth)
    assert perft(words(game.initial(TRAP), size), depth, size, game.geometry) == lines


# The start


def test_white_begins_on_e1_and_black_on_e9_with_ten_walls_each() -> None:
    position = GAME.initial(TRAP)
    assert position == at("e1", "e9")
    assert GAME.to_move(position) == 0
    assert GAME.info.num_actions == 209
    assert reach_texts(GAME, position) == {"d1", "e2", "f1"}
    assert len(legal_texts(GAME, position)) == 131


# Pawns


@pytest.mark.parametrize(
    ("white", "black", "walls", "reach"),
    [
        pytest.param("e5", "a9", "", "e6 f5 e4 d5", id="four steps in the open"),
        pytest.param("a1", "e9", "", "a2 b1", id="a corner"),
        pytest.param("i5", "e9", "", "i6 i4 h5", id="an edge"),
        pytest.param("e5", "a9", "e5h d5v", "f5 e4", id="walls above and left"),
        pytest.param("e5", "a9", "d5h e4v", "d5 e4", id="the far halves of walls close as well"),
        pytest.param("e5", "a9", "f5h e6v c5h d3v", "e6 f5 e4 d5", id="walls that end at the square close nothing"),
        pytest.param("e5", "e6", "", "e7 f5 e4 d5", id="a jump straight north"),
        pytest.param("e5", "f5", "", "e6 g5 e4 d5", id="a jump straight east"),
        pytest.param("e5", "e4", "", "e6 f5 e3 d5", id="a jump straight south"),
        pytest.param("e5", "d5", "", "e6 f5 e4 c5", id="a jump straight west"),
        pytest.param("e5", "f6", "", "e6 f5 e4 d5", id="no jump over a pawn at the corner"),
        pytest.param("e5", "e7", "", "e6 f5 e4 d5", id="no jump over a pawn two squares away"),
        pytest.param("e5", "e6", "e6h", "d6 f6 f5 e4 d5", id="a wall behind: sideways"),
        pytest.param("e5", "e6", "d6h", "d6 f6 f5 e4 d5", id="a wall's far half behind: sideways"),
        pytest.param("e5", "f5", "f5v", "f6 f4 e6 e4 d5", id="a wall behind in the east: sideways"),
        pytest.param("e5", "e4", "e3h", "d4 f4 e6 f5 d5", id="a wall behind in the south: sideways"),
        pytest.param("e5", "d5", "c4v", "d6 d4 e6 f5 e4", id="a wall behind in the west: sideways"),
        pytest.param("e5", "e6", "e6h d6v", "f6 f5 e4 d5", id="a wall behind and one at the left"),
        pytest.param("e5", "e6", "e6h d5v", "f6 f5 e4", id="the wall at the left closes the step as well"),
        pytest.param("e5", "e6", "d6h e6v", "d6 f5 e4 d5", id="a wall behind and one at the right"),
        pytest.param("e5", "e6", "e6h d6v e5v", "e4 d5", id="walls behind and at both sides"),
        pytest.param("e5", "e6", "d6v e6v", "e7 f5 e4 d5", id="walls at the sides bar no straight jump"),
        pytest.param("e5", "e6", "e6h f5h", "d6 f6 f5 e4 d5", id="a wall below the side square bars no jump to it"),
        pytest.param("e5", "e6", "e5h", "f5 e4 d5", id="a wall between the pawns"),
        pytest.param("e5", "e6", "d5h e6h", "f5 e4 d5", id="walls between and behind"),
        pytest.param("e5", "f5", "e4v f5v", "e6 e4 d5", id="walls between and behind in the east"),
        pytest.param("e8", "e9", "", "d9 f9 f8 e7 d8", id="the top edge behind: sideways"),
        pytest.param("e8", "e9", "d8v", "f9 f8 e7", id="the top edge behind and a wall at the left"),
        pytest.param("b5", "a5", "", "a6 a4 b6 c5 b4", id="the left edge behind: sideways"),
        pytest.param("h5", "i5", "h5h", "i4 g5 h4", id="the right edge behind and a wall above"),
        pytest.param("a8", "a9", "", "b9 b8 a7", id="the corner: one side is left"),
        pytest.param("a8", "a9", "a8v", "a7", id="the corner and a wall: no side is left"),
    ],
)
def test_where_a_pawn_may_go(white: str, black: str, walls: str, reach: str) -> None:
    state, squares = state_at(white, black, walls), set(reach.split())
    assert reach_texts(GAME, position_of(state)) == squares
    assert {reference.name(square) for square in reference.reach(state)} == squares
    # The same for black, on the board rotated by 180°.
    assert reach_texts(GAME, position_of(half_turn(state))) == {half_turned(text) for text in squares}


def half_turned(text: str) -> str:
    if text[-1] in "hv":
        col, row = reference.square(text[:-1])
        return reference.name((7 - col, 7 - row)) + text[-1]
    col, row = reference.square(text)
    return reference.name((8 - col, 8 - row))


def half_turn(state: reference.State) -> reference.State:
    white, black = (reference.square(half_turned(reference.name(pawn))) for pawn in state.pawns)
    return reference.State(9, (black, white), frozenset(map(half_turned, state.walls)), state.left[::-1], 1)


# Walls


@pytest.mark.parametrize(
    ("walls", "wall", "reason"),
    [
        ("e3h", "e3h", "the wall e3h already stands in this place"),
        ("e3h", "d3h", "the wall e3h already stands in this place"),
        ("e3h", "f3h", "the wall e3h already stands in this place"),
        ("e3h", "e3v", "the wall e3h already stands across this place"),
        ("e3v", "e3v", "the wall e3v already stands in this place"),
        ("e3v", "e2v", "the wall e3v already stands in this place"),
        ("e3v", "e4v", "the wall e3v already stands in this place"),
        ("e3v", "e3h", "the wall e3v already stands across this place"),
        ("h8h", "h8v", "the wall h8h already stands across this place"),
        ("a1v", "a1h", "the wall a1v already stands across this place"),
        ("c3h e3h", "d3h", "the wall c3h already stands in this place"),
        ("e2v e4v", "e3v", "the wall e2v already stands in this place"),
    ],
)
def test_a_wall_that_overlaps_or_crosses_is_refused(walls: str, wall: str, reason: str) -> None:
    refused(at("e1", "e9", walls), wall, reason)


ABOVE_WHITE = "a1h c1h e1h g1h"
BELOW_BLACK = "b8h d8h f8h h8h"


@pytest.mark.parametrize(
    ("white", "black", "walls", "wall"),
    [
        pytest.param("e1", "e9", ABOVE_WHITE, "h1v", id="the mover, by a line to the border"),
        pytest.param("e1", "e9", BELOW_BLACK, "a8v", id="the opponent, by a line to the border"),
        pytest.param("e1", "e5", "d1v e1v", "e2h", id="the mover in a box"),
        pytest.param("e1", "e5", "d1v e1v", "d2h", id="the mover in a box, by the wall's far half"),
        pytest.param("a1", "e9", "a1h", "b1v", id="the mover in a corner"),
        pytest.param("e1", "i9", "h8h", "g8v", id="the opponent in a corner"),
        pytest.param("e5", "a9", "e6h e4h d5v", "f5v", id="the mover in the middle, touching no border"),
        pytest.param("e1", "f6", "e6h e4h d5v", "f5v", id="the opponent in the middle"),
        pytest.param("e5", "e6", "e6h e4h d5v", "f5v", id="both at once"),
    ],
)
def test_a_wall_that_cuts_off_a_last_path_is_refused(white: str, black: str, walls: str, wall: str) -> None:
    refused(at(white, black, walls), wall, "this wall would close a player\u2019s last path to the goal")


def test_without_walls_in_stock_only_pawns_move() -> None:
    position = at("e1", "e9", left=(0, 3))
    assert legal_texts(GAME, position) == {"d1", "e2", "f1"}
    refused(position, "e3h", "you have no wall left: take a step")
    assert len(legal_texts(GAME, at("e1", "e9", left=(0, 3), turn=1))) == 131
    assert len(legal_texts(GAME, at("e1", "e9", left=(3, 0)))) == 131


# Refusals


def refused(position: Position, move: str, message: str) -> None:
    before = Position(*position)
    assert move not in legal_texts(GAME, position)
    with pytest.raises(IllegalAction) as error:
        GAME.apply(position, GAME.parse_action(position, move), TRAP)
    assert error.value.message == message
    assert position == before


@pytest.mark.parametrize(
    ("position", "move", "message"),
    [
        (at("e1", "e9"), "e3", "the pawn cannot go from e1 to e3: it can go to d1, f1, e2"),
        (at("e1", "e9"), "e1", "the pawn cannot go from e1 to e1: it can go to d1, f1, e2"),
        (at("e1", "e9", turn=1), "e2", "the pawn cannot go from e9 to e2: it can go to e8, d9, f9"),
        (at("e5", "e6"), "e6", "the pawn cannot go from e5 to e6: it can go to e4, d5, f5, e7"),
        (at("e5", "e6"), "d6", "the pawn cannot go from e5 to d6: it can go to e4, d5, f5, e7"),
        (at("e5", "e6", "e6h"), "e7", "the pawn cannot go from e5 to e7: it can go to e4, d5, f5, d6, f6"),
        (at("e5", "e6", "e5h"), "e7", "the pawn cannot go from e5 to e7: it can go to e4, d5, f5"),
    ],
)
def test_a_refused_pawn_move_names_the_legal_ones(position: Position, move: str, message: str) -> None:
    refused(position, move, message)


# The end


WHITE_WINS, BLACK_WINS = Outcome((1.0, -1.0), "goal reached"), Outcome((-1.0, 1.0), "goal reached")


@pytest.mark.parametrize(
    ("position", "move", "outcome"),
    [
        pytest.param(at("e8", "a5"), "e9", WHITE_WINS, id="white by a step"),
        pytest.param(at("e7", "e8"), "e9", WHITE_WINS, id="white by a jump"),
        pytest.param(at("e8", "e9"), "d9", WHITE_WINS, id="white by a jump sideways"),
        pytest.param(at("a5", "e2", turn=1), "e1", BLACK_WINS, id="black by a step"),
        pytest.param(at("e2", "e3", turn=1), "e1", BLACK_WINS, id="black by a jump"),
        pytest.param(at("e1", "e2", turn=1), "f1", BLACK_WINS, id="black by a jump sideways"),
    ],
)
def test_the_player_that_reaches_the_other_side_wins(position: Position, move: str, outcome: Outcome) -> None:
    assert GAME.outcome(position) is None
    after = played(move, position=position)
    assert GAME.outcome(after) == outcome
    assert not GAME.legal(after).any()
    with pytest.raises(IllegalAction, match="the game is over"):
        played("e5h", position=after)


AROUND = "e2 e8 e1 e9 "


@pytest.mark.parametrize("again", [AROUND, "d1 d9 e1 e9"])
def test_the_third_time_is_a_draw(again: str) -> None:
    position = played(AROUND + again)
    assert GAME.outcome(position) == Outcome((0.0, 0.0), "third repetition")
    assert not GAME.legal(position).any()
    with pytest.raises(IllegalAction, match="the game is over"):
        played("e2", position=position)
    for plies in range(8):
        assert GAME.outcome(played(" ".join((AROUND + again).split()[:plies]))) is None


def test_the_same_squares_with_the_other_to_move_are_no_repetition() -> None:
    white, black = at("e4", "e5"), at("e4", "e5", turn=1)
    assert white.seen != black.seen
    twice = white._replace(seen=(*white.seen, 0, *white.seen, 0, *black.seen), turn=1)
    assert GAME.outcome(twice) is None
    assert GAME.outcome(twice._replace(seen=(*twice.seen, 0, *black.seen, 0, *black.seen))) is not None


def test_a_wall_starts_the_count_anew() -> None:
    position = played(AROUND + "a4h a6h")
    assert len(position.seen) == 1
    assert GAME.outcome(played(AROUND, position=position)) is None
    assert GAME.outcome(played(AROUND * 2, position=position)) == Outcome((0.0, 0.0), "third repetition")


def test_the_move_limit_is_a_draw() -> None:
    limit = GAME.info.max_plies
    position = at("e4", "e6")._replace(ply=limit - 1, turn=1)
    assert GAME.outcome(position) is None
    after = played("e7", position=position)
    assert after.ply == limit
    assert GAME.outcome(after) == Outcome((0.0, 0.0), "move limit")
    assert not GAME.legal(after).any()


def test_a_goal_reached_on_the_last_ply_is_a_win() -> None:
    position = at("a5", "e2", turn=1)._replace(ply=GAME.info.max_plies - 1)
    assert GAME.outcome(played("e1", position=position)) == BLACK_WINS
