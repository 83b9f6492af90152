"""Tables of the strength of the agents of tic-tac-toe and Quoridor."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.documents import read
from benchmarks.tables.formatting import Row, figure, interval


def quoridor_master(folder: Path) -> Iterator[Row]:
    """The engine against others."""
    yield "Quoridor, `master` at 300 ms a move against", "games", "won", "score, 95 %"
    for match in read("quoridor-strength", folder)["matches"]:
        if match["agents"][0].startswith("master"):
            other = match["agents"][1]
            title = "open_spiel's MCTS, uniform rollouts, 1,000 simulations" if "spiel_mcts" in other else f"`{other}`"
            yield title, str(match["games"]), str(match["wins"][0]), interval(match["ci95"])


def quoridor_ladder(folder: Path) -> Iterator[Row]:
    """The levels against each other."""
    yield "first against second", "games", "won", "drawn", "lost", "score, 95 %"
    for match in read("quoridor-strength", folder)["matches"]:
        if not match["agents"][0].startswith("master"):
            yield _result(match)


def quoridor_tuned(folder: Path) -> Iterator[Row]:
    """Weights that `ludex tune` found against the original document's."""
    yield "first against second", "games", "won", "drawn", "lost", "score, 95 %"
    yield _result(read("quoridor-strength", folder)["tuned"])


def _result(match: Any) -> Row:
    first, second = match["agents"]
    won, lost = match["wins"]
    counts = (str(match["games"]), str(won), str(match["draws"]), str(lost))
    return f"`{first}`, `{second}`", *counts, interval(match["ci95"])


def tictactoe_strength(folder: Path) -> Iterator[Row]:
    """The shipped ranking."""
    (row,) = read("tictactoe-strength", folder)["rows"]
    yield f"`{row['agent']}` against, seed {row['seed']}", "games", "won", "drawn", "lost", "win rate, 95 %"
    for met in row["opponents"]:
        games, draws, losses = met["games"], met["draws"], met["losses"]
        counts = (f"{count:,}" for count in (games, games - draws - losses, draws, losses))
        yield f"`{met['agent']}`", *counts, interval(met["ci95"])


def mcts(folder: Path) -> Iterator[Row]:
    """The generic search against others, and its time per simulation beside OpenSpiel's bots."""
    document = read("mcts", folder)
    head = f"`mcts` with {document['simulations']:,} simulations against"
    yield head, "board", "games", "score, 95 %", "lost", "µs per simulation: ours", "OpenSpiel C++", "OpenSpiel Python"
    for row in document["rows"]:
        ours, theirs = row["us_per_simulation"]
        other = row["agents"][1]
        title = "OpenSpiel's MCTSBot, as many simulations" if other.startswith("open_spiel") else f"`{other}`"
        times = (ours, theirs, row.get("us_per_simulation_python"))
        yield (
            title,
            f"{row['game']} {row['preset']}",
            str(row["games"]),
            interval(row["ci95"]),
            str(row["losses"]),
            *("" if time is None else figure(time) for time in times),
        )


def alphazero_peer(folder: Path) -> Iterator[Row]:
    """Self-play with a network beside OpenSpiel's search with the same network."""
    document = read("alphazero-peer", folder)
    size = f"{document['channels']} channels, {document['blocks']} blocks, {document['simulations']} simulations"
    yield f"self-play moves per CPU-second, {size}", "Ludex", "OpenSpiel's MCTS in Python", "ratio"
    for row in document["rows"]:
        board = f"{row['game']} {row['preset']}"
        yield board, figure(row["ours"]), figure(row["open_spiel"]), f"{row['ratio']:.1f}"
