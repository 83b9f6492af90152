"""The engine's way to write a move: back and forth, and the same position after it."""

import random

import numpy as np
import pytest

from ludex.core.game import legal_actions
from ludex.games.quoridor.agents.master.moves import MOVE_CODES, action_of, code_of, make
from ludex.games.quoridor.rules.position import STATE_WORDS, words
from tests.games.quoridor.support import TRAP, game_of, live_steps


@pytest.mark.parametrize("size", range(3, 12))
def test_every_action_has_a_code_of_its_own_and_comes_back_from_it(size: int) -> None:
    actions = range(game_of(size).info.num_actions)
    written = [code_of(action, size) for action in actions]
    assert len(set(written)) == len(actions)
    assert all(0 <= code < MOVE_CODES for code in written)
    assert [action_of(code, size) for code in written] == list(actions)


@pytest.mark.parametrize(("size", "walls"), [(3, 2), (5, 4), (9, 10), (11, 12)])
def test_a_move_leads_where_the_rules_say(size: int, walls: int) -> None:
    rng = random.Random(34)
    after = np.empty(STATE_WORDS, np.uint64)
    for game, position, _ in live_steps(60, size, walls, seed=34):
        for action in rng.choices(legal_actions(game.legal(position)), k=3):
            make(words(position, size), code_of(action, size), size, after)
            assert after.tolist() == words(game.apply(position, action, TRAP), size).tolist()
