"""Intervals cover what they promise, Elo is Elo, and the rating of one player is the maximum of the likelihood."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ludex.arena.performance_rating import Encounter, Performance, performance
from ludex.arena.ratings import rate
from ludex.arena.statistics import elo, expected_score, interval95, percentile
from tests.reference import performance as slow


def simulated(seed: int, pairs: int, win: float, draw: float, seat: float) -> list[float]:
    """Pair scores of two players; the first seat adds `seat` to the chance of a win."""
    luck, wins = np.random.default_rng(seed).random((pairs, 2)), win + np.array([seat, -seat])
    scores: list[float] = np.where(luck < wins, 1.0, np.where(luck < wins + draw, 0.5, 0.0)).mean(axis=1).tolist()
    return scores


@pytest.mark.slow
@pytest.mark.parametrize(
    ("win", "draw", "seat"),
    [(0.5, 0.0, 0.0), (0.3, 0.4, 0.0), (0.5, 0.0, 0.4), (0.95, 0.0, 0.0), (0.1, 0.85, 0.0), (0.02, 0.96, 0.0)],
)
@pytest.mark.parametrize("pairs", [20, 100])
def test_about_95_of_100_intervals_hold_the_truth(win: float, draw: float, seat: float, pairs: int) -> None:
    truth = win + draw / 2
    rounds = 600
    covered = 0
    for seed in range(rounds):
        low, high = interval95(simulated(seed, pairs, win, draw, seat))
        covered += low <= truth <= high
    # Four standard errors of a count whose true share is 95 %; small samples may cover more.
    assert covered / rounds > 0.95 - 4 * (0.95 * 0.05 / rounds) ** 0.5


def test_swapping_seats_narrows_the_interval_where_the_seat_decides() -> None:
    decided_by_seat = interval95([0.5] * 49 + [1.0, 0.0])
    decided_by_luck = interval95([0.0, 1.0] * 25 + [0.5])
    assert decided_by_seat[1] - decided_by_seat[0] < (decided_by_luck[1] - decided_by_luck[0]) / 2


@pytest.mark.parametrize(("score", "pairs"), [(0.0, 10), (0.5, 10), (1.0, 10), (0.1, 12)])
def test_pairs_that_all_agree_still_leave_doubt(score: float, pairs: int) -> None:
    low, high = interval95([score] * pairs)
    assert low <= score <= high
    assert 0.2 < high - low < 0.6


def test_more_pairs_leave_less_doubt() -> None:
    widths = [high - low for low, high in (interval95([1.0] * count) for count in (10, 100, 1000))]
    assert widths[0] > widths[1] > widths[2]


def test_one_pair_is_enough_and_none_is_not() -> None:
    assert interval95([1.0])[0] < 0.5
    with pytest.raises(ValueError, match="at least one pair"):
        interval95([])


def test_elo() -> None:
    assert elo(0.5) == 0
    assert elo(0.75) == pytest.approx(190.85, abs=0.01)
    assert elo(0.25) == pytest.approx(-190.85, abs=0.01)
    assert elo(0.0) is None
    assert elo(1.0) is None


@pytest.mark.parametrize("difference", [-700.0, -10.0, 0.0, 0.5, 400.0])
def test_an_expected_score_means_its_elo(difference: float) -> None:
    assert elo(expected_score(difference)) == pytest.approx(difference)
    assert expected_score(difference) + expected_score(-difference) == pytest.approx(1)


@pytest.mark.parametrize("count", [1, 2, 50, 99, 100, 101, 1000])
def test_99_of_100_do_not_exceed_the_99th_percentile(count: int) -> None:
    values = [(7919 * index) % 10_007 for index in range(count)]
    bound = percentile(values, 99)
    assert bound in values
    assert sum(value <= bound for value in values) >= 0.99 * count > sum(value < bound for value in values)


def test_a_percentile_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        percentile([], 99)


GAMES = st.lists(st.tuples(st.integers(-400, 400).map(float), st.sampled_from((0.0, 0.5, 1.0))), min_size=1, max_size=6)
LEVELS = (-300.0, 0.0, 150.0)


def played(games: list[slow.Game]) -> list[Encounter]:
    return [Encounter(rating, 1, score) for rating, score in games]


@pytest.mark.slow
@settings(deadline=None, max_examples=20)
@given(GAMES)
def test_it_is_what_a_search_over_every_rating_finds(games: list[slow.Game]) -> None:
    rating = performance(played(games))
    if 0 < sum(score for _, score in games) < len(games):
        assert rating.elo == pytest.approx(slow.likeliest(games), abs=1)
    else:
        assert rating.elo is None
    for end, expected in zip((rating.low, rating.high), slow.interval(games), strict=True):
        assert end == (None if expected is None else pytest.approx(expected, abs=1))


@pytest.mark.slow
@given(GAMES)
def test_games_may_be_counted_by_opponent(games: list[slow.Game]) -> None:
    opponents = sorted({rating for rating, _ in games})
    scores = {opponent: [score for rating, score in games if rating == opponent] for opponent in opponents}
    together = [Encounter(opponent, len(scores[opponent]), sum(scores[opponent])) for opponent in opponents]
    alone, grouped = performance(played(games)), performance(together)
    for one, other in zip(ends(alone), ends(grouped), strict=True):
        assert one == (None if other is None else pytest.approx(other, abs=0.11))


def ends(rating: Performance) -> tuple[float | None, ...]:
    return rating.elo, rating.low, rating.high


def test_all_wins_are_above_something_and_all_losses_below() -> None:
    won, lost = performance([Encounter(100.0, 3, 3.0)]), performance([Encounter(100.0, 3, 0.0)])
    assert (won.elo, won.high) == (lost.elo, lost.low) == (None, None)
    assert won.low is not None
    assert lost.high is not None
    assert expected_score(won.low - 100) ** 3 == pytest.approx(0.025, rel=0.01)
    assert lost.high - 100 == pytest.approx(100 - won.low)


def test_one_draw_is_the_opponents_rating_and_no_interval() -> None:
    assert performance([Encounter(-328.0, 1, 0.5)]) == Performance(elo=-328.0, low=None, high=None)


def test_against_one_opponent_it_is_what_the_arena_says() -> None:
    first, second = rate(2, {(0, 1): [1.0, 0.5, 0.5, 0.0, 0.75]}).elo
    assert first is not None
    assert second is not None
    assert performance([Encounter(0.0, 10, 5.5)]).elo == pytest.approx(first - second, abs=0.06)


def test_a_thousand_games_leave_little_doubt() -> None:
    rating = performance([Encounter(0.0, 500, 250.0), Encounter(200.0, 500, 120.0)])
    assert rating.low is not None
    assert rating.high is not None
    assert rating.elo is not None
    assert rating.low < rating.elo < rating.high < rating.low + 50


def test_no_game_is_no_performance() -> None:
    with pytest.raises(ValueError, match="at least one game"):
        performance([])


@pytest.mark.slow
@pytest.mark.parametrize("drawn", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("games", [(0, 1, 0), (0, 4, 0), (1, 1, 1), (2, 0, 2)])
def test_the_interval_holds_the_truth_however_few_the_games_and_however_many_are_drawn(
    games: tuple[int, ...], drawn: float
) -> None:
    """Every result there can be, with its probability; `drawn` is a share of the draws that a score allows."""
    halves = [*product(*(range(2 * count + 1) for count in games))]
    ratings = {
        each: performance([Encounter(r, n, k / 2) for r, n, k in zip(LEVELS, games, each, strict=True)])
        for each in halves
    }
    for truth in range(-900, 901, 60):
        chances = [
            results(count, expected_score(truth - level), drawn) for level, count in zip(LEVELS, games, strict=True)
        ]
        coverage = math.fsum(
            math.prod(chance[k] for chance, k in zip(chances, each, strict=True))
            for each, one in ratings.items()
            if (one.low is None or one.low <= truth) and (one.high is None or truth <= one.high)
        )
        assert coverage >= 0.95, truth


def results(games: int, expected: float, drawn: float) -> NDArray[np.float64]:
    """The probabilities of 0, 1, 2 .. half points."""
    draw = drawn * 2 * min(expected, 1 - expected)
    strengths = np.ones(1)
    for _ in range(games):
        strengths = np.convolve(strengths, [1 - expected - draw / 2, draw, expected - draw / 2])
    return strengths
