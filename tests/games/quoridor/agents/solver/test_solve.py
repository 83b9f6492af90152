"""The exact solver: known results, every value of small boards beside the reference, and best play to the end."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from ludex.core.errors import Unsupported
from ludex.core.game import legal_actions
from ludex.games.quoridor.agents.retrograde import (
    MOST_PLIES,
    per_configuration,
    solve_range,
)
from ludex.games.quoridor.agents.solver import (
    Solution,
    Verdict,
    arrangements,
    count_configurations,
    count_own,
    enumerate_configurations,
    solve,
)
from ludex.games.quoridor.rules.movegen import free_slots
from ludex.games.quoridor.rules.position import LEFT, Position, starting, words
from tests.games.quoridor.agents.master.support import solution_of, walled
from tests.games.quoridor.support import at, game_of, live_steps, played, position_of, scattered, state_at
from tests.games.support import TRAP
from tests.reference import quoridor as reference
from tests.reference import quoridor_solution as slow
from tests.reference.quoridor import State
from tests.sizes import fewer, sampled

# Known results


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "walls", "plies"),
    [(3, 0, 4), (3, 1, 8), (3, 2, 12), (3, 3, 12), (3, 4, 12), (5, 0, 8), (5, 1, 12), (5, 2, 18)],
)
def test_small_odd_boards_are_won_by_the_second_player(size: int, walls: int, plies: int) -> None:
    assert solution_of(size, walls).value(starting(size, walls)) == Verdict(1, plies)


def test_the_first_player_wins_a_race_in_which_pawns_do_not_meet() -> None:
    assert solution_of(4, 0).value(starting(4, 0)) == Verdict(0, 5)
    assert solution_of(5, 0).value(at("a3", "e3", left=(0, 0), size=5)) == Verdict(0, 3)


# Beside the reference


def assert_equal_to_the_reference(solution: Solution, values: dict[State, slow.Value]) -> None:
    for state, value in values.items():
        assert tuple(solution.value(position_of(state))) == tuple(value), state


@pytest.mark.slow
@pytest.mark.parametrize("walls", range(5))
def test_every_position_of_3x3_has_the_references_value(walls: int) -> None:
    values = slow.solve(slow.all_states(3, walls))
    assert reference.start(3, walls) in values
    assert_equal_to_the_reference(solution_of(3, walls), values)


def crowded(rng: random.Random, size: int, count: int, left: tuple[int, int]) -> State:
    """A position with this many random walls, in which neither player is cut off."""
    while True:
        walls = walled(rng, size, count)
        start = reference.start(size, 0)._replace(walls=walls, left=left, turn=rng.randrange(2))
        state = scattered(rng, start)
        if all(reference.distance(state, player) is not None for player in (0, 1)):
            return state


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "count", "left"),
    [(4, 2, (1, 0)), (4, 4, (0, 1)), (4, 5, (1, 1)), (5, 2, (0, 0)), (5, 7, (1, 0)), (5, 9, (1, 1)), (6, 10, (0, 0))],
)
@pytest.mark.parametrize("seeds", sampled(1, 2))
def test_samples_of_larger_boards_have_the_references_value(
    size: int, count: int, left: tuple[int, int], seeds: int
) -> None:
    for seed in range(seeds):
        state = crowded(random.Random(seed), size, count, left)
        game = game_of(size, 10)
        assert_equal_to_the_reference(solve(game, position_of(state)), slow.solve([state]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("state", "best"),
    [
        pytest.param(state_at("c1", "c4", "a1h c1h c3h b4h a3v b3v d3v", left=(0, 1), size=5), {"d1"}, id="steps"),
        pytest.param(state_at("d2", "e3", "a1h a2h b1v b3h d1h d3h d4h", left=(1, 0), size=5), {"c1v"}, id="a wall"),
    ],
)
def test_endless_play_is_a_draw(state: State, best: set[str]) -> None:
    game, position = game_of(5, 4), position_of(state)
    solution = solve(game, position)
    assert solution.value(position) == Verdict(None, None)
    assert {game.action_text(position, action) for action in solution.best(position)} == best
    assert_equal_to_the_reference(solution, slow.solve([state]))


# By the contract


def after_each_move(position: Position, size: int, walls: int) -> dict[int, Verdict]:
    game, solution = game_of(size, walls), solution_of(size, walls)
    actions = legal_actions(game.legal(position))
    return {action: solution.value(game.apply(position, action, TRAP)) for action in actions}


def worth(verdict: Verdict, player: int) -> float:
    """The greater, the better for the player: soon won, late won, drawn, late lost, soon lost."""
    if verdict.plies is None:
        return 0
    return (1 if verdict.winner == player else -1) / (1 + verdict.plies)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "walls", "count"), fewer([(3, 2, 200), (4, 2, 200), (5, 1, 200), (5, 2, 300)], 2))
def test_a_value_is_that_of_the_best_move_and_the_best_moves_are_all_that_have_it(
    size: int, walls: int, count: int
) -> None:
    solution = solution_of(size, walls)
    for _, position, _ in live_steps(count, size, walls, seed=21):
        values = after_each_move(position, size, walls)
        best = max(worth(verdict, position.turn) for verdict in values.values())
        winner, plies = next(verdict for verdict in values.values() if worth(verdict, position.turn) == best)
        assert solution.value(position) == Verdict(winner, None if plies is None else plies + 1)
        keep = [action for action, verdict in values.items() if worth(verdict, position.turn) == best]
        assert solution.best(position) == keep


@pytest.mark.parametrize(("size", "walls"), [(3, 4), (5, 1), (5, 2)])
def test_best_play_ends_as_predicted(size: int, walls: int) -> None:
    game, solution, rng = game_of(size, walls), solution_of(size, walls), random.Random(1)
    position = game.initial(TRAP)
    winner, plies = solution.value(position)
    assert plies is not None
    for ply in range(plies):
        assert game.outcome(position) is None
        assert solution.value(position) == Verdict(winner, plies - ply)
        position = game.apply(position, rng.choice(solution.best(position)), TRAP)
    outcome = game.outcome(position)
    assert outcome is not None
    assert outcome.scores == ((1.0, -1.0) if winner == 0 else (-1.0, 1.0))
    assert (solution.value(position), solution.best(position)) == (Verdict(winner, 0), [])


def test_history_does_not_count() -> None:
    game, solution = game_of(3, 2), solution_of(3, 2)
    repeated = played("a1 a3 b1 b3 a1 a3 b1 b3", game)
    assert game.outcome(repeated) is not None
    assert solution.value(repeated) == solution.value(game.initial(TRAP))


# A part of a board


@pytest.mark.slow
@pytest.mark.parametrize("games", sampled(40, 100))
def test_what_follows_a_position_has_the_values_of_the_whole_board(games: int) -> None:
    game, whole = game_of(5, 2), solution_of(5, 2)
    position = played("c2 c4 b2h", game)
    part = solve(game, position)
    assert part.configurations < whole.configurations / 2
    rng = random.Random(2)
    for _ in range(games):
        follower = position
        while game.outcome(follower) is None:
            assert part.value(follower) == whole.value(follower)
            follower = game.apply(follower, rng.choice(legal_actions(game.legal(follower))), TRAP)
        assert part.value(follower) == whole.value(follower)


@pytest.fixture(scope="module")
def part() -> Solution:
    """What follows from three moves on the small board."""
    return solve(game_of(5, 2), played("c2 c4 b2h", game_of(5, 2)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "position",
    [
        pytest.param(starting(5, 2), id="before it"),
        pytest.param(at("c2", "c4", "b2v", turn=1, left=(1, 2), size=5), id="beside it"),
        pytest.param(at("c2", "c4", "b2h", turn=1, left=(2, 2), size=5), id="stocks too full"),
        pytest.param(at("a1", "c4", "b2h a1h a1v", left=(0, 1), size=5), id="walls that cross"),
        pytest.param(at("a1", "c4", "b2h a1h b1v", left=(0, 1), size=5), id="cut off"),
        pytest.param(at("c3", "c3", "b2h", turn=1, left=(1, 2), size=5), id="one on the other"),
    ],
)
def test_a_position_outside_is_refused(position: Position, part: Solution) -> None:
    with pytest.raises(Unsupported, match="does not follow from the solved one, or a pawn in it is cut off"):
        part.value(position)


# What it costs


@pytest.mark.parametrize(("size", "most"), [(3, 4), (4, 4), (5, 2)])
def test_arrangements_are_counted_before_they_are_made(size: int, most: int) -> None:
    counted = [0] * (most + 1)
    for walls in slow.wall_sets(size, most):
        counted[len(walls)] += 1
    every = sum(1 << row * size + col for row in range(size - 1) for col in range(size - 1))
    assert arrangements(size, (every, every), most) == counted


@pytest.mark.parametrize(("moves", "own"), [("", 4), ("a1h", 1), ("b2", 4), ("b2h", 2), ("a1v c3v", 2), ("b2v a2h", 2)])
def test_what_follows_a_position_is_counted_up_to_its_own_symmetries(moves: str, own: int) -> None:
    game = game_of(4, 2)
    root = words(played(moves, game), 4)
    (horizontal, _), (vertical, _) = (free_slots(root, 4, game.geometry, upright) for upright in (False, True))
    bound = count_configurations(4, (int(horizontal), int(vertical)), (int(root[LEFT]), int(root[LEFT + 1])))
    known = enumerate_configurations(root, bound, 4, game.geometry)
    assert count_own(root, 4) == own
    assert bound / 4 <= len(known.keys) <= 1.2 * bound / own
    assert len({tuple(key) for key in known.keys.tolist()}) == len(known.keys)


@pytest.mark.parametrize(("size", "walls"), [(9, 10), (11, 50), (7, 3), (5, 6), (6, 3)])
def test_too_large_a_board_is_refused_at_once(size: int, walls: int) -> None:
    with pytest.raises(Unsupported, match="positions are too many to solve"):
        solve(game_of(size, walls))


def test_a_large_board_near_its_end_is_not() -> None:
    position = at("e8", "a5", "a1h c1h", left=(0, 0))
    assert solve(game_of(9, 1), position).value(position) == Verdict(0, 1)


def test_a_win_that_is_too_long_to_note_is_noticed() -> None:
    game = game_of(3, 1)
    known = enumerate_configurations(words(starting(3, 1), 3), 37, 3, game.geometry)
    values = np.full((len(known.keys), per_configuration(3)), MOST_PLIES, np.uint8)
    assert not solve_range(*known, values, 0, 1, 3, game.geometry)


@pytest.mark.slow
def test_progress_is_reported() -> None:
    reported: list[int] = []

    @contextmanager
    def watched(label: str, total: int) -> Iterator[Callable[[int], None]]:
        reported.append(-total)
        yield reported.append

    assert solve(game_of(5, 2), progress=watched).configurations == -reported[0]
    assert sum(reported) == 0
    assert len(reported) > 2
