"""What a score is worth in Elo. What times are worth: percentiles."""

import math
from collections.abc import Sequence


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
