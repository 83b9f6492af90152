"""A match on a solved board: who owns an opening, and which moves keep it."""

import random

import pytest

import ludex
from benchmarks.quoridor_solved import Tally, opened, played
from ludex.core.decision import Decision
from ludex.core.game import Mask
from ludex.core.limit import Limit
from ludex.core.seeding import Rng
from ludex.games.quoridor.agents.solver.solve import Solution, solve
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.rules.position import Position


class Perfect:
    """Plays by the solution."""

    def __init__(self, solution: Solution) -> None:
        self._solution = solution

    def decide(self, view: Position, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        return Decision(self._solution.best(view)[0])


@pytest.fixture(scope="module")
def board() -> tuple[Quoridor, Solution]:
    game = ludex.make("quoridor", "3x3")
    assert isinstance(game, Quoridor)
    return game, solve(game, game.initial(Rng(0)))


def test_a_perfect_player_wins_its_own_openings_and_keeps_every_win(board: tuple[Quoridor, Solution]) -> None:
    game, solution = board
    perfect, other = Tally(), Tally()
    agents = [Perfect(solution), ludex.make_agent(game, "random")]
    draws = random.Random(1)
    for _ in range(20):
        opening = opened(game, 2, draws)
        played(game, solution, opening, agents, [perfect, other])
        played(game, solution, opening, agents[::-1], [other, perfect])
    assert perfect.own_games == perfect.own_won > 0
    assert perfect.kept == perfect.critical > 0
    assert perfect.other_games == other.own_games
    assert perfect.other_won > 0
    assert other.kept < other.critical
