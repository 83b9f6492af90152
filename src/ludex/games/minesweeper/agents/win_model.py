"""The probability to clear a board from a position, in which the strongest agent goes on.

The safety of the next reveal is exact. What comes after it is a logistic function of a few figures of the position,
whose weights `python -m benchmarks.minesweeper_win_model` fits to games of `expert`.
"""

import json
import math
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

FILE: Final = "win_model.json"
EVERY_BOARD: Final = "*"
FEATURES: Final = ("bias", "rest", "density", "entropy", "log_rest", "guess", "layouts", "log_layouts")


class Figures(NamedTuple):
    """What the model sees of a position."""

    safe: int
    """Safe cells of the whole board."""
    hidden: int
    mines: int
    log_layouts: float
    """The natural logarithm of the number of layouts that fit."""
    safety: float
    """Of the next reveal."""

    def features(self) -> tuple[float, ...]:
        """One number per weight."""
        rest = self.hidden - self.mines
        return (
            1.0,
            rest / self.safe,
            self.mines / self.hidden,
            self.log_layouts / self.hidden,
            math.log1p(rest),
            float(self.safety < 1.0),
            # Near the end their number tells more than their share: one layout left is won, two may be a coin.
            self.log_layouts,
            math.log1p(self.log_layouts),
        )


def win_probability(figures: Figures, preset: str) -> float:
    """The win probability from a position by good play."""
    weights = _weights().get(preset) or _weights()[EVERY_BOARD]
    return figures.safety * logistic(sum(a * b for a, b in zip(weights, figures.features(), strict=True)))


def logistic(number: float) -> float:
    """The logistic function, also of large numbers.

    >>> logistic(0.0), logistic(-1000.0)
    (0.5, 0.0)
    """
    return 1.0 / (1.0 + math.exp(-number)) if number > -700.0 else 0.0


@cache
def _weights() -> dict[str, tuple[float, ...]]:
    found = json.loads(files("ludex.games.minesweeper.data").joinpath(FILE).read_text(encoding="utf-8"))
    return {board: tuple(one["weights"]) for board, one in found["boards"].items()}
