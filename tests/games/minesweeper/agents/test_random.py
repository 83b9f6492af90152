"""The random player."""

from collections import Counter

import pytest

from ludex.core.limit import Limit
from ludex.core.registry import make_agent
from ludex.core.seeding import generator
from tests.games.minesweeper.support import game_and_position, game_of


@pytest.mark.slow
def test_it_reveals_every_hidden_cell_equally_often_and_sets_no_flag() -> None:
    game, state = game_and_position("1*. ... ...")
    agent = make_agent(game, "random")
    found = Counter(
        agent.decide(game.view(state, 0), game.legal(state), rng=generator(seed, 0), limit=Limit()).action
        for seed in range(1600)
    )
    assert set(found) == set(range(1, 9))
    assert all(150 < count < 250 for count in found.values())


def test_with_flags_it_toggles_flags_as_well() -> None:
    game = game_of(3, 3, 1)
    agent = make_agent(game, "random:flags=true")
    state = game.initial(generator(0, 0))
    actions = {
        agent.decide(game.view(state, 0), game.legal(state), rng=generator(seed, 0), limit=Limit()).action
        for seed in range(400)
    }
    assert actions == set(range(18))
