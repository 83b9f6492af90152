"""The rating of one player: the maximum of the likelihood, an interval that holds the truth, and no invented number."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ludex.arena.performance_rating import Encounter, Performance, performance
from ludex.arena.ratings import rate
from ludex.arena.statistics import expected_score
from tests.reference import performance as slow

GAMES = st.lists(st.tuples(st.integers(-400, 400).map(float), st.sampled_from((0.0, 0.5, 1.0))), min_size=1, max_size=6)
LEVELS = (-300.0, 0.0, 150.0)


def played(games: list[slow.Game]) -> list[Encounter]:
    return [Encounter(rating, 1, score) for rating, score in games]


@pytest.mark.slow
@settings(deadline=None, max_examples=20)
@given(GAMES)
def test_it_is_what_a_search_over_every_rating_finds(games: list[slow.Game]) -> None:
    found = performance(played(games))
    if 0 < sum(score for _, score in games) < len(games):
        assert found.elo == pytest.approx(slow.likeliest(games), abs=1)
    else:
        assert found.elo is None
    for end, expected in zip((found.low, found.high), slow.interval(games), strict=True):
        assert end == (None if expected is None else pytest.approx(expected, abs=1))


@pytest.mark.slow
@given(GAMES)
def test_games_may_be_counted_by_opponent(games: list[slow.Game]) -> None:
    opponents = sorted({rating for rating, _ in games})
    scores = {one: [score for rating, score in games if rating == one] for one in opponents}
    together = [Encounter(one, len(scores[one]), sum(scores[one])) for one in opponents]
    alone, grouped = performance(played(games)), performance(together)
    for one, other in zip(ends(alone), ends(grouped), strict=True):
        assert one == (None if other is None else pytest.approx(other, abs=0.11))


def ends(found: Performance) -> tuple[float | None, ...]:
    return found.elo, found.low, found.high


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
    found = performance([Encounter(0.0, 500, 250.0), Encounter(200.0, 500, 120.0)])
    assert found.low is not None
    assert found.high is not None
    assert found.elo is not None
    assert found.low < found.elo < found.high < found.low + 50


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
    found = {
        each: performance([Encounter(r, n, k / 2) for r, n, k in zip(LEVELS, games, each, strict=True)])
        for each in halves
    }
    for truth in range(-900, 901, 60):
        chances = [
            results(count, expected_score(truth - level), drawn) for level, count in zip(LEVELS, games, strict=True)
        ]
        held = math.fsum(
            math.prod(chance[k] for chance, k in zip(chances, each, strict=True))
            for each, one in found.items()
            if (one.low is None or one.low <= truth) and (one.high is None or truth <= one.high)
        )
        assert held >= 0.95, truth


def results(games: int, expected: float, drawn: float) -> NDArray[np.float64]:
    """The probabilities of 0, 1, 2 .. half points."""
    draw = drawn * 2 * min(expected, 1 - expected)
    found = np.ones(1)
    for _ in range(games):
        found = np.convolve(found, [1 - expected - draw / 2, draw, expected - draw / 2])
    return found
