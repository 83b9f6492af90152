"""Quoridor's tables."""

from collections.abc import Iterator
from pathlib import Path

from benchmarks.documents import read
from benchmarks.tables.cells import Row, interval
from benchmarks.tables.peers import beside, version


def speed(folder: Path) -> Iterator[Row]:
    """Counting, random games, search."""
    document = read("quoridor", folder)
    peer = f"open_spiel {version(document, 'open_spiel')}"
    yield f"Quoridor 9x9, {peer} through its Python API", "unit", "ours", "peer", "ratio"
    yield from beside(document)


def master(folder: Path) -> Iterator[Row]:
    """The engine against others."""
    yield "Quoridor, `master` at 300 ms a move against", "games", "won", "score, 95 %"
    for match in read("quoridor-strength", folder)["matches"]:
        if match["agents"][0].startswith("master"):
            other = match["agents"][1]
            shown = "open_spiel's MCTS, uniform rollouts, 1,000 simulations" if "spiel_mcts" in other else f"`{other}`"
            yield shown, str(match["games"]), str(match["wins"][0]), interval(match["ci95"])


def ladder(folder: Path) -> Iterator[Row]:
    """The levels against each other."""
    yield "first against second", "games", "won", "drawn", "lost", "score, 95 %"
    for match in read("quoridor-strength", folder)["matches"]:
        if not match["agents"][0].startswith("master"):
            first, second = match["agents"]
            won, lost = match["wins"]
            counts = (str(match["games"]), str(won), str(match["draws"]), str(lost))
            yield f"`{first}`, `{second}`", *counts, interval(match["ci95"])
