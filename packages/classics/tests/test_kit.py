"""What the kit makes of a game with edges and extra turns."""

import numpy as np
import pytest
from ludex_classics.boxes.game import BoardOptions, Boxes

from ludex.core.errors import BadPosition, IllegalAction
from ludex.core.game import legal_actions
from ludex.core.match import Match
from ludex.kit.compiled import compiled
from ludex.kit.game import Position
from ludex.kit.screen import draw, scene
from ludex.web.boards import board_title

GAME = Boxes(BoardOptions(size=2), "2x2")


def played(texts: str) -> Match[Position, Position]:
    match = Match(GAME, seed=0)
    for text in texts.split():
        match.play_text(text)
    return match


def test_a_board_of_squares_has_eight_symmetries() -> None:
    symmetries = compiled(GAME).symmetries
    assert symmetries is not None
    assert len(symmetries.actions) == 8


def test_who_closes_a_box_has_another_turn() -> None:
    match = played("a1n b2s a1w b2e b1w")
    assert GAME.to_move(match.state) == 1
    match.play_text("a2n")
    assert GAME.to_move(match.state) == 1
    assert [*GAME.pieces(match.state)][:4] == [-1, 0, 0, 0]


def test_edges_are_drawn_and_chosen() -> None:
    match = played("a1n b1w")
    board = scene(GAME, match.state, match.legal()).board
    drawn = {edge.name: edge.colour for edge in board.edges if edge.colour is not None}
    assert drawn == {"a1n": "p1", "b1w": "p2"}
    moves = scene(GAME, match.state, match.legal()).moves
    assert [board.edges[move.edge].name for move in moves if move.edge is not None] == [move.text for move in moves]
    below = [line.strip() for line in draw(GAME, match.state, None).splitlines()[-3:]]
    assert below == ["a b", "x Blue   o Orange", "Boxes: Blue 0, Orange 0"]


def test_nothing_is_played_once_the_game_is_over() -> None:
    match = played("")
    while match.outcome is None:
        match.play(legal_actions(match.legal())[0])
    with pytest.raises(IllegalAction, match="the game is over"):
        GAME.apply(match.state, 0, match.rng(0))


def test_positions_are_values() -> None:
    first, second = played("a1n").state, played("a1n").state
    assert first == second
    assert hash(first) == hash(second)
    assert first != played("").state
    first.vector()[:] = 9
    assert first == second
    data = GAME.dump(first)
    assert isinstance(data, dict)
    with pytest.raises(BadPosition, match="'sites' must have 16 numbers, found 1"):
        GAME.load({**data, "sites": [0]})
    with pytest.raises(BadPosition, match="its four edges are drawn"):
        GAME.load({**data, "sites": [1, *[0] * 15]})


def test_the_planes_are_the_movers_then_the_others_then_the_features() -> None:
    match = played("a1n")
    board = GAME.observe(match.state)["board"]
    assert board.shape == (4, 5, 5)
    assert np.argwhere(board[0]).tolist() == []
    assert np.argwhere(board[1]).tolist() == [[0, 1]]
    assert [board[2].sum(), board[3].sum()] == [16, 1]


def test_people_read_the_size_of_a_board_with_its_sign() -> None:
    assert board_title("hex", "5x5")["fr"] == "5×5"
    assert board_title("morris", "classic")["en"] == "24 points, 9 men each"
