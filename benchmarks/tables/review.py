"""Tables of reviews: how often rated positions are won, the accuracy of the levels, and the time of a review."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.documents import read
from benchmarks.tables.formatting import Row, percent

NAME = "review"


def review_calibration(folder: Path) -> Iterator[Row]:
    """A row per class of games: what became of positions rated 65 to 75 %, and the mean error over all tenths."""
    yield "game", "games of", "games", "positions", "curve", "rated 65 - 75 %: won", "mean error"
    for row in read(NAME, folder)["calibration"]:
        near = row["near_70"]
        won = "none was" if near["won"] is None else f"{percent(near['won'])} of {near['positions']}"
        agents = ", ".join(f"`{agent}`" for agent in row["agents"])
        curve = f"{row['slope']:.2f}, {row['bias']:+.2f}, {row['bend']:+.2f}"
        yield _board(row), agents, str(row["games"]), str(row["positions"]), curve, won, percent(row["error"])


def review_ladder(folder: Path) -> Iterator[Row]:
    """A row per level: its accuracy in games against the level in the middle."""
    yield "game", "level", "against", "score", "accuracy", "95 %", "games"
    for row in read(NAME, folder)["ladder"]:
        low, high = row["ci95"]
        accuracy = f"{row['accuracy']:.1f}"
        opponent = "itself" if row["opponent"] == row["level"] else f"`{row['opponent']}`" if row["opponent"] else "-"
        score = "-" if row["score"] is None else f"{row['score']:.2f}"
        yield _board(row), f"`{row['level']}`", opponent, score, accuracy, f"{low:.1f} - {high:.1f}", str(row["games"])


def review_timing(folder: Path) -> Iterator[Row]:
    """A row per reviewed game: the processor's time to a first picture, and of the whole review."""
    yield "game", "of level", "plies", "first picture", "whole review"
    for row in read(NAME, folder)["timing"]:
        times = f"{row['glances_cpu_seconds']:.2f} s", f"{row['cpu_seconds']:.1f} s"
        yield _board(row), f"`{row['level']}`", str(row["plies"]), *times


def _board(row: Any) -> str:
    return f"{row['game']} {row['preset']}"
