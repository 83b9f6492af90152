"""Solved boards: the exact solver of Connect Four, and matches on a board whose openings have an owner."""

import random
from functools import cache

import pytest

import ludex
from benchmarks.connect_four_solver import DRAWN, LOST, WON, Solver
from benchmarks.solved import ConnectFourJudge, QuoridorJudge, Tally, opened, played
from ludex.core.decision import Decision
from ludex.core.game import Mask
from ludex.core.limit import Limit
from ludex.core.seeding import Rng
from ludex.games.quoridor.agents.solver import Solution, solve
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
    judge, perfect, other = QuoridorJudge(game), Tally(), Tally()
    agents = [Perfect(solution), ludex.make_agent(game, "random")]
    draws = random.Random(1)
    for _ in range(20):
        opening = opened(game, 2, draws)
        played(game, judge, opening, agents, [perfect, other])
        played(game, judge, opening, agents[::-1], [other, perfect])
    assert perfect.own_games == perfect.own_won > 0
    assert perfect.kept == perfect.critical > 0
    assert perfect.other_games == other.own_games
    assert perfect.other_won > 0
    assert other.kept < other.critical


def test_three_in_a_row_with_two_open_ends_are_judged_won_by_either_end() -> None:
    """Connect Four after 1. d1 d2 2. c1 c2 3. e1: the second player to move has lost, whatever it plays."""
    b1, c1, d1, e1, c2, d2 = (1 << cell for cell in (1, 2, 3, 4, 9, 10))
    first, second = d1 | c1 | e1, d2 | c2
    judge = ConnectFourJudge(ludex.make("tictactoe"))
    to_lose = (1, first, second)
    assert judge.value(to_lose) == -1
    assert judge.keeping(to_lose) == [0, 1, 2, 3, 4, 5, 6]
    to_win = (0, first, second | b1)
    assert judge.value(to_win) == 1
    assert 5 in judge.keeping(to_win)
    assert len(judge.keeping(to_win)) < 7


def minimax(solver: Solver, mover: int, stones: int) -> int:
    """The value by the definition."""

    @cache
    def value(own: int, both: int) -> int:
        columns = solver.playable(both)
        if not columns:
            return DRAWN
        if any(solver.wins(own, both, col) for col in columns):
            return WON
        return max(-value(own ^ both, both | solver.cell(both, col)) for col in columns)

    return value(mover, stones)


@pytest.mark.full
@pytest.mark.parametrize(("cols", "rows", "least"), [(4, 4, 6), (5, 4, 8), (7, 6, 31)])
def test_values_are_those_of_minimax(cols: int, rows: int, least: int) -> None:
    solver, rng = Solver(cols, rows, bits=16), random.Random(5)
    values: list[int] = []
    while len(values) < 25:
        mover = stones = 0
        for _ in range(least):
            columns = [col for col in solver.playable(stones) if not solver.wins(mover, stones, col)]
            if not columns:
                break
            mover, stones = mover ^ stones, stones | solver.cell(stones, rng.choice(columns))
        else:
            expected = minimax(solver, mover, stones)
            assert solver.value(mover, stones) == expected
            columns_that_keep = [col for col in solver.playable(stones) if solver.keeps(mover, stones, expected, col)]
            assert columns_that_keep
            values.append(expected)
    assert {WON, LOST} <= set(values)
