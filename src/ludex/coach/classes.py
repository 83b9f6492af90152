"""The class of a move, by the win probability that it gave away."""

from typing import Final, Literal

MoveClass = Literal["brilliant", "best", "good", "inaccuracy", "mistake", "blunder"]
CLASSES: Final[tuple[MoveClass, ...]] = ("brilliant", "best", "good", "inaccuracy", "mistake", "blunder")

INACCURACY: Final = 0.05
MISTAKE: Final = 0.10
BLUNDER: Final = 0.20
"""The least losses of these classes."""
ONLY_MOVE: Final = 0.10
"""Where the second best move loses so much, the best one is the only move."""


def class_of(loss: float, *, is_best: bool = False, only: bool = False, hidden: bool = False) -> MoveClass:
    """The class of a move.

    `is_best`: the analyst would play it; `only`: every other move loses `ONLY_MOVE`; `hidden`: a shallow search
    prefers another move.

    >>> class_of(0.0, is_best=True), class_of(0.07), class_of(0.0, is_best=True, only=True, hidden=True)
    ('best', 'inaccuracy', 'brilliant')
    """
    if is_best:
        return "brilliant" if only and hidden else "best"
    if loss >= BLUNDER:
        return "blunder"
    if loss >= MISTAKE:
        return "mistake"
    return "inaccuracy" if loss >= INACCURACY else "good"
