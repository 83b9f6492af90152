"""Races without walls equal the exact solver's, and a pawn that is called unstoppable is."""

import random
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.core.errors import Unsupported
from ludex.games.quoridor.agents.master.race import MOST_RACERS, UNDECIDED, race_index, solve_race, unstoppable
from ludex.games.quoridor.agents.solver import Solution, Verdict, solve
from ludex.games.quoridor.rules.position import LEFT, PAWN, TURN, Position
from tests.games.quoridor.agents.master.support import field_of, square_of, walled_states
from tests.games.quoridor.support import game_of, position_of, row_of, state_at
from tests.reference import quoridor as reference
from tests.reference.quoridor import State
from tests.sizes import fewer

pytestmark = pytest.mark.slow


def raced(state: State) -> NDArray[np.int16]:
    table = np.empty(MOST_RACERS, np.int16)
    solve_race(row_of(state), state.size, table, np.empty(MOST_RACERS, np.int32), np.empty(MOST_RACERS, np.int8))
    return table


def pairs(size: int) -> Iterator[tuple[int, int]]:
    """Every two squares on which the game is live."""
    for white in range(size * (size - 1)):
        for black in range(size, size * size):
            if white != black:
                yield white, black


def verdict_of(solution: Solution, position: Position) -> Verdict | None:
    """None where a pawn is cut off."""
    try:
        return solution.value(position)
    except Unsupported:
        return None


def race_verdict(plies: int, mover: int) -> Verdict:
    """A race's number as the verdict of the solver."""
    if plies == 0:
        return Verdict(None, None)
    return Verdict(mover if plies > 0 else 1 - mover, abs(plies))


def assert_races_are_exact(state: State, turns: tuple[int, ...]) -> int:
    """Compare every pair of squares; returns how many races neither player can force."""
    position, table = position_of(state), raced(state)
    solution = solve(game_of(state.size), position)
    draws = 0
    for turn in turns:
        for pawns in pairs(state.size):
            verdict = verdict_of(solution, position._replace(pawns=pawns, turn=turn))
            if verdict is not None:
                plies = int(table[race_index(turn, pawns[turn], pawns[1 - turn])])
                assert race_verdict(plies, turn) == verdict, (state.walls, pawns, turn)
                draws += plies == 0
    return draws


@pytest.mark.parametrize(("size", "count", "most"), fewer([(3, 30, 4), (4, 40, 8), (5, 150, 14)], 1))
def test_races_are_the_solvers(size: int, count: int, most: int) -> None:
    for state in walled_states(count, size, most, (0, 0), seed=51):
        assert_races_are_exact(state, (0, 1))


@pytest.mark.parametrize(("seed", "most"), [(52, 0), (53, 20)])
def test_races_of_the_large_board_are_the_solvers(seed: int, most: int) -> None:
    for state in walled_states(1, 9, most, (0, 0), seed):
        assert_races_are_exact(state, (state.turn,))


def test_a_race_that_neither_player_can_force_is_a_draw() -> None:
    state = state_at("d3", "e3", "a1v b1v c1v a2h d2h b3h b4h c4v d4h", left=(0, 0), size=5)
    assert assert_races_are_exact(state, (0, 1)) > 0


# Unstoppable pawns


def assert_unstoppable_is_sound(state: State, solution: Solution, rng: random.Random, count: int) -> int:
    """Check both pawns from random pairs of squares; returns how often one is called unstoppable."""
    size, row, said = state.size, row_of(state), 0
    fields = [field_of(state, player) for player in (0, 1)]
    graph = [reference.goal_distances(size, state.walls, player) for player in (0, 1)]
    everywhere = [pawns for pawns in pairs(size) if all(square_of(pawns[p], size) in graph[p] for p in (0, 1))]
    for pawns in rng.choices(everywhere, k=count):
        for turn in (0, 1):
            row[PAWN], row[PAWN + 1], row[TURN] = *pawns, turn
            for player in (0, 1):
                if row[LEFT + 1 - player] != 0:
                    continue
                theirs = int(fields[1 - player][pawns[1 - player]])
                plies = unstoppable(row, player, size, fields[player], theirs)
                if plies == UNDECIDED:
                    continue
                said += 1
                winner, truth = solution.value(position_of(state)._replace(pawns=pawns, turn=turn))
                assert winner == player, (state.walls, state.left, pawns, turn)
                assert truth is not None
                assert truth <= plies
    return said


@pytest.mark.parametrize("left", [(0, 0), (1, 0), (0, 1), (2, 0), (0, 2)])
@pytest.mark.parametrize(("size", "most"), [(4, 5), (5, 9)])
def test_an_unstoppable_pawn_wins_within_the_plies_it_is_given(left: tuple[int, int], size: int, most: int) -> None:
    rng, count = random.Random(54), 0
    for state in walled_states(10, size, most, left, seed=54):
        solution = solve(game_of(size), position_of(state))
        count += assert_unstoppable_is_sound(state, solution, rng, 200)
    assert count > 500


def test_an_unstoppable_pawn_of_the_large_board_wins() -> None:
    rng = random.Random(55)
    for state in walled_states(2, 9, 20, (0, 0), seed=55):
        assert assert_unstoppable_is_sound(state, solve(game_of(), position_of(state)), rng, 1000) > 500


@pytest.mark.parametrize(
    ("state", "plies"),
    [
        pytest.param(state_at("a7", "i7", left=(0, 0)), 3, id="two steps, on the move"),
        pytest.param(state_at("a7", "i7", turn=1, left=(0, 0)), 4, id="two steps, the other on the move"),
        pytest.param(state_at("a7", "i7", left=(5, 0)), 3, id="own walls do not matter"),
        pytest.param(state_at("a7", "i3", turn=1, left=(0, 0)), UNDECIDED, id="too late"),
        pytest.param(state_at("e7", "e8", left=(0, 0)), UNDECIDED, id="the other stands in the way"),
    ],
)
def test_what_is_called_unstoppable(state: State, plies: int) -> None:
    theirs = reference.distance(state, 1)
    assert theirs is not None
    assert unstoppable(row_of(state), 0, 9, field_of(state, 0), theirs) == plies
