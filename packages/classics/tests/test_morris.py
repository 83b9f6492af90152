"""The rules of Nine Men's Morris against OpenSpiel, which numbers the points as they are numbered here."""

import pyspiel
import pytest
from ludex_classics.morris.rules import MOVE, POINTS, TAKE, TAKING

import ludex
from ludex.core.errors import IllegalAction
from ludex.core.game import legal_actions
from ludex.core.match import Match
from ludex.core.record import play_line
from ludex.core.rendering import plain_picture
from ludex.core.seeding import Rng, generator

GAMES = 1_000


def spiel_action(action: int) -> int:
    """OpenSpiel names a taken man by its point, and a move by both points, also from a point to itself."""
    if action < MOVE:
        return action % TAKE
    start, end = divmod(action - MOVE, POINTS - 1)
    return POINTS + start * POINTS + end + (end >= start)


def test_it_agrees_with_open_spiel() -> None:
    game, other = ludex.make("morris"), pyspiel.load_game("nine_mens_morris")
    endings = {"nothing left to play": 0, "no mill for long": 0}
    for number in range(GAMES):
        rng, state, spiel = generator(3, number), game.initial(Rng(0)), other.new_initial_state()
        while (outcome := game.outcome(state)) is None and not spiel.is_terminal():
            legal = legal_actions(game.legal(state))
            assert sorted(map(spiel_action, legal)) == spiel.legal_actions()
            assert game.to_move(state) == spiel.current_player()
            # Men are placed at random; afterwards mills are closed where they can be, so that games come to an end.
            action = rng.choice(legal)
            if action >= MOVE:
                after = [move for move in legal if game.apply(state, move, Rng(0))[TAKING]]
                action = rng.choice(after or legal)
            state = game.apply(state, action, rng)
            spiel.apply_action(spiel_action(action))
        if outcome is not None:
            endings[outcome.reason] += 1
            if outcome.reason == "nothing left to play":
                assert spiel.returns() == [*outcome.scores]
    assert endings["nothing left to play"] > GAMES // 4


def test_a_move_and_its_capture_are_typed_as_one() -> None:
    match = Match(ludex.make("morris"), seed=0)
    play_line(match, "a1 b2 d1 f4")
    with pytest.raises(IllegalAction, match="a4xb2 cannot be played: xb2 is not legal after a4"):
        match.play_text("a4xb2", player=0)
    assert match.ply == 4
    match.play_text("g1xb2", player=0)
    assert [(move.player, move.text) for move in match.moves[4:]] == [(0, "g1"), (0, "xb2")]


def test_the_lines_of_the_board_are_drawn_in_the_terminal() -> None:
    match = Match(ludex.make("morris"), seed=0)
    play_line(match, "a1 b2")
    assert plain_picture(match.game, match.state, 0).splitlines()[:7] == [
        " 7 .-----.-----.",
        " 6 | .---.---. |",
        " 5 | | .-.-. | |",
        " 4 .-.-.   .-.-.",
        " 3 | | .-.-. | |",
        " 2 | o---.---. |",
        " 1 x-----.-----.",
    ]
