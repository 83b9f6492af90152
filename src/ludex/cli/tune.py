"""`ludex tune`: an agent's numeric options by self-play."""

from typing import TYPE_CHECKING, Any

from ludex.cli.operations import printing_verb
from ludex.cli.output import table_of

if TYPE_CHECKING:
    from ludex.operations.tuning import TuningResult


def _render(result: "TuningResult") -> Any:
    from rich.console import Group, RenderableType
    from rich.text import Text

    from ludex.cli.match import render_duel

    rows = [(name, f"{option.start:g}", f"{option.tuned:g}") for name, option in result.options.items()]
    table = table_of("option", "start", "tuned", rows=rows)
    table.caption = f"{result.iterations} iterations, {result.games} games" + (
        "; interrupted" if result.interrupted else ""
    )
    parts: list[RenderableType] = [table, Text(f"\n{result.tuned}\n", "bold")]
    if result.proof is not None:
        parts.append(render_duel(result.proof))
    return Group(*parts)


command = printing_verb("tuning", "tune", _render)
