"""The rules by examples, and the contract by Ludex's checker."""

from connect_four.agent import Tactical
from connect_four.game import BoardOptions, ConnectFour
from connect_four.spec import SPEC
from connect_four.teaching import scene

import ludex
from ludex.core.conformance import check_agent, check_game, check_scene, check_spec, check_teaching
from ludex.core.match import Match
from ludex.core.options import NoOptions
from ludex.core.services import Services
from ludex.kit.game import Position

GAME = ConnectFour(BoardOptions(cols=7, rows=6), "7x6")


def played(moves: str) -> Match[Position, Position]:
    match = Match(GAME, seed=1)
    for text in moves:
        match.play_text(text)
    return match


def test_fours_win_in_every_direction() -> None:
    for moves in ("abababa", "aabbccd", "abbccdcddgd", "dccbbabaaga"):
        outcome = played(moves).outcome
        assert outcome is not None, moves
        assert (outcome.scores, outcome.reason) == ((1.0, -1.0), "four in a row")


def test_a_full_column_is_closed() -> None:
    assert played("aaaaaa").legal().tolist() == [False] + 6 * [True]


def test_the_winning_line_is_drawn() -> None:
    match = played("abababa")
    board = scene(GAME, match.state, match.legal()).board
    assert [[board.cells[cell].name for cell in line.cells] for line in board.lines] == [["a1", "a2", "a3", "a4"]]


def test_it_wins_and_blocks() -> None:
    for moves in ("ababab", "ababa"):
        match = played(moves)
        agent = Tactical(GAME, NoOptions(), Services(), "tactical")
        decision = agent.decide(match.state, match.legal(), rng=match.rng(1), limit=ludex.Limit())
        assert GAME.action_text(match.state, decision.action) == "a"


def test_it_keeps_the_contract() -> None:
    check_spec(SPEC)
    game = ludex.make("connect_four")
    check_game(game, plays=2)
    check_scene(SPEC, game)
    check_teaching(SPEC)
    check_agent(game, lambda: ludex.make_agent(game, "tactical"), plays=1)
