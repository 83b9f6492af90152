"""The rating of one player by games against opponents whose ratings are known: in chess, a performance rating.

Under the rating the expected points equal the points; a draw is half a win. Who took every point, or none, has no such
rating.

The interval is Clopper and Pearson's, for opponents of unequal strength: its ends are the ratings at which so many
points or more, and so many or fewer, would be had in 2.5 % of all cases. Games are taken as decisive there, since draws
only make points vary less, and a half point is given away on either side. Where no rating is too low, or too high, it
is open. That the opponents' own ratings are uncertain is not in it.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.arena.ratings import ELO
from ludex.arena.statistics import expected_score

TAIL: Final = 0.025
_PRECISION: Final = 0.001
"""Elo points to which a rating is found."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """The games against one opponent."""

    rating: float
    """The opponent's, in Elo."""
    games: int
    points: float
    """A win is one, a draw a half."""


@dataclass(frozen=True, slots=True)
class Performance:
    """A rating in Elo with its 95 % interval."""

    elo: float | None
    """None where every game was won, or every game lost."""
    low: float | None
    """None: nothing is too low."""
    high: float | None
    """None: nothing is too high."""


def performance(encounters: Sequence[Encounter]) -> Performance:
    """Rate a player by at least one game.

    >>> performance([Encounter(100.0, 2, 1.0)]).elo
    100.0
    >>> performance([Encounter(100.0, 3, 3.0)])
    Performance(elo=None, low=-53.5, high=None)
    """
    games, points = (
        sum(encounter.games for encounter in encounters),
        math.fsum(encounter.points for encounter in encounters),
    )
    if games < 1:
        raise ValueError("a performance needs at least one game")
    # At either end even one point in all, won or lost, is rarer than the tail.
    reach = 400 * math.log10(2 * games / TAIL)
    low, high = (
        pick(encounter.rating for encounter in encounters) + side for pick, side in ((min, -reach), (max, reach))
    )

    def where(rises: Callable[[float], float]) -> float:
        return _root(rises, low, high)

    won, reached = math.floor(points), math.ceil(points)
    return Performance(
        elo=where(lambda rating: _expected_points(encounters, rating) - points) if 0 < points < games else None,
        low=where(lambda rating: _chances(encounters, rating)[won:].sum() - TAIL) if won > 0 else None,
        high=where(lambda rating: TAIL - _chances(encounters, rating)[: reached + 1].sum())
        if reached < games
        else None,
    )


def _root(rises: Callable[[float], float], low: float, high: float) -> float:
    """Where a rising function is 0, rounded to a tenth of a point."""
    while high - low > _PRECISION:
        middle = (low + high) / 2
        low, high = (middle, high) if rises(middle) < 0 else (low, middle)
    # Never a negative zero.
    return round((low + high) / 2, 1) + 0.0


def _expected_points(encounters: Sequence[Encounter], rating: float) -> float:
    """The points to be expected of a player of this rating."""
    return math.fsum(encounter.games * expected_score(rating - encounter.rating) for encounter in encounters)


def _chances(encounters: Sequence[Encounter], rating: float) -> NDArray[np.float64]:
    """The probabilities of 0 .. games points for a player of this rating, if no game is drawn: `[games + 1]`."""
    distribution = np.ones(1)
    for encounter in encounters:
        distribution = np.convolve(distribution, _binomial(encounter.games, (rating - encounter.rating) / ELO))
    return distribution


def _binomial(games: int, lead: float) -> NDArray[np.float64]:
    """The probabilities of 0 .. games wins at these log-odds of one: `[games + 1]`."""
    wins = np.arange(games + 1)
    factorials = np.concatenate([[0.0], np.cumsum(np.log(wins[1:]))])
    ways = factorials[-1] - factorials - factorials[::-1]
    distribution: NDArray[np.float64] = np.exp(
        ways - wins * np.logaddexp(0, -lead) - wins[::-1] * np.logaddexp(0, lead)
    )
    return distribution
