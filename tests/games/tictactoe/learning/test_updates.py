"""How one finished game changes the ranking."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.core.seeding import agent_stream, generator
from ludex.games.tictactoe.agents.policy import RankingPolicy
from ludex.games.tictactoe.learning.training import AdditiveRule, History, Learning, NegamaxRule, SelfPlay
from ludex.games.tictactoe.rules.board import legal_moves
from ludex.games.tictactoe.rules.position import Position
from tests.games.support import examples
from tests.games.tictactoe.support import THREE, at, config, game_of, live_grids, policy_on, position_of, shipped
from tests.reference import tictactoe as reference

X_WINS = (0, 3, 1, 4, 2)
O_WINS = (0, 3, 1, 4, 8, 5)
FORKED = (0, 1, 3, 6, 4, 5, 8)
DRAWN = (0, 4, 8, 1, 7, 6, 2, 5, 3)


def history_of(moves: tuple[int, ...]) -> History:
    position = Position()
    history = []
    for move in moves:
        history.append((position, move))
        position = THREE.after(position, move)
    return history


def q_of(policy: RankingPolicy, history: History) -> list[float]:
    return [policy.q_values(position)[move] for position, move in history]


def additive(moves: tuple[int, ...], times: int = 1) -> list[float]:
    """What the original document's rule makes of a game played so many times."""
    policy, history = policy_on(), history_of(moves)
    rule = AdditiveRule(Learning(policy, alpha=0.1, bound=5.0), win=1.0, loss=-1.0, draw=0.2)
    for _ in range(times):
        rule.learn(history)
    return q_of(policy, history)


def negamax() -> tuple[RankingPolicy, NegamaxRule]:
    policy = policy_on()
    return policy, NegamaxRule(Learning(policy, alpha=1.0, bound=1.0))


def test_ruling_5_v1_01_rewards_the_winner_and_punishes_the_loser() -> None:
    assert additive(X_WINS) == [0.1, -0.1, 0.1, -0.1, 0.1]
    assert additive(O_WINS) == [-0.1, 0.1, -0.1, 0.1, -0.1, 0.1]


def test_ruling_5_v1_01_a_draw_counts_each_players_own_moves_from_one() -> None:
    reward = {n: 0.1 * (0.2 * (4.5 - n) / 4.5) for n in range(1, 6)}
    assert additive(DRAWN) == [reward[n] for n in (1, 1, 2, 2, 3, 3, 4, 4, 5)]
    assert reward[4] > 0 > reward[5]


@pytest.mark.slow
@examples(100)
@given(st.floats(-5, 5), st.floats(-1, 1))
def test_ruling_5_update_q_is_the_clamped_sum(before: float, reward: float) -> None:
    policy = policy_on()
    learning = Learning(policy, alpha=0.1, bound=5.0)
    learning.set_q(Position(), 4, before)
    updated = learning.update_q(Position(), 4, reward)
    assert updated == min(5.0, max(-5.0, before + 0.1 * reward))
    assert policy.q_values(Position())[4] == updated


def test_update_q_begins_at_zero_and_writes_the_canonical_key() -> None:
    policy = policy_on()
    assert Learning(policy, alpha=0.5, bound=5.0).update_q(at("EEX EEE EEE"), 1, 1.0) == 0.5
    assert list(policy.store.entries()) == [("EEEEEEEEX", 5, 0.5)]


@pytest.mark.parametrize(
    ("position", "q", "value"),
    [
        pytest.param("XXE OOE EEE", {2: -1.0}, 1.0, id="a win in one, whatever Q says"),
        pytest.param("XXE XOE EEO", {2: 1.0}, -1.0, id="two threats, whatever Q says"),
        pytest.param("XXE EOE EEE", {2: -0.25, 8: 1.0}, -0.25, id="one threat: the block's Q"),
        pytest.param("XEE EOE EEE", {**dict.fromkeys(range(9), -1.0), 7: -0.5}, -0.5, id="quiet: the greatest Q"),
        pytest.param("XXX OOE EEE", {}, -1.0, id="lost"),
        pytest.param("XOX XOO OXX", {}, 0.0, id="drawn"),
    ],
)
def test_ruling_5_negamax_reads_a_position_through_the_tactics(
    position: str, q: dict[int, float], value: float
) -> None:
    policy, rule = negamax()
    for move in q.keys() & set(legal_moves(THREE, at(position))):
        Learning(policy, alpha=1.0, bound=1.0).set_q(at(position), move, q[move])
    assert rule.value(at(position)) == value


def test_ruling_5_negamax_learns_from_the_last_two_moves_of_a_blunder() -> None:
    policy, rule = negamax()
    history = history_of(X_WINS)
    rule.learn(history)
    # Of the first moves nothing is known: X's threat could have been blocked.
    assert q_of(policy, history) == [0.0, 0.0, 0.0, -1.0, 1.0]


def test_ruling_5_negamax_backs_a_fork_up_through_the_whole_game() -> None:
    policy, rule = negamax()
    history = history_of(FORKED)
    rule.learn(history)
    # Only O's first move could have been another, so only X's first one stays open.
    assert q_of(policy, history) == [0.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0]


@pytest.mark.slow
def test_ruling_5_negamax_with_exact_values_learns_nothing_else() -> None:
    policy = policy_on()
    learning = Learning(policy, alpha=1.0, bound=1.0)
    rule = NegamaxRule(learning)
    for grid in live_grids():
        for cell in reference.moves(grid, 3):
            learning.set_q(position_of(grid, 3), cell, float(reference.solve_move(grid, 3, cell)[0]))
    for grid in live_grids():
        assert rule.value(position_of(grid, 3)) == reference.solve(grid, 3)[0]


def test_the_additive_half_follows_the_board() -> None:
    policy = policy_on(board=game_of(3, 4, 3).board)
    rule = AdditiveRule(Learning(policy, alpha=0.1, bound=5.0), win=1.0, loss=-1.0, draw=0.2)
    assert rule.draw_reward(3) == 0.2 * (6 - 3) / 6
    assert rule.draw_reward(6) == 0.0


def explored(number: int, seed: int) -> Position:
    """A game of random moves alone, drawn as the trainer draws them."""
    position, ply = Position(), 0
    while legal := legal_moves(THREE, position):
        ply += 1
        rng = generator(seed, ply, agent_stream(position.turn), episode=number)
        rng.uniform()
        position = THREE.after(position, rng.choice(legal))
    return position


def test_ruling_5_exploration_comes_before_tactics_in_training() -> None:
    self_play = SelfPlay(game_of(), config(epsilon=1.0, seed=3), list(shipped().entries()))
    games = range(40)
    assert [self_play.play(number) for number in games] == [explored(number, 3) for number in games]


def test_ruling_5_without_exploration_training_obeys_the_tactics() -> None:
    self_play = SelfPlay(game_of(), config(epsilon=0.0, random_ties=False), list(shipped().entries()))
    policy = policy_on(shipped().entries())
    position = Position()
    while legal_moves(THREE, position):
        position = THREE.after(position, policy.move(position))
    assert self_play.play(0) == position


@pytest.mark.parametrize(("random_ties", "distinct"), [(False, {1}), (True, set(range(10, 41)))])
def test_ruling_5_ties_are_random_only_where_the_config_says_so(random_ties: bool, distinct: set[int]) -> None:
    fresh = [SelfPlay(game_of(), config(epsilon=0.0, random_ties=random_ties), []) for _ in range(40)]
    assert len({self_play.play(number) for number, self_play in enumerate(fresh)}) in distinct


def test_a_share_of_epsilon_moves_is_played_by_chance() -> None:
    draws = [generator(7, 1, agent_stream(0), episode=number).uniform() for number in range(2000)]
    assert math.isclose(sum(draw < 0.15 for draw in draws) / 2000, 0.15, abs_tol=0.02)
