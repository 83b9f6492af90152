"""The evaluation of one agent against opponents, in a game for two, as a table."""

from typing import Any

from rich.table import Table


def render(document: dict[str, Any]) -> Table:
    """An evaluation as a table, one row per opponent."""
    table = Table("opponent", "games", "win rate", "95 %", "drawn", "lost", box=None, header_style="bold")
    for row in document["opponents"]:
        low, high = row["ci95"]
        shown = (f"{row['win_rate']:.1%}", f"{low:.1%} - {high:.1%}", str(row["draws"]), str(row["losses"]))
        table.add_row(row["agent"], str(row["games"]), *shown)
    table.title = f"{document['agent']} on {document['game']} {document['preset']}"
    table.caption = f"seed {document['seed']}, {document['ms_per_move']:.3f} ms per move"
    if document["interrupted"]:
        table.caption += "; interrupted"
    return table
