"""A player's rating against known opponents the slow way: every rating on a grid, every way the games could end."""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

Game = tuple[float, float]
"""The opponent's rating, and the player's score: 0, a half or 1."""

GRID = np.arange(-2500.0, 2500.0, 0.5)


def likeliest(games: Sequence[Game]) -> float:
    """The rating of the grid at which the games are most probable."""
    likelihood = np.zeros_like(GRID)
    for rating, score in games:
        chance = _chance(rating)
        likelihood += score * np.log(chance) + (1 - score) * np.log(1 - chance)
    return float(GRID[likelihood.argmax()])


def interval(games: Sequence[Game]) -> tuple[float | None, float | None]:
    """The ratings of the grid between which neither so many points nor so few are rarer than 2.5 %."""
    points = sum(score for _, score in games)
    more, fewer = np.zeros_like(GRID), np.zeros_like(GRID)
    for results in product((0, 1), repeat=len(games)):
        probability = np.ones_like(GRID)
        for (rating, _), won in zip(games, results, strict=True):
            probability *= _chance(rating) if won else 1 - _chance(rating)
        # A half point counts for whichever side it speaks against.
        more += probability * (sum(results) >= math.floor(points))
        fewer += probability * (sum(results) <= math.ceil(points))
    held = GRID[(more >= 0.025) & (fewer >= 0.025)]
    low, high = float(held[0]), float(held[-1])
    return low if low > GRID[0] else None, high if high < GRID[-1] else None


def _chance(rating: float) -> NDArray[np.float64]:
    scores: NDArray[np.float64] = 1 / (1 + 10 ** ((rating - GRID) / 400))
    return scores
