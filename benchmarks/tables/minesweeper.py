"""Tables of the strength of Minesweeper's agents."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.documents import read
from benchmarks.tables.formatting import Row, percent, win_rate

BOARDS = {"small": "8x8x10", "beginner": "9x9x10", "med": "16x16x40", "expert": "16x30x99"}


STARTS = {"zero": "first reveal opens a region", "safe": "first reveal is safe"}


def minesweeper_strength(folder: Path) -> Iterator[Row]:
    """The solver and the network, on every board and start."""
    strength, net, speed = (read(name, folder) for name in ("minesweeper-strength", "minesweeper-net", "minesweeper"))
    counted = [row for start in STARTS for row in (*solver_rows(strength, start, "expert"), *net_rows(net, start))]
    (games,) = {row["games"] for row in counted}
    yield f"won of {games:,} boards", *BOARDS.values()
    for start, meaning in STARTS.items():
        expert = {row["preset"].partition("_")[0]: row for row in solver_rows(strength, start, "expert")}
        yield f"`expert`, {meaning}", *(win_rate(expert[board]) for board in BOARDS)
        yield "the strongest public solver known to us, by its author", *(claim(strength, start, b) for b in BOARDS)
        ours = {row["preset"]: row for row in net_rows(net, start)}
        yield f"the network `net`, {meaning}, other boards", *(win_rate(ours[board]) for board in BOARDS)
    micros = {row["name"]: row["ours"] for row in speed["rows"] if row["unit"] == "CPU-microseconds a game"}
    times = [micros.get(f"expert on {size}") for size in BOARDS.values()]
    milliseconds = ("" if entry is None else f"{entry / 1000:.2g} ms" for entry in times)
    yield "CPU a game of `expert`, first reveal opens", *milliseconds


def claim(document: Any, start: str, board: str) -> str:
    """What the author of the strongest public solver claims, with its start rule; empty where nothing is claimed."""
    claimed = document["reference"][start].get(board)
    return "" if claimed is None else str(claimed["claim"])


def solver_rows(document: Any, start: str, agent: str) -> list[Any]:
    """A solver's evaluations with a start."""
    return [row for row in document["rows"] if (row["start"], row["agent"]) == (start, agent)]


def net_rows(document: Any, start: str) -> list[Any]:
    """What the network that ships was measured at, playing by its policy."""
    return [row for row in document["rows"] if (row["net"], row["by"], row["start"]) == ("il", "policy", start)]


def minesweeper_solvers(folder: Path) -> Iterator[Row]:
    """All solvers."""
    document = read("minesweeper-strength", folder)
    agents = list(dict.fromkeys(row["agent"] for row in document["rows"]))
    yield "start", "board", *(f"`{agent}`" for agent in agents), "strongest public, by its author"
    for start in STARTS:
        for number, board in enumerate(BOARDS):
            first, *rest = (solver_rows(document, start, agent)[number] for agent in agents)
            others = (percent(row["win_rate"]) for row in rest)
            yield start, board, win_rate(first), *others, claim(document, start, board)


def minesweeper_net(folder: Path) -> Iterator[Row]:
    """The network, beside the solvers on boards that everybody can play again."""
    boards, net = read("minesweeper-boards-977", folder), read("minesweeper-net", folder)
    yield "start", "board", "`net`", "`exact`", "`expert`"
    for start in STARTS:
        ours = {row["preset"]: row for row in net_rows(net, start)}
        for number, board in enumerate(BOARDS):
            solvers = (solver_rows(boards, start, agent)[number] for agent in ("exact", "expert"))
            yield start, board, win_rate(ours[board]), *map(win_rate, solvers)


def minesweeper_gains(folder: Path) -> Iterator[Row]:
    """By how many points the network wins oftener than the solvers on the same boards."""
    yield "start", "board", "`net`", "gain over `exact`, points", "gain over `expert`, points"
    for row in read("minesweeper-net-977", folder)["rows"]:
        gains = {entry["agent"]: entry for entry in row["beside"]}
        board, beside = row["preset"].partition("_")[0], (_gained(gains[agent]) for agent in ("exact", "expert"))
        yield row["start"], board, win_rate(row), *beside


def _gained(row: Any) -> str:
    low, high = (100 * end for end in row["gain_ci95"])
    return f"{100 * row['gain']:+.1f} ({low:+.1f} to {high:+.1f})"


def minesweeper_calibration(folder: Path) -> Iterator[Row]:
    """The network's probabilities beside the exact ones."""
    yield "board", "states", "cells", "expected calibration error", "correlation", "mean error"
    for row in read("minesweeper-calibration", folder)["rows"]:
        errors = (f"{row[key]:.4f}" for key in ("ece", "correlation", "mean_error"))
        yield row["preset"].partition("_")[0], f"{row['states']:,}", f"{row['cells']:,}", *errors


def minesweeper_milestones(folder: Path) -> Iterator[Row]:
    """The original document's milestones M1 to M3: what was trained, for how long, and how often it wins."""
    presets = ("small", "med", "expert")
    yield "milestone", "training", "updates", "seconds", "plays by", *(BOARDS[board] for board in presets)
    for row in read("minesweeper-milestones", folder)["rows"]:
        if "judged" not in row:
            continue
        count = f"{row['reached']:,}" if row["finished"] else f"{row['reached']:,} of {row['updates']:,}"
        for actions in dict.fromkeys(entry["actions"] for entry in row["judged"]):
            won = {entry["preset"]: win_rate(entry) for entry in row["judged"] if entry["actions"] == actions}
            boards = (won.get(board, "") for board in presets)
            yield row["milestone"], row["title"], count, f"{row['seconds']:.0f}", actions, *boards


def minesweeper_milestone_commands(folder: Path) -> Iterator[Row]:
    """The command of each run of the milestones."""
    yield "run", "command"
    for row in read("minesweeper-milestones", folder)["rows"]:
        if "command" in row:
            yield row["name"], f"`{row['command']}`"


def minesweeper_mine_heads(folder: Path) -> Iterator[Row]:
    """Milestone M4: mine heads beside true mines and exact probabilities, and these beside each other."""
    pairs = ("true_mines", "exact", "exact_against_true_mines")
    heads = ("the head and true mines", "the head and exact", "exact and true mines")
    yield "network", "board", "states", "cells", *(f"correlation, {head}" for head in heads), "Brier score", "of exact"
    for row in read("minesweeper-milestones", folder)["rows"]:
        if row["milestone"] == "M4":
            correlations = (f"{row[pair]['correlation']:.3f}" for pair in pairs)
            scores = (f"{row[pair]['brier']:.3f}" for pair in ("true_mines", "exact_against_true_mines"))
            counts = (f"{row['states']:,}", f"{row['cells']:,}")
            yield row["net"], BOARDS[row["preset"]], *counts, *correlations, *scores
