"""Random games hold every promise, and broken ones are found."""

import pytest

from ludex.games.skirmish.tools.soak import (
    play_random_games,
)
from tests.games.skirmish.support import shipped


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["small", "people"])
def test_games_end_and_replay(preset: str) -> None:
    result = play_random_games(shipped(preset), 3, seed=7)
    assert result.games == 3
    assert result.deadlocks == 0
    assert sum(result.outcomes.values()) == 3


def test_a_cramped_deployment_deadlocks_and_is_counted() -> None:
    result = play_random_games(shipped("cramped"), 5, seed=1)
    assert (result.games, result.deadlocks) == (5, 5)
