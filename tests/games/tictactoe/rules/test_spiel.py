"""Move by move beside open_spiel's tic-tac-toe."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
import pytest

from ludex.core.game import legal_actions
from ludex.games.tictactoe.rules.position import Position
from tests.games.tictactoe.support import TrapRng, game_of

GAMES = 400


def random_games(seed: int) -> Iterator[tuple[Position, Any]]:
    """Positions of random games, ours and theirs."""
    ours, theirs = game_of(), pyspiel.load_game("tic_tac_toe")
    choice = random.Random(seed).choice
    for _ in range(GAMES):
        position, state = ours.initial(TrapRng()), theirs.new_initial_state()
        yield position, state
        while not state.is_terminal():
            action = choice(state.legal_actions())
            position = ours.apply(position, action, TrapRng())
            state.apply_action(action)
            yield position, state


def returns(position: Position) -> list[float]:
    outcome = game_of().outcome(position)
    return [0.0, 0.0] if outcome is None else list(outcome.scores)


@pytest.mark.parametrize("seed", range(5))
def test_random_games_agree_with_open_spiel_in_every_position(seed: int) -> None:
    ours = game_of()
    seen = 0
    for position, state in random_games(seed):
        over = ours.outcome(position) is not None
        assert over == state.is_terminal()
        assert legal_actions(ours.legal(position)) == state.legal_actions()
        assert returns(position) == state.returns()
        assert over or ours.to_move(position) == state.current_player()
        seen += 1
    assert seen > 3000


@pytest.mark.slow
def test_random_games_look_as_open_spiel_observes_them() -> None:
    ours = game_of()
    for position, state in random_games(9):
        _, o_plane, x_plane = np.array(state.observation_tensor(0)).reshape(3, 3, 3)
        assert np.array_equal(ours.observe(position)["planes"], [x_plane, o_plane])
