"""The original document's evaluation: each of its five terms, and its ends."""

from itertools import pairwise

import numpy as np
import pytest

from ludex.games.quoridor.agents.minimax import (
    BLOCKED_OPPONENT,
    BLOCKED_SELF,
    INT_MAX,
    INT_MIN,
    evaluate,
    nearness,
    straight,
)
from ludex.games.quoridor.options import SEED, EvalWeights
from ludex.games.quoridor.rules.paths import MOST_STEPS, UNREACHABLE, distance, shortest_path
from tests.games.quoridor.support import game_of, live_steps, row_of, state_at
from tests.reference import quoridor as reference
from tests.reference.quoridor import State

BOARDS = [(3, 2, 200), (4, 3, 200), (5, 4, 400), (7, 8, 300), (9, 10, 400), (9, 30, 200), (11, 12, 200), (11, 50, 150)]


def evaluated(state: State, player: int, weights: EvalWeights = SEED) -> tuple[int, EvalWeights]:
    terms = np.zeros(5, np.int64)
    value = evaluate(
        row_of(state), player, np.array(weights, np.int64), state.size, game_of(state.size).geometry, terms
    )
    return int(value), EvalWeights(*map(int, terms))


@pytest.mark.slow
@pytest.mark.parametrize(("size", "walls", "count"), BOARDS)
def test_each_term_is_the_references(size: int, walls: int, count: int) -> None:
    for _, _, state in live_steps(count, size, walls, seed=7):
        for player in (0, 1):
            value, terms = evaluated(state, player)
            assert terms._asdict() == reference.terms(state, player)
            assert value == sum(terms) == reference.evaluate(state, player)


def test_each_weight_scales_its_own_term() -> None:
    for _, _, state in live_steps(40, 5, 4, seed=7):
        _, before = evaluated(state, 0)
        for field, weight in zip(EvalWeights._fields, SEED, strict=True):
            value, terms = evaluated(state, 0, SEED._replace(**{field: 4 * weight}))
            assert terms == before._replace(**{field: 4 * getattr(before, field)})
            assert value == sum(terms)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "walls", "count"), BOARDS)
def test_distances_and_paths_are_the_references(size: int, walls: int, count: int) -> None:
    path = np.empty(MOST_STEPS, np.int64)
    for game, _, state in live_steps(count, size, walls, seed=7):
        row, graph = row_of(state), reference.ways(size, state.walls)
        for player in (0, 1):
            steps = distance(row, player, size, game.geometry)
            assert steps == reference.distance(state, player)
            assert shortest_path(row, player, size, game.geometry, path) == steps
            squares = [(int(square) % size, int(square) // size) for square in path[: steps + 1]]
            assert squares[0] == state.pawns[player]
            assert squares[-1] in reference.goal(size, player)
            assert all(there in graph[here] for here, there in pairwise(squares))
            assert straight(row, player, size) == reference.straight(state, player)


@pytest.mark.parametrize(("steps", "points"), [(1, 135), (2, 60), (3, 15), (4, 0), (5, 0), (8, 0), (40, 0)])
def test_nearness_grows_faster_and_faster_within_three_steps(steps: int, points: int) -> None:
    assert 15 * nearness(steps) == points
    if steps <= 3:
        assert points == 15 * (4 - steps) ** 2
    if steps < 9:
        far = state_at(f"a{9 - steps}", "e9")
        assert evaluated(far, 0)[1].endgame == points
        assert evaluated(far, 1)[1].endgame == -points


@pytest.mark.parametrize(
    ("state", "terms"),
    [
        pytest.param(state_at("e3", "e9"), EvalWeights(20, 0, 0, 3, 0), id="two steps ahead"),
        pytest.param(state_at("e5", "a5", left=(2, 7)), EvalWeights(0, 0, -10, 3, 0), id="fewer walls"),
        pytest.param(state_at("e3", "a7", "e3h"), EvalWeights(-10, 0, 0, 0, -5), id="a wall before white"),
        pytest.param(state_at("a3", "e7", "e6h"), EvalWeights(10, 0, 0, 0, 5), id="a wall before black"),
        pytest.param(state_at("e5", "e6"), EvalWeights(10, 0, 0, 0, 0), id="neighbours are in each other's way"),
        pytest.param(state_at("e8", "e7"), EvalWeights(50, 135, 0, 0, 0), id="a step from the goal"),
        pytest.param(state_at("e7", "e4", "a5h"), EvalWeights(10, 45, 0, 0, 0), id="both near"),
    ],
)
def test_terms_by_hand(state: State, terms: EvalWeights) -> None:
    assert evaluated(state, 0) == (sum(terms), terms)


def four_neighbours(state: State, player: int) -> int:
    """The original document's mobility to the letter: free squares a step away."""
    return len(reference.ways(state.size, state.walls)[state.pawns[player]] - {state.pawns[1 - player]})


def test_mobility_is_the_documents_four_neighbours_and_the_jumps_over_a_neighbour() -> None:
    met = 0
    for _, _, state in live_steps(300, 5, 4, seed=7):
        apart = state.pawns[1] not in reference.ways(state.size, state.walls)[state.pawns[0]]
        met += not apart
        literal = 3 * (four_neighbours(state, 0) - four_neighbours(state, 1))
        assert not apart or evaluated(state, 0)[1].mobility == literal
        for player in (0, 1):
            jumps = reference.mobility(state, player) - four_neighbours(state, player)
            assert jumps == 0 if apart else 0 <= jumps <= 2
    assert met > 0
    barred = state_at("e5", "e6", "e6h")
    assert [four_neighbours(barred, player) for player in (0, 1)] == [3, 2]
    assert evaluated(barred, 0)[1].mobility == 3 * (5 - 3), "white jumps aside, black straight"


def test_a_win_and_a_loss() -> None:
    assert (INT_MAX, INT_MIN) == (2**31 - 1, -(2**31))
    for state, winner in [(state_at("e9", "a5"), 0), (state_at("a5", "e1"), 1)]:
        assert evaluated(state, winner)[0] == INT_MAX == reference.evaluate(state, winner)
        assert evaluated(state, 1 - winner)[0] == INT_MIN == reference.evaluate(state, 1 - winner)


@pytest.mark.parametrize(
    ("state", "cut_off"),
    [(state_at("a1", "e9", "a1h b1v"), 0), (state_at("e1", "i9", "h8h g8v"), 1)],
)
def test_a_player_without_a_path(state: State, cut_off: int) -> None:
    assert (BLOCKED_OPPONENT, BLOCKED_SELF) == (INT_MAX - 1, INT_MIN + 1)
    assert distance(row_of(state), cut_off, 9, game_of().geometry) == UNREACHABLE
    assert shortest_path(row_of(state), cut_off, 9, game_of().geometry, np.empty(MOST_STEPS, np.int64)) == UNREACHABLE
    assert evaluated(state, cut_off)[0] == BLOCKED_SELF == reference.evaluate(state, cut_off)
    assert evaluated(state, 1 - cut_off)[0] == BLOCKED_OPPONENT == reference.evaluate(state, 1 - cut_off)
