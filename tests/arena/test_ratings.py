"""Ratings: the maximum of the likelihood, intervals that hold the truth, and a plain word where there is no maximum."""

import math
import statistics
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.arena.ratings import ELO, rate
from ludex.arena.statistics import elo, expected_score
from tests.reference import bradley_terry

pytestmark = pytest.mark.slow

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)


def season(
    truth: list[float], pairs: int, seed: int, draws: float = 0.3, seat: float = 0.0
) -> dict[tuple[int, int], list[float]]:
    """Pairs of agents of these ratings, when a share of the games is drawn and a seat is worth something."""
    rng = np.random.default_rng(seed)
    scores: dict[tuple[int, int], list[float]] = {}
    for i, j in combinations(range(len(truth)), 2):
        expected = expected_score(truth[i] - truth[j])
        drawn = min(draws, 2 * min(expected, 1 - expected))
        shift = min(seat, expected - drawn / 2, 1 - expected - drawn / 2)
        luck, won = rng.random((pairs, 2)), expected - drawn / 2 + np.array([shift, -shift])
        scores[i, j] = np.where(luck < won, 1.0, np.where(luck < won + drawn, 0.5, 0.0)).mean(axis=1).tolist()
    return scores


@given(st.lists(st.sampled_from(SCORES), min_size=1, max_size=40))
def test_two_agents_are_as_far_apart_as_their_score_says(scores: list[float]) -> None:
    share = sum(scores) / len(scores)
    ratings = rate(2, {(0, 1): scores})
    first, second = ratings.elo
    assert first is not None
    assert second is not None
    if 0 < share < 1:
        assert ratings.prior_pairs == 0
        assert first - second == pytest.approx(elo(share), abs=1e-6)
    else:
        assert ratings.prior_pairs == 1
        assert first - second == pytest.approx(elo((sum(scores) + 0.5) / (len(scores) + 1)), abs=1e-6)


@given(
    st.integers(2, 6).flatmap(
        lambda agents: st.fixed_dictionaries(
            {pair: st.lists(st.sampled_from(SCORES), min_size=1, max_size=8) for pair in combinations(range(agents), 2)}
        )
    )
)
def test_ratings_are_those_of_the_slow_reference(encounters: dict[tuple[int, int], list[float]]) -> None:
    agents = 1 + max(second for _, second in encounters)
    ratings = rate(agents, encounters)
    counted = {pair: [*scores, *[0.5] * ratings.prior_pairs] for pair, scores in encounters.items()}
    assert ratings.elo == pytest.approx(bradley_terry.likeliest(agents, counted), abs=1e-3)


def test_the_variance_of_two_agents_is_the_delta_rule() -> None:
    scores = [0.0] * 10 + [0.5] * 50 + [1.0] * 40
    ratings = rate(2, {(0, 1): scores})
    share = statistics.fmean(scores)
    seen = sum((score - share) ** 2 for score in scores)
    variance = (seen + 4 * share * (1 - share) / 2) / (len(scores) + 4)
    slope = ELO / (share * (1 - share))
    covariance = ratings.covariance
    spread = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert spread == pytest.approx(slope**2 * variance / len(scores))
    assert ratings.superiority(0, 1) == pytest.approx(
        statistics.NormalDist().cdf(elo(share) / math.sqrt(spread))  # type: ignore[operator]
    )


def test_intervals_are_those_of_resampling() -> None:
    encounters = season([150, 50, -50, -150], 60, seed=5)
    ratings = rate(4, encounters)
    drawn = bradley_terry.resampled(4, encounters, times=150, seed=1)
    for agent in range(4):
        reach = ratings.ci95(agent)
        assert reach is not None
        width = 2 * 1.96 * statistics.stdev(sample[agent] for sample in drawn)
        assert reach[1] - reach[0] == pytest.approx(width, rel=0.25)


@pytest.mark.parametrize(
    ("pairs", "draws", "seat"), [(30, 0.0, 0.0), (30, 0.6, 0.0), (30, 0.1, 0.3), (8, 0.3, 0.0)], ids=str
)
def test_about_95_of_100_intervals_hold_the_truth(pairs: int, draws: float, seat: float) -> None:
    truth = [90.0, 30.0, -40.0, -80.0]
    covered = total = 0
    for seed in range(150):
        ratings = rate(4, season(truth, pairs, seed, draws, seat))
        for agent, true in enumerate(truth):
            reach = ratings.ci95(agent)
            assert reach is not None
            covered += reach[0] <= true <= reach[1]
            total += 1
    # Ratings of one season depend on each other, so that the count varies more than 600 coins would.
    assert 0.92 <= covered / total <= 0.985


def test_superiority_means_what_it_says() -> None:
    """Of agents said to be better with a likelihood of 80 to 95 %, about that share is, when truth is a coin."""
    right = claimed = 0
    for seed in range(400):
        lead = 25.0 if np.random.default_rng([seed, 1]).random() < 0.5 else -25.0
        likelihood = rate(2, season([lead, 0.0], 30, seed)).superiority(0, 1)
        assert likelihood is not None
        for likely, better in ((likelihood, lead > 0), (1 - likelihood, lead < 0)):
            if 0.8 <= likely <= 0.95:
                claimed += 1
                right += better
    assert claimed > 80
    assert 0.78 <= right / claimed <= 0.99


def test_who_took_every_point_is_rated_with_a_prior_that_is_told() -> None:
    ratings = rate(3, {(0, 1): [1.0] * 20, (0, 2): [1.0] * 20, (1, 2): [0.75] * 20})
    assert ratings.prior_pairs == 1
    first, second, third = ratings.elo
    assert first is not None
    assert second is not None
    assert third is not None
    assert first - second > 300 > second - third > 100
    more = rate(3, {(0, 1): [1.0] * 200, (0, 2): [1.0] * 200, (1, 2): [0.75] * 20})
    assert more.elo[0] > first + 200  # type: ignore[operator]
    low, high = ratings.ci95(0) or (0, 0)
    assert high - low > 150


def test_a_group_that_took_every_point_from_another_needs_the_prior_as_well() -> None:
    within, between = [0.25, 0.75], [1.0, 1.0]
    encounters = {(0, 1): within, (2, 3): within, (0, 2): between, (0, 3): between, (1, 2): between, (1, 3): between}
    assert rate(4, encounters).prior_pairs == 1
    assert rate(4, {**encounters, (1, 3): [1.0, 0.75]}).prior_pairs == 0


def test_who_is_not_connected_is_not_rated() -> None:
    ratings = rate(5, {(0, 1): [0.75], (2, 3): [0.5], (1, 2): []})
    assert [one is None for one in ratings.elo] == [False, False, True, True, True]
    assert ratings.ci95(2) is None
    assert ratings.superiority(0, 3) is None
    assert ratings.superiority(0, 0) is None
    assert rate(3, {}).elo == (None, None, None)


def test_pairs_that_all_agree_leave_doubt() -> None:
    few, many = (rate(2, {(0, 1): [0.5] * count}).ci95(0) for count in (4, 400))
    assert few is not None
    assert many is not None
    assert few[1] - few[0] > 60
    assert 0 < many[1] - many[0] < 5
