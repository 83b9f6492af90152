"""The rules of Go against OpenSpiel, which also ends a game as drawn where a position comes back."""

from collections import Counter

import pyspiel
import pytest

import ludex
from ludex.core.game import legal_actions
from ludex.core.seeding import Rng, generator

GAMES = 500


@pytest.mark.parametrize(("size", "komi", "least"), [(9, 7.5, 0), (7, 8.5, 0), (4, 1.0, 10)])
def test_it_agrees_with_open_spiel(size: int, komi: float, least: int) -> None:
    game = ludex.make("go", size=size, komi=komi)
    other = pyspiel.load_game(f"go(board_size={size},komi={komi})")
    reasons: Counter[str] = Counter()
    for number in range(GAMES):
        rng, state, spiel = generator(6, number), game.initial(Rng(0)), other.new_initial_state()
        while (outcome := game.outcome(state)) is None:
            legal = legal_actions(game.legal(state))
            assert legal == spiel.legal_actions()
            assert game.to_move(state) == spiel.current_player()
            # A pass among few moves would end most games early.
            action = rng.choice(legal if number % 10 == 0 else legal[:-1] or legal)
            state = game.apply(state, action, rng)
            spiel.apply_action(action)
        assert spiel.is_terminal()
        assert spiel.returns() == [*outcome.scores]
        reasons[outcome.reason] += 1
    assert reasons["larger area"] > GAMES // 2
    assert min(reasons["position repeated"], reasons["equal areas"]) >= least
