"""The sequential test: its ratio, its error rates, and a verdict that no worker can change."""

import math

import numpy as np
import pytest

import ludex
from ludex.arena.duel import duel
from ludex.arena.pairs import pair_score
from ludex.arena.sprt import IMAGINARY_PAIRS, IMAGINARY_VARIANCE, Evidence, Sprt
from ludex.arena.statistics import expected_score
from ludex.arena.terms import Terms
from ludex.core.errors import BadOption
from ludex.core.executor import InProcess
from tests.arena.executors import Backwards

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
DECISIVE = (0.25, 0.0, 0.5, 0.0, 0.25)
MIXED = (0.1, 0.2, 0.4, 0.2, 0.1)
DRAWN = (0.001, 0.02, 0.958, 0.02, 0.001)


def evidence(test: Sprt, scores: list[float]) -> Evidence:
    total = Evidence(test)
    for score in scores:
        total = total.after(score)
    return total


def repeated(counts: tuple[int, ...]) -> list[float]:
    return [score for score, count in zip(SCORES, counts, strict=True) for _ in range(count)]


def best_likelihood(counts: tuple[int, ...], mean: float) -> float:
    """The greatest log-likelihood of the counts under any distribution of pair scores with this mean."""
    deviations = [(score - mean, count) for score, count in zip(SCORES, counts, strict=True) if count]
    total = sum(counts)
    # Lagrange: p = count / total / (1 + t * (score - mean)), and t is where the mean is right.
    low, high = -1 / max(away for away, _ in deviations), -1 / min(away for away, _ in deviations)
    for _ in range(200):
        middle = (low + high) / 2
        slope = sum(count * away / (1 + middle * away) for away, count in deviations)
        low, high = (middle, high) if slope > 0 else (low, middle)
    return sum(count * math.log(count / total / (1 + low * away)) for away, count in deviations)


@pytest.mark.parametrize(
    "counts",
    [(200, 900, 1800, 900, 200), (150, 850, 1800, 960, 240), (900, 0, 2100, 0, 1000), (30, 300, 3300, 340, 35)],
)
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 5), (-3, 3), (2, 8)])
def test_the_ratio_is_that_of_the_best_distributions(counts: tuple[int, ...], elo0: float, elo1: float) -> None:
    exact = best_likelihood(counts, expected_score(elo1)) - best_likelihood(counts, expected_score(elo0))
    assert evidence(Sprt(elo0, elo1), repeated(counts)).llr == pytest.approx(exact, rel=0.06, abs=0.02)


def test_the_ratio_is_the_formula_it_is_said_to_be() -> None:
    scores = repeated((3, 5, 9, 8, 4))
    score0, score1 = expected_score(0), expected_score(30)
    mean = sum(scores) / len(scores)
    variance = (sum((score - mean) ** 2 for score in scores) + 4 / 8) / (len(scores) + 4)
    # The difference of two normal log-densities, summed over the pairs.
    expected = sum(((score - score0) ** 2 - (score - score1) ** 2) / (2 * variance) for score in scores)
    assert evidence(Sprt(0, 30), scores).llr == pytest.approx(expected)


def test_what_speaks_for_one_agent_speaks_against_the_other() -> None:
    scores = repeated((3, 5, 9, 8, 4))
    mirrored = [1 - score for score in scores]
    assert evidence(Sprt(5, 30), scores).llr == pytest.approx(-evidence(Sprt(-30, -5), mirrored).llr)
    assert evidence(Sprt(-10, 10), scores + mirrored).llr == pytest.approx(0)


def test_nothing_played_says_nothing() -> None:
    start = Evidence(Sprt(0, 10))
    assert (start.llr, start.verdict) == (0.0, "undecided")


@pytest.mark.parametrize("score", SCORES)
def test_pairs_that_all_agree_are_no_proof_at_once(score: float) -> None:
    assert evidence(Sprt(0, 10), [score] * 5).verdict == "undecided"
    assert evidence(Sprt(0, 10), [score] * 500).verdict == ("H1" if score > 0.5 else "H0")


def test_bounds_are_walds() -> None:
    test = Sprt(0, 10, alpha=0.01, beta=0.2)
    assert (test.lower, test.upper) == (math.log(0.2 / 0.99), math.log(0.8 / 0.01))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "two numbers"),
        ("5", "two numbers"),
        ("1,2,3", "two numbers"),
        ("a,b", "two numbers"),
        ("5,5", "elo0 < elo1"),
        ("10,0", "elo0 < elo1"),
        ("nan,1", "elo0 < elo1"),
        ("0,nan", "elo0 < elo1"),
        ("0,inf", "elo0 < elo1"),
        ("-1e308,0", "elo0 < elo1"),
    ],
)
def test_bad_hypotheses_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(BadOption, match=complaint):
        Sprt.parse(text)


@pytest.mark.parametrize("rate", [0.0, 0.5, -1.0, math.nan])
def test_impossible_error_rates_are_refused(rate: float) -> None:
    with pytest.raises(BadOption, match="error rates"):
        Sprt(0, 10, alpha=rate)
    with pytest.raises(BadOption, match="error rates"):
        Sprt(0, 10, beta=rate)


TERMS = Terms.of(ludex.make("tictactoe"), ("perfect:ties=random", "random"), seed=4)


@pytest.mark.slow
def test_a_verdict_does_not_depend_on_who_is_first() -> None:
    test = Sprt(0, 10)
    here = duel(TERMS, games=4000, executor=InProcess(), sprt=test)
    assert here.sprt is not None
    assert here.sprt.verdict == "H1"
    assert 10 < here.sprt.pairs == len(here.pairs) < 100
    for executor in (Backwards(8), Backwards(200)):
        there = duel(TERMS, games=4000, executor=executor, sprt=test)
        assert there.sprt == here.sprt
        assert [played.actions for played in there.played] == [played.actions for played in here.played]


def test_it_stops_at_the_first_pair_that_decides() -> None:
    result = duel(TERMS, games=4000, executor=InProcess(), sprt=Sprt(0, 10))
    scores = [pair_score(pair) for pair in result.pairs]
    assert evidence(Sprt(0, 10), scores).verdict == "H1"
    assert evidence(Sprt(0, 10), scores[:-1]).verdict == "undecided"


def test_an_interrupted_test_counts_no_pair_after_a_missing_one() -> None:
    result = duel(TERMS, games=4000, executor=Backwards(4, after=6), sprt=Sprt(0, 10))
    assert result.interrupted
    assert (len(result.pairs), result.sprt and result.sprt.verdict) == (4, "undecided")
    assert duel(TERMS, games=4000, executor=Backwards(1, after=0), sprt=Sprt(0, 10)).pairs == ()


def rates(test: Sprt, shares: tuple[float, ...], most_pairs: int, walks: int = 2000) -> tuple[float, float, float]:
    """How often each hypothesis is accepted over many matches at once, and the mean number of pairs they take."""
    rng = np.random.default_rng(20)
    score0, score1 = expected_score(test.elo0), expected_score(test.elo1)
    total, squares, ended = np.zeros(walks), np.zeros(walks), np.zeros(walks)
    verdict = np.zeros(walks)
    for pairs in range(1, most_pairs + 1):
        drawn = rng.choice(SCORES, size=walks, p=shares)
        total += drawn
        squares += drawn * drawn
        variance = (squares - total * total / pairs + IMAGINARY_PAIRS * IMAGINARY_VARIANCE) / (pairs + IMAGINARY_PAIRS)
        llr = (score1 - score0) * (total - pairs * (score0 + score1) / 2) / variance
        verdicts = np.where(llr >= test.upper, 1, np.where(llr <= test.lower, -1, 0))
        fresh = (ended == 0) & (verdicts != 0)
        ended[fresh], verdict[fresh] = pairs, verdicts[fresh]
        if ended.all():
            break
    assert ended.all()
    return float((verdict == -1).mean()), float((verdict == 1).mean()), float(ended.mean())


def tilted(shares: tuple[float, ...], mean: float) -> tuple[float, ...]:
    """The distribution of this mean that is nearest to the given one."""
    low, high = -50.0, 50.0
    for _ in range(200):
        middle = (low + high) / 2
        weights = [share * math.exp(middle * score) for share, score in zip(shares, SCORES, strict=True)]
        average = sum(weight * score for weight, score in zip(weights, SCORES, strict=True)) / sum(weights)
        low, high = (middle, high) if average < mean else (low, middle)
    return tuple(weight / sum(weights) for weight in weights)


# A seat that decides nearly every game: both games of a pair go to the same seat.
SEATED = (0.02, 0.03, 0.9, 0.03, 0.02)


@pytest.mark.slow
@pytest.mark.parametrize("shares", [DECISIVE, MIXED, DRAWN, SEATED], ids=["decisive", "mixed", "drawn", "seated"])
def test_error_rates_hold_where_either_hypothesis_is_true(shares: tuple[float, ...]) -> None:
    """The pentanomial test at its own hypotheses, with narrow bounds as they are used: 2,000 matches each."""
    test = Sprt(0, 20)
    _, wrongly_accepted, _ = rates(test, tilted(shares, expected_score(0)), 30_000)
    wrongly_refused, _, _ = rates(test, tilted(shares, expected_score(20)), 30_000)
    # Two standard errors above the promised 5 %.
    assert wrongly_accepted <= 0.06
    assert wrongly_refused <= 0.06


@pytest.mark.slow
def test_the_simulation_is_the_test() -> None:
    """The walks of `rates` end where `Evidence` ends."""
    test, shares = Sprt(0, 60), tilted(MIXED, expected_score(60))
    rng = np.random.default_rng(20)
    scores = [float(rng.choice(SCORES, size=1, p=shares)[0]) for _ in range(3000)]
    walk = Evidence(test)
    for score in scores:
        walk = walk.after(score)
        if walk.verdict != "undecided":
            break
    lower, upper, length = rates(test, shares, 3000, walks=1)
    assert (walk.verdict, walk.pairs) == ("H1" if upper else "H0", length)
    assert lower + upper == 1
