"""Tables of the strength of the agents of tic-tac-toe and Quoridor."""

from collections.abc import Iterator
from pathlib import Path

from benchmarks.documents import read
from benchmarks.tables.formatting import Row, interval


def quoridor_master(folder: Path) -> Iterator[Row]:
    """The engine against others."""
    yield "Quoridor, `master` at 300 ms a move against", "games", "won", "score, 95 %"
    for match in read("quoridor-strength", folder)["matches"]:
        if match["agents"][0].startswith("master"):
            other = match["agents"][1]
            shown = "open_spiel's MCTS, uniform rollouts, 1,000 simulations" if "spiel_mcts" in other else f"`{other}`"
            yield shown, str(match["games"]), str(match["wins"][0]), interval(match["ci95"])


def quoridor_ladder(folder: Path) -> Iterator[Row]:
    """The levels against each other."""
    yield "first against second", "games", "won", "drawn", "lost", "score, 95 %"
    for match in read("quoridor-strength", folder)["matches"]:
        if not match["agents"][0].startswith("master"):
            first, second = match["agents"]
            won, lost = match["wins"]
            counts = (str(match["games"]), str(won), str(match["draws"]), str(lost))
            yield f"`{first}`, `{second}`", *counts, interval(match["ci95"])


def tictactoe_strength(folder: Path) -> Iterator[Row]:
    """The shipped ranking."""
    (row,) = read("tictactoe-strength", folder)["rows"]
    yield f"`{row['agent']}` against, seed {row['seed']}", "games", "won", "drawn", "lost", "win rate, 95 %"
    for met in row["opponents"]:
        games, draws, losses = met["games"], met["draws"], met["losses"]
        counts = (f"{count:,}" for count in (games, games - draws - losses, draws, losses))
        yield f"`{met['agent']}`", *counts, interval(met["ci95"])
