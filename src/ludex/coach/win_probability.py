"""From an analyst's value to the win probability: a curve per game and board, fitted to many games.

A value in -1..1 is taken as points, and their logit is scaled and shifted, which is Platt's method; a bend makes the
curve steeper around even chances than in its ends, or less steep. A value that is certain stays certain.
`python -m benchmarks.review --write` fits the curves; a game keeps its own in `win_probability.json`, in the package
that `ReviewSpec.curves` names.
"""

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from ludex.core.errors import BrokenGame
from ludex.core.game import AnyGame, points
from ludex.core.registry import spec

FILE: Final = "win_probability.json"
EVERY_BOARD: Final = "*"
"""The entry for boards that have none of their own."""
NEARLY: Final = 0.001
"""The least and, from 1, the greatest probability of what is not certain."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The numbers of a curve; `ValueError` if it does not rise.

    >>> round(Curve(slope=2.0).of_value(0.5, players=2), 3), Curve(slope=2.0).of_value(1.0, players=2)
    (0.9, 1.0)
    """

    slope: float = 1.0
    bias: float = 0.0
    bend: float = 0.0
    """Added to the slope at even chances, less and less beside them."""

    def __post_init__(self) -> None:
        if min(self.slope, self.slope + self.bend) <= 0.0:
            raise ValueError(f"expected a curve that rises, not slope {self.slope} with bend {self.bend}")

    def of_value(self, value: float, players: int) -> float:
        """The mover's win probability, a draw counted as half, of a value as `Decision.value` gives it."""
        share = value if players == 1 else points(value)
        if share <= 0.0 or share >= 1.0:
            return min(1.0, max(0.0, share))
        logit = math.log(share / (1.0 - share))
        scaled = self.bias + self.slope * logit + self.bend * math.tanh(logit)
        return min(1.0 - NEARLY, max(NEARLY, 1.0 / (1.0 + math.exp(-scaled))))


GENERIC: Final = Curve()
"""For games that declare no curve: the value of a generic search, which expects too little rather than too much."""


@cache
def curves(package: str) -> dict[str, Curve]:
    """The curves of a game by board. Raises `BrokenGame` for a file that is none."""
    try:
        document = json.loads(files(package).joinpath(FILE).read_text(encoding="utf-8"))
        return {
            board: Curve(float(one["slope"]), float(one["bias"]), float(one.get("bend", 0.0)))
            for board, one in document["curves"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BrokenGame(f"{package}: {FILE}: expected curves with slope and bias: {error!r}") from error


def curve_of(game: AnyGame) -> Curve:
    """The curve of a board.

    >>> import ludex
    >>> curve_of(ludex.make("tictactoe")).of_value(0.0, players=2)
    0.5
    """
    package = spec(game.info.id).review.curves
    if package is None:
        return GENERIC
    known = curves(package)
    return known.get(game.info.preset) or known.get(EVERY_BOARD) or GENERIC
