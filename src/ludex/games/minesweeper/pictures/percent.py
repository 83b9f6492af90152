"""Probabilities as people read them."""

import math


def percent(probability: float) -> str:
    """Whole per cent, where 0 and 100 mean certainty and nothing less; ? where it is unknown.

    >>> percent(0.0), percent(0.001), percent(0.28), percent(0.999), percent(1.0), percent(math.nan)
    ('0', '<1', '28', '>99', '100', '?')
    """
    if math.isnan(probability):
        return "?"
    if 0.0 < probability < 0.005:
        return "<1"
    if 0.995 <= probability < 1.0:
        return ">99"
    return str(round(100 * probability))
