"""`ludex minesweeper luck`: how much luck a game took."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludex.core.game import Json
from ludex.core.verb import Telling

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ludex.games.minesweeper.luck import Luck, Reveal


def luck(
    source: Annotated[
        Path, typer.Argument(metavar="FILE", help="a match, such as `ludex replay ID --export FILE` writes")
    ],
) -> Telling:
    """Tell how safe each reveal of a game was, which were guesses, and the luck they took together."""
    from ludex.games.minesweeper.luck import luck_of, match_in

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
    return Telling(document, lambda: _told(found, outcome))


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


def _told(found: "Luck", outcome: str | None) -> "RenderableType":
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from ludex.games.minesweeper.agents.telling import percent

    table = Table("guess", "ply", "safe", "safest cell", "", box=None, header_style="bold")
    for reveal in found.guesses:
        remark = "needless: another cell was certain" if reveal.needless else ""
        fate = remark if reveal.survived else ", ".join([*([remark] if remark else []), "a mine"])
        table.add_row(reveal.text, str(reveal.ply + 1), percent(reveal.safety), percent(reveal.best), fate)
    told = Text.assemble(
        f"{len(found.reveals)} reveals, {len(found.guesses)} of them guesses: luck ",
        (f"{found.spent:.6g}", "bold"),
        f" ({outcome or 'unfinished'})",
    )
    return Group(*([table] if found.guesses else []), told)
