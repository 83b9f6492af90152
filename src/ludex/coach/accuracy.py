"""The accuracy of a player, from 0 to 100: how much of the win probability the moves have kept.

A move that loses nothing counts 100, one that gives a tenth away 61, one that gives half away 8. The accuracy is the
average over the moves in which there was a choice. A move counts more the less decided the game was before or after it:
in a lost position nothing is left to lose, which must not make a bad game look accurate.
"""

import math
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

STEEPNESS: Final = 5.0
"""How quickly accuracy falls with the loss."""
LEAST_WEIGHT: Final = 0.1
"""The weight of a move in a decided game; 1 where both sides have even chances. With less, levels whose games are
decided early are flattered: `python -m benchmarks.review` shows the order."""
MoveClass = Literal["brilliant", "best", "good", "inaccuracy", "mistake", "blunder"]
CLASSES: Final[tuple[MoveClass, ...]] = ("brilliant", "best", "good", "inaccuracy", "mistake", "blunder")
INACCURACY: Final = 0.05
MISTAKE: Final = 0.10
BLUNDER: Final = 0.20
"""The least losses of these classes."""
ONLY_MOVE: Final = 0.10
"""Where the second best move loses so much, the best one is the only move."""


class Kept(NamedTuple):
    """A move, as accuracy sees it."""

    expected: float
    """The win probability before the move."""
    loss: float
    """What the move gave away of it."""


def move_accuracy(loss: float) -> float:
    """The accuracy of one move.

    >>> move_accuracy(0.0), round(move_accuracy(0.1)), round(move_accuracy(0.5))
    (100.0, 61, 8)
    """
    return 100.0 * math.exp(-STEEPNESS * max(0.0, loss))


def accuracy(moves: Iterable[Kept]) -> float | None:
    """The accuracy of a player over the moves that were a choice; None if none was.

    >>> accuracy([Kept(0.5, 0.0), Kept(0.5, 0.0)]), accuracy([])
    (100.0, None)
    """
    weighed = [(_weight(move), move_accuracy(move.loss)) for move in moves]
    total = sum(weight for weight, _ in weighed)
    return None if not weighed else sum(weight * value for weight, value in weighed) / total


def _weight(move: Kept) -> float:
    nearest = min(move.expected, max(0.5, move.expected - move.loss))
    return max(LEAST_WEIGHT, 4.0 * nearest * (1.0 - nearest))


def class_of(loss: float, *, only: bool = False, hidden: bool = False) -> MoveClass:
    """The class of a move: one that loses nothing is as good as the best.

    `only`: every other move loses `ONLY_MOVE`; `hidden`: a shallow search prefers another move.

    >>> class_of(0.0), class_of(0.01), class_of(0.07), class_of(0.0, only=True, hidden=True)
    ('best', 'good', 'inaccuracy', 'brilliant')
    """
    if loss <= 0.0:
        return "brilliant" if only and hidden else "best"
    if loss >= BLUNDER:
        return "blunder"
    if loss >= MISTAKE:
        return "mistake"
    return "inaccuracy" if loss >= INACCURACY else "good"
