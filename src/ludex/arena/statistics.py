"""Confidence intervals of scores and gains, Elo differences, and percentiles of times."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Final, Self

Z95: Final = 1.959963984540054
"""So many standard deviations to either side hold 95 % of a normal distribution."""


def wilson95(share: float, trials: float) -> tuple[float, float]:
    """Wilson's 95 % interval of a share of 0..1 seen in so many independent trials.

    It stays within 0..1 and does not shrink to nothing at 100 %.

    >>> low, high = wilson95(1.0, 100)
    >>> round(low, 3), high
    (0.963, 1.0)
    """
    if trials <= 0:
        raise ValueError(f"an interval needs at least one trial, found {trials}")
    centre = (share + Z95**2 / (2 * trials)) / (1 + Z95**2 / trials)
    reach = Z95 / (1 + Z95**2 / trials) * math.sqrt(share * (1 - share) / trials + Z95**2 / (4 * trials**2))
    return max(0.0, min(share, centre - reach)), min(1.0, max(share, centre + reach))


def interval95(pairs: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of the mean of pair scores, each in 0..1 and the average of two side-swapped games.

    Wilson's interval, with the number of trials replaced by the number of independent games that would vary as much as
    these pairs do. Where all pairs agree there is no variance to learn from, and each pair counts as one trial.

    >>> low, high = interval95([1.0] * 100)
    >>> round(low, 3), high
    (0.963, 1.0)
    """
    if not pairs:
        raise ValueError("an interval needs at least one pair")
    count = len(pairs)
    if min(pairs) == max(pairs):
        return wilson95(pairs[0], count)
    mean = math.fsum(pairs) / count
    spread = math.fsum((score - mean) ** 2 for score in pairs) / (count - 1)
    return wilson95(mean, mean * (1 - mean) * count / spread)


def gain95(differences: Sequence[float]) -> tuple[float, float, float]:
    """The mean of independent differences between two players, with the ends of its 95 % interval.

    >>> gain, low, high = gain95([0.5, 0.0, 0.5, 0.0])
    >>> gain, round(low, 2), round(high, 2)
    (0.25, -0.03, 0.53)
    """
    gain = fmean(differences)
    reach = Z95 * stdev(differences) / math.sqrt(len(differences)) if len(differences) > 1 else math.inf
    return gain, gain - reach, gain + reach


def elo(score: float) -> float | None:
    """The rating difference that a score of 0..1 means; None at 0 and 100 %.

    >>> elo(0.5), elo(1.0)
    (0.0, None)
    """
    if score <= 0 or score >= 1:
        return None
    return 400 * math.log10(score / (1 - score)) + 0.0


def expected_score(difference: float) -> float:
    """The score of 0..1 that a rating difference means, the inverse of `elo`.

    >>> expected_score(0.0)
    0.5
    """
    return 1 / (1 + 10 ** (-difference / 400))


def percentile(values: Sequence[float], percent: int) -> float:
    """The smallest of the values that at least `percent` in a hundred of them do not exceed.

    >>> percentile(range(1, 201), 99)
    198
    """
    if not values:
        raise ValueError("a percentile needs at least one value")
    return sorted(values)[max(0, math.ceil(len(values) * percent / 100) - 1)]


@dataclass(frozen=True, slots=True)
class MoveTimes:
    """Milliseconds of wall time a decision; nothing of an agent that never moved."""

    mean: float
    p99: float
    """Ninety-nine decisions in a hundred took no longer."""
    longest: float

    @classmethod
    def of(cls, micros: Sequence[int]) -> Self:
        """Of decisions in microseconds.

        >>> MoveTimes.of([1000, 2000, 6000])
        MoveTimes(mean=3.0, p99=6.0, longest=6.0)
        """
        if not micros:
            return cls(0.0, 0.0, 0.0)
        return cls(sum(micros) / len(micros) / 1000, percentile(micros, 99) / 1000, max(micros) / 1000)
