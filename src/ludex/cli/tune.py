"""`ludex tune`: an agent's numeric options by self-play."""

from typing import TYPE_CHECKING, Any

from ludex.cli import parameters
from ludex.cli.operations import exit_if_interrupted, operation_verb, perform

if TYPE_CHECKING:
    from ludex.operations.tuning import TuningResult


def tune(request: Any, *, as_json: parameters.Json = False) -> None:
    """Tune an agent and print what was gained."""
    from ludex.cli.output import emit

    result: Any = perform("tuning", request)
    emit(result.model_dump(mode="json"), as_json, lambda: _render(result))
    exit_if_interrupted(result)


def _render(result: "TuningResult") -> Any:
    from rich.console import Group, RenderableType
    from rich.table import Table
    from rich.text import Text

    from ludex.cli.match import render_duel

    table = Table("option", "start", "tuned", box=None, header_style="bold")
    for name, option in result.options.items():
        table.add_row(name, f"{option.start:g}", f"{option.tuned:g}")
    table.caption = f"{result.iterations} iterations, {result.games} games" + (
        "; interrupted" if result.interrupted else ""
    )
    parts: list[RenderableType] = [table, Text(f"\n{result.tuned}\n", "bold")]
    if result.proof is not None:
        parts.append(render_duel(result.proof))
    return Group(*parts)


command = operation_verb("tuning", tune)
