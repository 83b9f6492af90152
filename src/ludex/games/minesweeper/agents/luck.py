"""How much luck a game took, by the exact safety of every reveal before it was made."""

from dataclasses import dataclass
from math import prod

import numpy as np

from ludex.core.errors import Unsupported
from ludex.core.limit import Limit
from ludex.core.match import Match
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.inference.probabilities import mine_probabilities
from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.games.minesweeper.rules.position import Position, View


@dataclass(frozen=True, slots=True)
class Reveal:
    """One reveal of a game."""

    ply: int
    """How many plies came before it."""
    text: str
    safety: float
    """How probable it was that the cell is safe; 1.0 if that was certain."""
    best: float
    """The same for the safest cell there was."""
    survived: bool

    @property
    def guess(self) -> bool:
        return self.safety < 1.0

    @property
    def needless(self) -> bool:
        """Whether a guess was taken though some cell was safe for certain."""
        return self.guess and self.best == 1.0


@dataclass(frozen=True, slots=True)
class Luck:
    """The reveals of a game, in order."""

    reveals: tuple[Reveal, ...]

    @property
    def guesses(self) -> tuple[Reveal, ...]:
        return tuple(reveal for reveal in self.reveals if reveal.guess)

    @property
    def needless(self) -> tuple[Reveal, ...]:
        return tuple(reveal for reveal in self.reveals if reveal.needless)

    @property
    def spent(self) -> float:
        """The product of the guesses' safeties: how probable it was to live through all of them; 1.0 without any."""
        return prod(reveal.safety for reveal in self.guesses)


def luck_of(match: Match[Position, View], limit: Limit | None = None) -> Luck:
    """The luck of a match so far. Raises `Unsupported` where it cannot be counted, or was stopped by the limit."""
    game, reveals = match.game, []
    assert isinstance(game, Minesweeper)
    for ply, move in enumerate(match.moves):
        if limit is not None and limit.stopped:
            raise Unsupported(f"the luck of {match.ply} plies was not counted in time: stopped at ply {ply}")
        if move.action < game.cells:
            reveals.append(_reveal(game, match.positions[ply], match.positions[ply + 1], ply, move.action))
    return Luck(tuple(reveals))


def _reveal(game: Minesweeper, before: Position, after: Position, ply: int, cell: int) -> Reveal:
    numbers = game.view(before, 0).numbers
    if (game.options.start != "none" or game.options.no_guess) and (numbers == HIDDEN).all():
        # The start rule keeps this cell free, whichever it is, or the cell is given.
        safety = best = 1.0
    else:
        probability = mine_probabilities(numbers, game.mines)
        safety, best = 1.0 - float(probability.flat[cell]), 1.0 - float(np.nanmin(probability))
    return Reveal(ply, game.action_text(before, cell), safety, best, after.exploded is None)
