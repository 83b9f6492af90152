"""`ludex minesweeper luck`: how much luck a game took."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.core.documents import parse_json, read_text
from ludex.core.errors import BadRecord
from ludex.core.game import Json
from ludex.core.line import is_line, match_of
from ludex.core.match import Match
from ludex.core.record import MatchFile
from ludex.core.registry import make
from ludex.core.verb import VerbResult
from ludex.games.minesweeper.agents.luck import Luck, Reveal, luck_of
from ludex.games.minesweeper.game import Minesweeper

if TYPE_CHECKING:
    from rich.console import RenderableType


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


def luck(
    source: Annotated[
        Path, typer.Argument(metavar="FILE", help="a match, such as `ludex replay ID --export FILE` writes")
    ],
) -> VerbResult:
    """Show how safe each reveal of a game was, which were guesses, and the luck they took together."""

    match, agents = match_in(source)
    luck_taken = luck_of(match)
    outcome = None if match.outcome is None else match.outcome.reason
    document: dict[str, Json] = {
        "game": match.game.info.id,
        "preset": match.game.info.preset,
        "seed": match.seed,
        "agents": list(agents),
        "outcome": outcome,
        "luck": luck_taken.spent,
        "guesses": len(luck_taken.guesses),
        "needless": len(luck_taken.needless),
        "reveals": [_reveal_document(reveal) for reveal in luck_taken.reveals],
    }
    return VerbResult(document, lambda: _render(luck_taken, outcome))


def _reveal_document(reveal: Reveal) -> Json:
    return {
        "ply": reveal.ply,
        "text": reveal.text,
        "safety": reveal.safety,
        "best": reveal.best,
        "guess": reveal.guess,
        "needless": reveal.needless,
        "survived": reveal.survived,
    }


def _render(luck_taken: Luck, outcome: str | None) -> "RenderableType":
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from ludex.games.minesweeper.agents.decisions import percent

    table = Table("guess", "ply", "safe", "safest cell", "", box=None, header_style="bold")
    for reveal in luck_taken.guesses:
        remark = "needless: another cell was certain" if reveal.needless else ""
        fate = remark if reveal.survived else ", ".join([*([remark] if remark else []), "a mine"])
        safety, best = percent(reveal.safety).text(), percent(reveal.best).text()
        table.add_row(reveal.text, str(reveal.ply + 1), safety, best, fate)
    summary = Text.assemble(
        f"{len(luck_taken.reveals)} reveals, {len(luck_taken.guesses)} of them guesses: luck ",
        (f"{luck_taken.spent:.6g}", "bold"),
        f" ({outcome or 'unfinished'})",
    )
    return Group(*([table] if luck_taken.guesses else []), summary)
