"""`ludex minesweeper luck`: how much luck a game took."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludex.core.errors import BadRecord
from ludex.core.game import Json
from ludex.core.line import match_in
from ludex.core.verb import VerbResult
from ludex.games.minesweeper.agents.luck import Luck, luck_of
from ludex.games.minesweeper.game import Minesweeper

if TYPE_CHECKING:
    from rich.console import RenderableType


def luck(
    source: Annotated[
        Path, typer.Argument(metavar="FILE", help="a match, such as `ludex replay ID --export FILE` writes")
    ],
) -> VerbResult:
    """Show how safe each reveal of a game was, which were guesses, and the luck they took together."""
    match, agents = match_in(source)
    if not isinstance(match.game, Minesweeper):
        raise BadRecord(f"{source}: a match of {match.game.info.id}, expected one of minesweeper")
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
        "reveals": [
            {**asdict(reveal), "guess": reveal.guess, "needless": reveal.needless} for reveal in luck_taken.reveals
        ],
    }
    return VerbResult(document, lambda: _render(luck_taken, outcome))


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
