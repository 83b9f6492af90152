"""The interval covers what it promises, and Elo is Elo."""

import pytest

from ludex.arena.statistics import elo, expected_score, interval95, percentile
from ludex.core.seeding import generator


def simulated(seed: int, pairs: int, win: float, draw: float, seat: float) -> list[float]:
    """Pair scores of two players; the first seat adds `seat` to the chance of a win."""
    scores = []
    for index in range(pairs):
        rng = generator(seed, index)
        total = 0.0
        for shift in (seat, -seat):
            luck = rng.uniform()
            total += 1.0 if luck < win + shift else 0.5 if luck < win + shift + draw else 0.0
        scores.append(total / 2)
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
    held = 0
    for seed in range(rounds):
        low, high = interval95(simulated(seed, pairs, win, draw, seat))
        held += low <= truth <= high
    # Four standard errors of a count whose true share is 95 %; small samples may cover more.
    assert held / rounds > 0.95 - 4 * (0.95 * 0.05 / rounds) ** 0.5


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
    found = percentile(values, 99)
    assert found in values
    assert sum(value <= found for value in values) >= 0.99 * count > sum(value < found for value in values)


def test_a_percentile_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        percentile([], 99)
