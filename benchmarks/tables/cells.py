"""What stands in a cell of a table: rates, shares, intervals and gains as a person reads them."""

from collections.abc import Sequence
from typing import Any

Row = Sequence[str]


def figure(value: float) -> str:
    """A rate or a ratio as a person reads it.

    >>> figure(2142885.4), figure(35.098), figure(0.2107), figure(413.8)
    ('2,142,885', '35.1', '0.211', '414')
    """
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def percent(value: float) -> str:
    """A share, with one digit."""
    return f"{100 * value:.1f} %"


def interval(ends: Sequence[float]) -> str:
    """A 95 % interval of a share.

    >>> interval([0.963, 1.0])
    '96.3 % - 100 %'
    """
    return " - ".join("100 %" if end == 1 else percent(end) for end in ends)


def within(ends: Sequence[float]) -> str:
    """An interval behind the share itself, which has the unit."""
    return "({:.1f} - {:.1f})".format(*(100 * end for end in ends))


def won(row: Any) -> str:
    """A win rate with its interval."""
    return f"{percent(row['win_rate'])} {within(row['ci95'])}"


def gained(row: Any) -> str:
    """A gain in points with its interval."""
    low, high = (100 * end for end in row["gain_ci95"])
    return f"{100 * row['gain']:+.1f} ({low:+.1f} to {high:+.1f})"
