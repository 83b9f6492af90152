"""The original document's search: what it considers, and that cut-offs change nothing."""

from itertools import pairwise

import numpy as np
import pytest

from ludex.core.seeding import Rng
from ludex.games.quoridor.agents.minimax import INT_MAX, INT_MIN, MOST_CANDIDATES, Setting, candidates, search_root
from ludex.games.quoridor.options import EvalWeights
from ludex.games.quoridor.rules.paths import MOST_STEPS, shortest_path
from tests.games.quoridor.support import game_of, live_steps, row_of, state_at
from tests.reference import quoridor as reference
from tests.reference.quoridor import State
from tests.sizes import fewer

WEIGHTS = np.array(EvalWeights(), np.int64)


def considered(state: State) -> list[str]:
    """The candidates of the package, as texts."""
    out = np.empty(MOST_CANDIDATES, np.int64)
    count = candidates(row_of(state), state.size, game_of(state.size).geometry, out)
    return [reference.all_moves(state.size)[action] for action in out[:count]]


def searched(state: State, depth: int, noise: int = 0, seed: int = 0) -> tuple[dict[str, int], int, int]:
    """Every candidate's value in the order considered, the generator's last state, and the nodes."""
    actions, values = np.empty(MOST_CANDIDATES, np.int64), np.empty(MOST_CANDIDATES, np.int64)
    nodes, rng = np.zeros(1, np.int64), np.array([seed], np.uint64)
    row = row_of(state)
    before = row.tolist()
    geometry = game_of(state.size).geometry
    setting = Setting(noise, WEIGHTS, state.size, geometry, rng, nodes, np.zeros(1, np.uint8))
    count = search_root(row, depth, setting, actions, values)
    assert row.tolist() == before
    names = [reference.all_moves(state.size)[action] for action in actions[:count]]
    return dict(zip(names, map(int, values[:count]), strict=True)), int(rng[0]), int(nodes[0])


def chosen(values: dict[str, int]) -> str:
    """The first of the best."""
    return max(values, key=values.__getitem__)


# What is considered


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "walls", "count"),
    [(3, 2, 150), (4, 4, 150), (5, 4, 300), (5, 20, 100), (7, 8, 200), (9, 10, 200), (9, 30, 100), (11, 50, 100)],
)
def test_pawn_moves_and_walls_on_and_around_the_opponents_path(size: int, walls: int, count: int) -> None:
    path = np.empty(MOST_STEPS, np.int64)
    for game, _, state in live_steps(count, size, walls, seed=11, every=2):
        other = 1 - state.turn
        steps = shortest_path(row_of(state), other, size, game.geometry, path)
        squares = [(int(square) % size, int(square) // size) for square in path[: steps + 1]]
        wanted = reference.around(state.pawns[other], size)
        for here, there in pairwise(squares):
            wanted |= reference.blocking(here, there, size)
        pawn_moves = {reference.name(square) for square in reference.reach(state)}
        moves = considered(state)
        assert set(moves) == pawn_moves | {wall for wall in wanted if reference.may_put(state, wall)}
        assert len(set(moves)) == len(moves)
        assert set(moves[: len(pawn_moves)]) == pawn_moves


# Cut-offs change nothing


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "walls", "depth", "count"),
    fewer(
        [
            (3, 2, 1, 300),
            (3, 2, 3, 400),
            (3, 1, 4, 40),
            (4, 2, 3, 30),
            (5, 4, 1, 600),
            (5, 4, 2, 400),
            (5, 4, 3, 60),
            (5, 0, 4, 100),
            (7, 8, 2, 20),
            (9, 10, 1, 200),
            (9, 10, 2, 15),
        ],
        3,
    ),
)
def test_alpha_beta_equals_minimax(size: int, walls: int, depth: int, count: int) -> None:
    cache: dict[State, list[str]] = {}

    def remembered(state: State) -> list[str]:
        if state not in cache:
            cache[state] = considered(state)
        return cache[state]

    for _, _, state in live_steps(count, size, walls, seed=13, every=3):
        expected = reference.root_values(state, depth, remembered, reference.evaluate)
        values, rng, _ = searched(state, depth)
        assert values == expected, state
        assert list(values) == list(expected)
        assert chosen(values) == chosen(expected)
        assert rng == 0


def test_cut_offs_save_work() -> None:
    state = reference.start(9, 10)
    nodes = searched(state, 3)[2]
    everything = 0
    for move in considered(state):
        after = reference.play(state, move)
        replies = [reference.play(after, reply) for reply in considered(after)]
        everything += 1 + len(replies) + sum(len(considered(reply)) for reply in replies)
    assert 0 < nodes < everything / 2


# Noise


@pytest.mark.parametrize("noise", [1, 3, 8, 40])
def test_noise_is_uniform_and_comes_from_the_given_generator_only(noise: int) -> None:
    drawn = []
    for number, (_, _, state) in enumerate(live_steps(120, 9, 10, seed=15)):
        quiet = searched(state, 1)[0]
        loud, last, _ = searched(state, 1, noise, seed=number)
        rng = Rng(number)
        for move, value in quiet.items():
            expected = 0 if abs(value) > 2**30 else rng.below(2 * noise + 1) - noise
            assert loud[move] == value + expected
            drawn.append(expected)
        assert last == rng.state
    assert (min(drawn), max(drawn)) == (-noise, noise)
    assert abs(sum(drawn) / len(drawn)) < noise / 10 + 0.1


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_wins_and_losses_are_free_of_noise(depth: int) -> None:
    count = 0
    for number, (_, _, state) in enumerate(live_steps(150, 3, 1, seed=18)):
        quiet, loud = searched(state, depth)[0], searched(state, depth, 1000, seed=number)[0]
        for move, value in quiet.items():
            assert (abs(value) > 2**30) == (abs(loud[move]) > 2**30)
            if abs(value) > 2**30:
                assert loud[move] == value
                count += 1
    assert count > 20


# Sooner and later


def test_a_sooner_win_is_worth_more() -> None:
    state = state_at("e8", "a9", left=(0, 0))
    values = searched(state, 3)[0]
    assert values["e9"] == INT_MAX - 1
    assert values["d8"] == values["f8"] == INT_MAX - 3
    assert chosen(values) == "e9"


def test_by_the_documents_words_all_wins_are_equal_and_a_lost_position_has_no_best_move() -> None:
    """To the letter: a win is INT_MAX, a loss INT_MIN, and the best score is one that is greater than INT_MIN."""

    def literal(state: State, depth: int) -> dict[str, int]:
        values = reference.root_values(state, depth, considered, reference.evaluate)
        return {move: {1: INT_MAX, -1: INT_MIN}.get(round(value / 2**31), value) for move, value in values.items()}

    near = state_at("e8", "a9", left=(0, 0))
    wins = literal(near, 3)
    assert wins["e9"] == wins["d8"] == INT_MAX
    assert chosen(dict(reversed(wins.items()))) != "e9"
    lost = state_at("e2", "a2", left=(0, 0))
    assert set(literal(lost, 4).values()) == {INT_MIN}
    assert min(searched(lost, 4)[0].values()) > INT_MIN


def test_a_later_loss_is_worth_more() -> None:
    # Black wins on its next move whatever white does, unless a wall makes it wait.
    state = state_at("e2", "a2", left=(1, 0))
    values = searched(state, 4)[0]
    assert values["e3"] == INT_MIN + 2
    assert values[chosen(values)] > INT_MIN + 2
    assert chosen(values)[-1] in "hv"
