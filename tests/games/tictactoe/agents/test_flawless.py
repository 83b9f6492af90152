"""The top of the ladder plays the learned ranking, greedily, and the solver where none ships."""

import pytest

from ludex.core import registry
from ludex.core.match import play
from ludex.games.tictactoe.agents.ranking import RankingAgent
from ludex.games.tictactoe.agents.solver import PerfectAgent


def test_the_top_level_is_the_ranking() -> None:
    game = registry.make("tictactoe")
    *_, top = registry.levels(game)
    assert isinstance(registry.make_agent(game, top), RankingAgent)
    matches = [
        play(game, [registry.make_agent(game, name)] * 2, seed=seed) for name, seed in ((top, 1), ("ranking", 2))
    ]
    first, second = ([move.text for move in match.moves] for match in matches)
    assert first == second


@pytest.mark.parametrize("preset", ["3x4x3", "4x4x4"])
def test_other_boards_are_topped_by_the_solver(preset: str) -> None:
    game = registry.make("tictactoe", preset)
    *_, top = registry.levels(game)
    assert isinstance(registry.make_agent(game, top), PerfectAgent)
