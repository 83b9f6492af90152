"""Evaluation: as many games from either seat, exact scores, and an interval that knows pairs."""

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.arena.statistics import wilson95
from ludex.core.game import Mask, Observation
from ludex.games.skirmish.env.opponent_batch import DeploymentMetrics
from ludex.games.skirmish.learning.evaluation import Evaluation, PlacementLog, evaluate
from ludex.games.skirmish.rules.engine.layout import PHASES
from tests.games.skirmish.support import shipped

pytestmark = pytest.mark.slow

OWN_NUMBER = len(PHASES) + 1


class FirstLegal:
    """Plays the first legal action, and counts the seats that it plays."""

    def __init__(self) -> None:
        self.seats = [0, 0]

    def __call__(self, obs: Observation, masks: Mask) -> NDArray[np.int64]:
        own = obs["vector"][:, OWN_NUMBER]
        self.seats[1] += int(own.sum())
        self.seats[0] += int((1 - own).sum())
        chosen: NDArray[np.int64] = masks.argmax(axis=1)
        return chosen


def test_both_seats_are_played_alike_and_the_same_seed_plays_the_same() -> None:
    game, policy = shipped("small"), FirstLegal()
    result = evaluate(game, policy, "random", "random", 12, seed=3)
    assert len(result.scores) == 12
    assert set(result.scores.tolist()) <= {-1.0, 0.0, 1.0}
    assert min(policy.seats) > 0.3 * max(policy.seats)
    again = evaluate(game, FirstLegal(), "random", "random", 12, seed=3)
    assert result.scores.tolist() == again.scores.tolist()
    assert evaluate(game, FirstLegal(), "random", "random", 12, seed=4).scores.tolist() != result.scores.tolist()


def test_a_policy_that_plays_like_its_opponent_wins_about_half() -> None:
    game, random = shipped("small"), np.random.default_rng(0)

    def drawn(obs: Observation, masks: Mask) -> NDArray[np.int64]:
        return np.array([random.choice(np.flatnonzero(mask)) for mask in masks], np.int64)

    result = evaluate(game, drawn, "random", "random", 64, seed=0)
    assert result.ci95[0] < 0.5 < result.ci95[1]
    assert result.metrics.named()["deployment_steps_mean"] == 3.0


def evaluation(scores: list[float]) -> Evaluation:
    game = shipped("small")
    return Evaluation("x", np.array(scores), DeploymentMetrics.empty(3, 20), PlacementLog(game, 1))


def test_the_interval_is_over_pairs() -> None:
    # Seats decide everything: every pair is even, so that the rate is known better than single games would say.
    even = evaluation([1.0, -1.0] * 40 + [1.0, 1.0])
    assert even.win_rate == pytest.approx(42 / 82)
    low, high = even.ci95
    assert high - low < np.diff(wilson95(even.win_rate, 82))[0]
    # Pairs that go one way are half as many games.
    low, high = evaluation([1.0, 1.0] * 20 + [-1.0, -1.0] * 20).ci95
    assert (low, high) == pytest.approx(wilson95(0.5, 40), abs=0.005)
    assert evaluation([1.0] * 40).ci95 == pytest.approx(wilson95(1.0, 20))


@pytest.mark.parametrize("games", [0, 1, 7])
def test_an_odd_number_of_games_is_refused(games: int) -> None:
    with pytest.raises(ValueError, match=f"games must be even and at least 2.*found {games}"):
        evaluate(shipped("small"), FirstLegal(), "random", "random", games, seed=0)


def test_a_gain_over_other_games_on_the_same_dice_is_a_mean_over_pairs() -> None:
    # Pairs that differ by a whole game, by none and by a half.
    gain, low, high = evaluation([1.0, 1.0, 1.0, -1.0, 0.0, 1.0]).gain_over(
        evaluation([-1.0, -1.0, 1.0, -1.0, -1.0, 1.0])
    )
    pairs = np.array([1.0, 0.0, 0.25])
    reach = 1.96 * pairs.std(ddof=1) / np.sqrt(3)
    assert gain == pytest.approx(pairs.mean())
    assert (low, high) == pytest.approx((gain - reach, gain + reach), abs=1e-4)


@pytest.mark.parametrize("most_lanes", [1, 5, 12])
def test_both_seats_are_played_and_reported_for_any_number_of_lanes(most_lanes: int) -> None:
    """Twelve games in one lane, in four of three each, and in twelve lanes of one."""
    advanced: list[int] = []
    policy = FirstLegal()
    result = evaluate(
        shipped("small"), policy, "random", "random", 12, seed=3, most_lanes=most_lanes, advance=advanced.append
    )
    assert len(result.scores) == sum(advanced) == result.metrics.games == 12
    assert result.placements.heat().sum() == pytest.approx(3)
    assert min(policy.seats) > 0.3 * max(policy.seats)
