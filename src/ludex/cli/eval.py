"""`ludex eval`: the strength of one agent."""

from typing import Any

from ludex.cli.operations import printing_verb
from ludex.cli.output import facts_of, table_of

_SHOWN_APART = ("game", "preset", "agent", "games", "seed", "win_rate", "ci95", "interrupted")


def render_evaluation(document: dict[str, Any]) -> Any:
    """An evaluation as a table."""
    return _render_opponents(document) if "opponents" in document else _render_metrics(document)


def _render_opponents(document: dict[str, Any]) -> Any:
    """An evaluation in a game for two, one row per opponent."""
    table = table_of("opponent", "games", "win rate", "95 %", "drawn", "lost")
    for row in document["opponents"]:
        low, high = row["ci95"]
        cells = (f"{row['win_rate']:.1%}", f"{low:.1%} - {high:.1%}", str(row["draws"]), str(row["losses"]))
        table.add_row(row["agent"], str(row["games"]), *cells)
    return _add_caption(table, document, f"seed {document['seed']}, {document['ms_per_move']:.3f} ms per move")


def _render_metrics(document: dict[str, Any]) -> Any:
    """An evaluation in a game for one, one row per metric; the game defines the metrics."""
    low, high = document["ci95"]
    rows = {name.replace("_", " "): _figure(value) for name, value in document.items() if name not in _SHOWN_APART}
    table = facts_of({"win rate": f"{document['win_rate']:.2%}  ({low:.2%} - {high:.2%})", **rows})
    return _add_caption(table, document, f"{document['games']} games, seed {document['seed']}")


def _add_caption(table: Any, document: dict[str, Any], caption: str) -> Any:
    table.title = f"{document['agent']} on {document['game']} {document['preset']}"
    table.caption = f"{caption}; interrupted" if document["interrupted"] else caption
    return table


def _figure(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_figure(part)}" for name, part in value.items())
    return "-" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


command = printing_verb("evaluation", "eval", lambda result: render_evaluation(result.model_dump(mode="json")))
