"""The analyst of reviews: what `expert` would reveal, and what every hidden cell is worth."""

import json
import math
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Candidate, Decision
from ludex.core.game import Mask
from ludex.core.limit import Limit
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.minesweeper.agents.decisions import SAFETY
from ludex.games.minesweeper.agents.expert import ExpertAgent
from ludex.games.minesweeper.agents.solving import safety_of
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.options import ExpertOptions
from ludex.games.minesweeper.rules.inference.probabilities import assess_position, untouched
from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.games.minesweeper.rules.position import View

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
    document = json.loads(files("ludex.games.minesweeper.data").joinpath(FILE).read_text(encoding="utf-8"))
    return {board: tuple(one["weights"]) for board, one in document["boards"].items()}


class ReviewAgent:
    """Decides as `expert`, and values every move by the probability to clear the board."""

    def __init__(self, game: Minesweeper, name: str = "reviewer") -> None:
        self.name = name
        self._game = game
        self._expert = ExpertAgent(game, ExpertOptions())

    def decide(self, view: View, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        decision = self._expert.decide(view, legal, rng=rng, limit=limit)
        probability, figures = position_figures(self._game, view, decision.action)
        # The end of the game is searched exactly.
        value = win_probability(figures, self._game.info.preset) if decision.value is None else decision.value
        safety = {cell: safety_of(probability[cell]) for cell in np.flatnonzero(legal[: self._game.cells]).tolist()}
        worth = _worth(decision, safety)
        best = worth[decision.action]
        order = sorted(worth, key=lambda cell: (cell != decision.action, -worth[cell], cell))
        cells = tuple(
            Candidate(
                cell,
                score=worth[cell],
                line=(cell,),
                terms={SAFETY: safety[cell]},
                value=value * min(1.0, worth[cell] / best) if best else value,
            )
            for cell in order
        )
        return replace(decision, value=value, candidates=cells)


def position_figures(game: Minesweeper, view: View, cell: int) -> tuple[NDArray[np.float64], Figures]:
    """The probability of a mine by cell, and what the model sees of a position in which a cell is revealed next."""
    numbers = view.numbers
    if untouched(numbers.reshape(-1)):
        free = 0.0 if game.options.start != "none" or game.options.no_guess else game.mines / game.cells
        layouts = math.lgamma(game.cells + 1) - math.lgamma(game.mines + 1) - math.lgamma(game.safe + 1)
        return np.full(game.cells, free), Figures(game.safe, game.cells, game.mines, layouts, 1.0 - free)
    document, log_layouts = assess_position(numbers, game.mines)
    flat, hidden = document.reshape(-1), int((numbers == HIDDEN).sum())
    return flat, Figures(game.safe, hidden, game.mines, log_layouts, safety_of(flat[cell]))


def _worth(decision: Decision, safety: dict[int, float]) -> dict[int, float]:
    """By cell how good it is beside the others: its safety, where `expert` looked ahead together with what follows."""
    ahead = {
        candidate.action: candidate.score
        for candidate in decision.candidates
        if "secondary" in candidate.terms and candidate.score is not None
    }
    if decision.action not in ahead:
        return dict(safety)
    following = ahead[decision.action] / safety[decision.action]
    best = ahead[decision.action]
    return {cell: ahead.get(cell, min(best, chance * following)) for cell, chance in safety.items()}


def reviewer(game: Minesweeper, services: Services) -> ReviewAgent:
    """The analyst of a board."""
    return ReviewAgent(game)
