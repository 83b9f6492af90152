"""The rules of Breakthrough against OpenSpiel, whose first player begins at the top."""

import pyspiel
import pytest
from ludex_classics.breakthrough.game import Breakthrough
from ludex_classics.breakthrough.teaching import CAPTURE, coach

import ludex
from ludex.core.game import legal_actions
from ludex.core.perft import perft
from ludex.core.seeding import Rng, generator

GAMES = 500


@pytest.mark.parametrize("size", [8, 6])
def test_it_agrees_with_open_spiel(size: int) -> None:
    game = ludex.make("breakthrough", f"{size}x{size}")
    other = pyspiel.load_game(f"breakthrough(rows={size},columns={size})")
    for number in range(GAMES):
        rng, state, spiel = generator(4, number), game.initial(Rng(0)), other.new_initial_state()
        while (outcome := game.outcome(state)) is None:
            player = spiel.current_player()
            assert game.to_move(state) == player
            by_text = {spiel.action_to_string(player, action)[:4]: action for action in spiel.legal_actions()}
            actions = {
                turned(game.action_text(state, action), size): action for action in legal_actions(game.legal(state))
            }
            assert actions.keys() == by_text.keys()
            text = rng.choice(sorted(actions))
            state = game.apply(state, actions[text], rng)
            spiel.apply_action(by_text[text])
        assert spiel.is_terminal()
        assert spiel.returns() == [*outcome.scores]


def turned(text: str, size: int) -> str:
    """A move with the rows counted from the other side."""
    return "".join(str(size + 1 - int(letter)) if letter.isdigit() else letter for letter in text)


def test_the_number_of_positions() -> None:
    """Those of OpenSpiel's rules, counted once."""
    game = ludex.make("breakthrough")
    assert [perft(game, game.initial(Rng(0)), depth) for depth in range(1, 4)] == [22, 484, 11132]


def test_the_coach_says_the_goal_and_counts_captures() -> None:
    game = ludex.make("breakthrough", "6x6")
    assert isinstance(game, Breakthrough)
    start = game.initial(Rng(0))
    assert coach(game, start, game.legal(start)).text().startswith("Be the first with a man on the far row")
    captures = game.load(CAPTURE)
    assert "one capture is possible" in coach(game, captures, game.legal(captures)).text()
