"""`ludex minesweeper luck`: how much luck a game took, by the exact safety of every reveal before it was made."""

from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from ludex.core.documents import parse_json, read_text
from ludex.core.errors import BadRecord, Unsupported
from ludex.core.game import Json
from ludex.core.limit import Limit
from ludex.core.line import is_line, match_of
from ludex.core.match import Match
from ludex.core.record import MatchFile
from ludex.core.registry import make
from ludex.core.verb import VerbResult
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.inference.probabilities import mine_probabilities
from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.games.minesweeper.rules.position import Position, View

if TYPE_CHECKING:
    from rich.console import RenderableType


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


def match_in(path: Path) -> tuple[Match[Any, Any], tuple[str, ...]]:
    """The match of a file, a match file or a line of moves, and its agents. Raises `BadRecord`."""
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


def luck(
    source: Annotated[
        Path, typer.Argument(metavar="FILE", help="a match, such as `ludex replay ID --export FILE` writes")
    ],
) -> VerbResult:
    """Show how safe each reveal of a game was, which were guesses, and the luck they took together."""

    match, agents = match_in(source)
    found = luck_of(match)
    outcome = None if match.outcome is None else match.outcome.reason
    document: dict[str, Json] = {
        "game": match.game.info.id,
        "preset": match.game.info.preset,
        "seed": match.seed,
        "agents": list(agents),
        "outcome": outcome,
        "luck": found.spent,
        "guesses": len(found.guesses),
        "needless": len(found.needless),
        "reveals": [_listed(reveal) for reveal in found.reveals],
    }
    return VerbResult(document, lambda: _render(found, outcome))


def _listed(reveal: "Reveal") -> Json:
    return {
        "ply": reveal.ply,
        "text": reveal.text,
        "safety": reveal.safety,
        "best": reveal.best,
        "guess": reveal.guess,
        "needless": reveal.needless,
        "survived": reveal.survived,
    }


def _render(found: "Luck", outcome: str | None) -> "RenderableType":
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from ludex.games.minesweeper.agents.decisions import percent

    table = Table("guess", "ply", "safe", "safest cell", "", box=None, header_style="bold")
    for reveal in found.guesses:
        remark = "needless: another cell was certain" if reveal.needless else ""
        fate = remark if reveal.survived else ", ".join([*([remark] if remark else []), "a mine"])
        safety, best = percent(reveal.safety).text(), percent(reveal.best).text()
        table.add_row(reveal.text, str(reveal.ply + 1), safety, best, fate)
    summary = Text.assemble(
        f"{len(found.reveals)} reveals, {len(found.guesses)} of them guesses: luck ",
        (f"{found.spent:.6g}", "bold"),
        f" ({outcome or 'unfinished'})",
    )
    return Group(*([table] if found.guesses else []), summary)
