"""Ratings of people and of puzzles by Glicko's formulas: an attempt is a game between the two.

A rating has a deviation, how unsure it is. A new person's changes by hundreds of points at first, and settles. A puzzle
begins at the difficulty that its proof gives it.
"""

import math
from typing import Final

from ludex.arena.ratings import ELO
from ludex.store.puzzles import Rating

PUZZLE_DEVIATION: Final = 120.0
"""Of a puzzle that was never tried."""
LEAST_DEVIATION: Final = 45.0
"""Nobody's rating is surer, so that it can follow a person who learns."""


def of_puzzle(difficulty: float) -> Rating:
    """The rating of a puzzle that was never tried."""
    return Rating(difficulty, PUZZLE_DEVIATION)


def chance(person: Rating, puzzle: Rating) -> float:
    """The probability that a person solves a puzzle.

    >>> chance(Rating(1500, 50), Rating(1500, 50))
    0.5
    """
    unsure = math.hypot(person.deviation, puzzle.deviation)
    return 1.0 / (1.0 + math.exp(-_weight(unsure) * (person.points - puzzle.points) / ELO))


def after_attempt(person: Rating, puzzle: Rating, solved: bool) -> tuple[Rating, Rating]:
    """Both ratings after an attempt.

    >>> before = Rating(1500, 200), Rating(1500, 120)
    >>> person, puzzle = after_attempt(*before, solved=True)
    >>> person.points > 1500 > puzzle.points, person.deviation < 200
    (True, True)
    """
    return _after(person, puzzle, float(solved)), _after(puzzle, person, float(not solved))


def _after(one: Rating, other: Rating, score: float) -> Rating:
    weight = _weight(other.deviation)
    expected = 1.0 / (1.0 + math.exp(-weight * (one.points - other.points) / ELO))
    information = (weight / ELO) ** 2 * expected * (1.0 - expected)
    precision = 1.0 / one.deviation**2 + information
    moved = weight / ELO * (score - expected) / precision
    return Rating(one.points + moved, max(LEAST_DEVIATION, math.sqrt(1.0 / precision)))


def _weight(deviation: float) -> float:
    """How much a result against an opponent of this deviation says."""
    return 1.0 / math.sqrt(1.0 + 3.0 * (deviation / (math.pi * ELO)) ** 2)
