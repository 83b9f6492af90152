"""The rules of Hex, with the swap, against OpenSpiel."""

import pyspiel
import pytest

import ludex
from ludex.core.game import legal_actions
from ludex.core.seeding import Rng, generator

GAMES = 350


@pytest.mark.parametrize("size", [11, 7, 5])
def test_it_agrees_with_open_spiel(size: int) -> None:
    game = ludex.make("hex", f"{size}x{size}")
    other = pyspiel.load_game(f"hex(board_size={size},swap=True)")
    swaps = 0
    for number in range(GAMES):
        rng, state, spiel = generator(5, number), game.initial(Rng(0)), other.new_initial_state()
        # Swaps are rare among random moves, so every other game has one.
        while (outcome := game.outcome(state)) is None:
            legal = legal_actions(game.legal(state))
            assert legal == spiel.legal_actions()
            assert game.to_move(state) == spiel.current_player()
            swap = legal[-1] == size * size and number % 2 == 0
            swaps += swap
            action = legal[-1] if swap else rng.choice(legal)
            state = game.apply(state, action, rng)
            spiel.apply_action(action)
        assert spiel.is_terminal()
        assert spiel.returns() == [*outcome.scores]
    assert swaps == GAMES // 2
