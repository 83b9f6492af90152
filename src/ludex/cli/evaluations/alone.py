"""The evaluation of one agent in a game for one, as a table; the game defines the metrics."""

from typing import Any

from rich.table import Table

_SHOWN_APART = ("game", "preset", "agent", "games", "seed", "win_rate", "ci95", "interrupted")


def render(document: dict[str, Any]) -> Table:
    """An evaluation as a table, one row per metric."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold")
    low, high = document["ci95"]
    table.add_row("win rate", f"{document['win_rate']:.2%}  ({low:.2%} - {high:.2%})")
    for name, value in document.items():
        if name not in _SHOWN_APART:
            table.add_row(name.replace("_", " "), _figure(value))
    table.title = f"{document['agent']} on {document['game']} {document['preset']}"
    table.caption = f"{document['games']} games, seed {document['seed']}"
    if document["interrupted"]:
        table.caption += "; interrupted"
    return table


def _figure(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_figure(one)}" for name, one in value.items())
    return "-" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
