"""Tic-tac-toe's tables."""

from collections.abc import Iterator
from pathlib import Path

from benchmarks.documents import read
from benchmarks.tables.cells import Row, figure, interval
from benchmarks.tables.peers import peer_told


def speed(folder: Path) -> Iterator[Row]:
    """Random games."""
    yield "tic-tac-toe, random games per CPU-second", "ours", "peer", "ratio"
    for name in ("tictactoe", "tictactoe-pgx"):
        document = read(name, folder)
        for row in document["rows"]:
            yield row["name"], figure(row["ours"]), peer_told(document, row), figure(row["ratio"])


def strength(folder: Path) -> Iterator[Row]:
    """The shipped ranking."""
    (row,) = read("tictactoe-strength", folder)["rows"]
    yield f"`{row['agent']}` against, seed {row['seed']}", "games", "won", "drawn", "lost", "win rate, 95 %"
    for met in row["opponents"]:
        games, draws, losses = met["games"], met["draws"], met["losses"]
        counts = (f"{count:,}" for count in (games, games - draws - losses, draws, losses))
        yield f"`{met['agent']}`", *counts, interval(met["ci95"])
