"""The rules of Connect Four, which the tutorial writes, against OpenSpiel."""

import pyspiel
import pytest

import ludex
from ludex.core.game import legal_actions
from ludex.core.seeding import Rng, generator

GAMES = 500


@pytest.mark.parametrize(("cols", "rows"), [(7, 6), (6, 5)])
def test_it_agrees_with_open_spiel(cols: int, rows: int) -> None:
    game = ludex.make("connect_four", f"{cols}x{rows}")
    other = pyspiel.load_game(f"connect_four(columns={cols},rows={rows})")
    for number in range(GAMES):
        rng, state, spiel = generator(8, number), game.initial(Rng(0)), other.new_initial_state()
        while (outcome := game.outcome(state)) is None:
            legal = legal_actions(game.legal(state))
            assert legal == spiel.legal_actions()
            assert game.to_move(state) == spiel.current_player()
            action = rng.choice(legal)
            state = game.apply(state, action, rng)
            spiel.apply_action(action)
        assert spiel.is_terminal()
        assert spiel.returns() == [*outcome.scores]
