"""The table of a small language model, by `ludex eval-llm`."""

from collections.abc import Iterator
from pathlib import Path

from benchmarks.documents import read
from benchmarks.tables.formatting import Row, percent

NAME = "language-model"


def language_model(folder: Path) -> Iterator[Row]:
    """A row per board and kind of names: how many answers were moves, and what the model mostly said."""
    yield (
        "board",
        "names",
        "positions",
        "legal moves",
        "refused answers",
        "most frequent answer",
        "games",
        "tokens and s per move",
    )
    for row in read(NAME, folder)["rows"]:
        legal, games = row["legal"], row["scores"][0] if row["scores"] else None
        said, times = row["said"][0]
        shares = f"{percent(legal['mean'])} ({percent(legal['ci95'][0])} - {percent(legal['ci95'][1])})"
        refused = ", ".join(f"`{kind}` {count}" for kind, count in row["refusals"].items())
        played = "-" if games is None else f"{games['games']}, {games['forfeits']} forfeited"
        cost = f"{row['tokens_per_move'][0]:.0f} + {row['tokens_per_move'][1]:.0f}, {row['seconds_per_move']:.1f}"
        name = f"{row['game']} {row['board']}"
        yield (
            name,
            row["names"],
            str(row["positions"]),
            shares,
            refused,
            f'"{" ".join(said.split())}" ({times})',
            played,
            cost,
        )
