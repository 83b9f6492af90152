"""Every roll is in the log, in the order in which the ply's generator gave it, and nothing else was rolled."""

import pytest

from ludex.core.seeding import CHANCE, generator
from tests.games.skirmish.rules.engine.support import dice
from tests.games.skirmish.support import random_play, shipped

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("name", "seeds"), [("small", 25), ("default", 2)])
def test_every_roll_is_in_the_events_and_in_order(name: str, seeds: int) -> None:
    game = shipped(name)
    rolled = 0
    for seed in range(seeds):
        for match in random_play(game, seed):
            if match.ply == 0:
                continue
            ply = generator(seed, match.ply, CHANCE)
            game.apply(match.positions[-2], match.moves[-1].action, ply)
            mine = generator(seed, match.ply, CHANCE)
            rolls = dice(match.state)
            assert rolls == [mine.below(6) + 1 for _ in rolls]
            # The generator stands where these rolls leave it: no roll is missing from the log.
            assert ply.state == mine.state
            rolled += len(rolls)
    assert rolled > 500
