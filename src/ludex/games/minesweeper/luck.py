"""How much luck a game took: the exact safety of every reveal, just before it was made."""

from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from ludex.core.documents import parse_json, read_text
from ludex.core.errors import BadRecord
from ludex.core.line import is_line, match_of
from ludex.core.match import Match
from ludex.core.record import MatchFile, Record, replay
from ludex.core.registry import make
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.layout import HIDDEN
from ludex.games.minesweeper.position import Position, View
from ludex.games.minesweeper.solver.probabilities import mine_probabilities


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


def luck_of(match: Match[Position, View]) -> Luck:
    """The luck of a match so far."""
    game = match.game
    assert isinstance(game, Minesweeper)
    return Luck(
        tuple(
            _reveal(game, match.positions[ply], match.positions[ply + 1], ply, move.action)
            for ply, move in enumerate(match.moves)
            if move.action < game.cells
        )
    )


def luck_of_record(record: Record) -> Luck:
    """The luck of a stored match, played again. Raises `BadRecord` if it is not what it claims to be."""
    return luck_of(replay(make("minesweeper", record.preset), record))


def match_in(path: Path) -> tuple[Match[Any, Any], tuple[str, ...]]:
    """The match of a file, a match file or a line of moves, and who played it. Raises `BadRecord`."""
    text = read_text(path, BadRecord)
    if is_line(text):
        return _ours(match_of(text), path), ("player 1",)
    file = MatchFile.parse(parse_json(text, str(path), BadRecord), str(path))
    return _ours(file.replay(make(file.record.game, file.record.preset)), path), file.record.agents


def _ours(match: Match[Any, Any], path: Path) -> Match[Any, Any]:
    if not isinstance(match.game, Minesweeper):
        raise BadRecord(f"{path}: a match of {match.game.info.id}, expected one of minesweeper")
    return match


def _reveal(game: Minesweeper, before: Position, after: Position, ply: int, cell: int) -> Reveal:
    numbers = game.view(before, 0).numbers
    if game.options.start != "none" and (numbers == HIDDEN).all():
        # The start rule keeps this cell free, whichever it is.
        safety = best = 1.0
    else:
        probability = mine_probabilities(numbers, game.mines)
        safety, best = 1.0 - float(probability.flat[cell]), 1.0 - float(np.nanmin(probability))
    return Reveal(ply, game.action_text(before, cell), safety, best, after.exploded is None)
