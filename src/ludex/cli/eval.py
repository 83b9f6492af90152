"""`ludex eval`: the strength of one agent."""

from typing import Any

from ludex.cli import parameters
from ludex.cli.operations import exit_if_interrupted, operation_verb, perform

_SHOWN_APART = ("game", "preset", "agent", "games", "seed", "win_rate", "ci95", "interrupted")


def eval_(request: Any, *, as_json: parameters.Json = False) -> None:
    """Evaluate an agent and print its figures."""
    from ludex.cli.output import emit

    result = perform("evaluation", request)
    document = result.model_dump(mode="json")
    emit(document, as_json, lambda: render_evaluation(document))
    exit_if_interrupted(result)


def render_evaluation(document: dict[str, Any]) -> Any:
    """An evaluation as a table."""
    return _render_opponents(document) if "opponents" in document else _render_metrics(document)


def _render_opponents(document: dict[str, Any]) -> Any:
    """An evaluation in a game for two, one row per opponent."""
    from rich.table import Table

    table = Table("opponent", "games", "win rate", "95 %", "drawn", "lost", box=None, header_style="bold")
    for row in document["opponents"]:
        low, high = row["ci95"]
        cells = (f"{row['win_rate']:.1%}", f"{low:.1%} - {high:.1%}", str(row["draws"]), str(row["losses"]))
        table.add_row(row["agent"], str(row["games"]), *cells)
    return _captioned(table, document, f"seed {document['seed']}, {document['ms_per_move']:.3f} ms per move")


def _render_metrics(document: dict[str, Any]) -> Any:
    """An evaluation in a game for one, one row per metric; the game defines the metrics."""
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold")
    low, high = document["ci95"]
    table.add_row("win rate", f"{document['win_rate']:.2%}  ({low:.2%} - {high:.2%})")
    for name, value in document.items():
        if name not in _SHOWN_APART:
            table.add_row(name.replace("_", " "), _figure(value))
    return _captioned(table, document, f"{document['games']} games, seed {document['seed']}")


def _captioned(table: Any, document: dict[str, Any], caption: str) -> Any:
    table.title = f"{document['agent']} on {document['game']} {document['preset']}"
    table.caption = f"{caption}; interrupted" if document["interrupted"] else caption
    return table


def _figure(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_figure(part)}" for name, part in value.items())
    return "-" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


command = operation_verb("evaluation", eval_)
