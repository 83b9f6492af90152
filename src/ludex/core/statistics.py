"""What a share of successes is worth."""

import math
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Final

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


def gain95(differences: Sequence[float]) -> tuple[float, float, float]:
    """The mean of independent differences between two players, with the ends of its 95 % interval.

    >>> gain, low, high = gain95([0.5, 0.0, 0.5, 0.0])
    >>> gain, round(low, 2), round(high, 2)
    (0.25, -0.03, 0.53)
    """
    gain = fmean(differences)
    reach = Z95 * stdev(differences) / math.sqrt(len(differences)) if len(differences) > 1 else math.inf
    return gain, gain - reach, gain + reach
