"""The exact solver, and the agent that never loses."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.core import registry
from ludex.core.errors import Unsupported
from ludex.core.match import play
from ludex.games.tictactoe.agents.ranking import RankingAgent
from ludex.games.tictactoe.agents.solver import Exact, PerfectAgent, solver
from tests.games.support import examples
from tests.games.tictactoe.support import SHAPES, THREE, all_grids, choices, game_of, live_grids, position_of, walked
from tests.reference import tictactoe as reference

Shape = tuple[int, int, int]
WHOLE = ((2, 2, 2), (2, 3, 2), (2, 4, 2), (4, 2, 3), (3, 3, 2), (2, 5, 2))
PARTLY = tuple(shape for shape in SHAPES if shape[0] * shape[1] <= 12)


def test_all_5478_positions_have_the_references_value_and_distance() -> None:
    solution = solver(THREE)
    for grid in all_grids():
        assert solution.position(position_of(grid, 3))[:2] == reference.solve(grid, 3)


@pytest.mark.slow
def test_every_move_has_the_references_value_and_distance() -> None:
    solution = solver(THREE)
    for grid in live_grids():
        position = position_of(grid, 3)
        for cell in reference.moves(grid, 3):
            assert solution.move(position, cell)[:2] == reference.solve_move(grid, 3, cell)


@pytest.mark.parametrize("shape", WHOLE, ids=str)
def test_small_boards_are_solved_like_the_reference(shape: Shape) -> None:
    solution = solver(game_of(*shape).board)
    for grid in reference.reachable(*shape):
        assert solution.position(position_of(grid, shape[2]))[:2] == reference.solve(grid, shape[2])


@pytest.mark.slow
@examples(60)
@given(st.sampled_from(PARTLY), choices, choices)
def test_late_positions_of_greater_boards_are_solved_like_the_reference(
    shape: Shape, steps: list[int], more: list[int]
) -> None:
    cells = shape[0] * shape[1]
    game, position, grid = walked(shape, [*steps, *more, *range(cells)][: cells - 6])
    assert solver(game.board).position(position)[:2] == reference.solve(grid, shape[2])


def test_a_sooner_win_and_a_later_loss_score_more() -> None:
    solution = solver(THREE)
    ranked = sorted(
        (solution.position(position_of(grid, 3)) for grid in all_grids()), key=lambda exact: (exact.value, exact.score)
    )
    assert [exact.score for exact in ranked] == sorted(exact.score for exact in ranked)
    assert all(earlier.distance >= later.distance for earlier, later in _neighbours(ranked, 1))
    assert all(earlier.distance <= later.distance for earlier, later in _neighbours(ranked, -1))


def _neighbours(ranked: list[Exact], value: int) -> list[tuple[Exact, Exact]]:
    same = [exact for exact in ranked if exact.value == value]
    return list(pairwise(same))


def test_a_board_of_more_than_16_cells_is_refused() -> None:
    with pytest.raises(Unsupported, match="a board of 18 cells is too large to solve: at most 16"):
        solver(game_of(3, 6, 3).board)


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
