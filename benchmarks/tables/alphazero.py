"""Tables of the learner: how a run went, and what its networks are worth."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.documents import read
from benchmarks.tables.formatting import Row, percent

CURVE = "tictactoe-progress"


def curve(folder: Path) -> Iterator[Row]:
    """Tic-tac-toe on two CPU cores: a row per evaluation."""
    yield "minutes", "games", "loss", "draws in self-play", "points against a search without a network"
    for point in read("alphazero", folder)[CURVE]["points"]:
        loss = "" if point["loss"] is None else f"{point['loss']:.2f}"
        shares = percent(point["draws"]), percent(point["score"])
        yield f"{point['minutes']:.1f}", f"{point['games']:,}", loss, *shares


def strength(folder: Path) -> Iterator[Row]:
    """Every network that was judged."""
    yield "board", "simulations", "judged by", "result"
    for name, found in read("alphazero", folder).items():
        if "points" not in found and "rows" not in found:
            yield name, str(found["simulations"]), *_judged(found)


def _judged(found: dict[str, Any]) -> tuple[str, str]:
    if "lost" in found:
        walked = ""
        if "lines" in found:
            walked = f"; {sum(found['losing_lines'])} of {sum(found['lines'])} lines against every play lost"
        return "`perfect:ties=random`", f"{found['lost']:,} of {found['games']:,} games lost{walked}"
    if "value_lost" in found:
        share = percent(found["value_lost_share"])
        lost = f"value lost in {found['value_lost']} of {found['critical_positions']} positions ({share})"
        return "an exact solver", f"{found['won']} of {found['games']} games won as the first player; {lost}"
    if "value_kept" in found:
        kept = f"value kept in {found['value_kept']:,} of {found['critical_positions']:,} positions"
        return "an exact solver", f"{kept} ({percent(found['value_kept_share'])})"
    low, high = found["ci95"]
    return f"`{found['agents'][1]}`", f"{percent(low)} - {percent(high)} of the points in {found['games']} games"
