"""What a score is worth: intervals over side-swapped pairs, and Elo. What times are worth: percentiles."""

import math
from collections.abc import Sequence

from ludex.core.statistics import wilson95


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
    mean = math.fsum(pairs) / count
    spread = math.fsum((score - mean) ** 2 for score in pairs) / (count - 1) if count > 1 else 0.0
    trials = float(count) if spread == 0 else mean * (1 - mean) * count / spread
    return wilson95(mean, trials)


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
