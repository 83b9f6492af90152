"""Tables of speed, ours beside peers."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.documents import read
from benchmarks.tables.formatting import Row, figure, interval, rows_beside_peer, win_rate
from benchmarks.tables.minesweeper import BOARDS, claim, solver_rows


def headlines(folder: Path) -> Iterator[Row]:
    """The five rows of the README, taken from the tables of docs/benchmarks.md."""
    yield "measured", "ours", "peer", "ratio"
    speeds = (
        ("tic-tac-toe, random games per CPU-second", "tictactoe-pgx", "batch kernel, 4096 lanes, one thread"),
        ("Quoridor, perft lines per CPU-second", "quoridor", "perft(3), both count the last ply in bulk"),
        ("Minesweeper, steps per CPU-second", "minesweeper", "10x10x10, 256 lanes, like the peer, one thread"),
    )
    for title, name, label in speeds:
        document = read(name, folder)
        (row,) = (candidate for candidate in document["rows"] if candidate["name"] == label)
        peer = _peer(document, row) if name != "quoridor" else f"open_spiel: {figure(row['peer'])}"
        yield title, figure(row["ours"]), peer, figure(row["ratio"])
    strength = read("minesweeper-strength", folder)
    (expert,) = (row for row in solver_rows(strength, "zero", "expert") if row["preset"].startswith("expert"))
    yield (
        f"Minesweeper 16x30x99, won of {expert['games']:,}",
        win_rate(expert),
        f"strongest public solver, by its author: {claim(strength, 'zero', 'expert')}",
        "",
    )
    (match,) = (
        candidate
        for candidate in read("quoridor-strength", folder)["matches"]
        if "spiel_mcts" in candidate["agents"][1]
    )
    won = f"won {match['wins'][0]} of {match['games']} ({interval(match['ci95'])})"
    yield "Quoridor, `master` at 300 ms a move", won, "open_spiel's MCTS, 1,000 simulations", ""


def tictactoe_speed(folder: Path) -> Iterator[Row]:
    """Random games."""
    yield "tic-tac-toe, random games per CPU-second", "ours", "peer", "ratio"
    for name in ("tictactoe", "tictactoe-pgx"):
        document = read(name, folder)
        for row in document["rows"]:
            yield row["name"], figure(row["ours"]), _peer(document, row), figure(row["ratio"])


def quoridor_speed(folder: Path) -> Iterator[Row]:
    """Counting, random games, search."""
    document = read("quoridor", folder)
    peer = f"open_spiel {_version(document, 'open_spiel')}"
    yield f"Quoridor 9x9, {peer} through its Python API", "unit", "ours", "peer", "ratio"
    yield from rows_beside_peer(document)


def minesweeper_speed(folder: Path) -> Iterator[Row]:
    """The rows that have a peer."""
    document = read("minesweeper", folder)
    yield "Minesweeper, random legal actions", "unit", "ours", "peer", "ratio"
    for row in document["rows"]:
        if row["peer"] is not None:
            yield row["name"], row["unit"], figure(row["ours"]), _peer(document, row), figure(row["ratio"])


def minesweeper_alone(folder: Path) -> Iterator[Row]:
    """The rows that have none."""
    yield "Minesweeper", "unit", "ours"
    for row in read("minesweeper", folder)["rows"]:
        if row["peer"] is None:
            yield row["name"], row["unit"], figure(row["ours"])


def skirmish_speed(folder: Path) -> Iterator[Row]:
    """Steps, beside what a learner can consume, and both trainers at work."""
    document = read("skirmish", folder)
    yield "Skirmish `default`, masks and observations included", "unit", "ours", "peer", "ratio"
    for row in document["rows"]:
        yield row["name"], row["unit"], figure(row["ours"]), *_against(document, row)


def skirmish_gpu(folder: Path) -> Iterator[Row]:
    """Both trainers at work beside a GPU, and ours on it."""
    document = read("skirmish-gpu", folder)
    yield "Skirmish `default`, one H200 and 16 cores of x86-64", "unit", "ours", "peer", "ratio"
    for row in document["rows"]:
        if row["name"].startswith("PPO"):
            yield row["name"], row["unit"], figure(row["ours"]), *_against(document, row)


def ppo_speed(folder: Path) -> Iterator[Row]:
    """Learning, beside learning."""
    yield "masked PPO, end to end", "unit", "ours", "sb3-contrib", "ratio"
    for name in ("minesweeper-ppo", "minesweeper-ppo-gpu"):
        for row in read(name, folder)["rows"]:
            yield row["name"], row["unit"], figure(row["ours"]), figure(row["peer"]), figure(row["ratio"])


def minesweeper_net_speed(folder: Path) -> Iterator[Row]:
    """What a move of the network costs on a CPU."""
    rows = read("minesweeper-net-speed", folder)["rows"]
    yield "milliseconds a move", *BOARDS
    kinds = {"move_cpu_ms": "processor time", "move_ms_median": "by the clock, median"}
    for key, title in kinds.items():
        for threads in dict.fromkeys(row["threads"] for row in rows):
            times = (row[key] for row in rows if row["threads"] == threads)
            yield f"{title}, {threads} thread{'s' * (threads > 1)}", *(f"{time:.0f}" for time in times)


PACKAGES = {
    "open_spiel": "open_spiel",
    "PettingZoo": "pettingzoo",
    "pgx": "pgx",
    "Jumanji": "jumanji",
    "ms_toollib": "ms_toollib",
    "sb3-contrib": "sb3-contrib",
}
"""The package of a peer, by the beginning of its name."""


def _against(document: Any, row: Any) -> tuple[str, str]:
    """The peer's figure and the ratio, or neither."""
    return ("", "") if row["peer"] is None else (_peer(document, row), figure(row["ratio"]))


def _peer(document: Any, row: Any) -> str:
    """A peer with its version, and its rate."""
    name: str = row["peer_name"]
    for begin, package in PACKAGES.items():
        if name.startswith(begin):
            name = name.replace(begin, f"{begin} {_version(document, package)}", 1)
    return f"{name}: {figure(row['peer'])}"


def _version(document: Any, package: str) -> str:
    version: str = document["machine"]["versions"][package]
    return version
