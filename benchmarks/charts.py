"""What the charts of the page show, and the same in words."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.documents import read
from benchmarks.svg import Bar, Mark, Scale, bars, intervals
from benchmarks.tables.minesweeper import BOARDS, net_rows, solver_rows

PER_CENT = Scale((0, 20, 40, 60, 80, 100), " %")
RATIOS = Scale((0.1, 1, 10, 100, 1000), " x", logarithmic=True)
SPEEDS = {
    "tictactoe": "tic-tac-toe",
    "tictactoe-pgx": "tic-tac-toe",
    "quoridor": "Quoridor",
    "minesweeper": "Minesweeper",
    "minesweeper-ppo": "Minesweeper",
    "skirmish": "Skirmish",
}
PARTS = 3
"""So much of a row's name finds room."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture, and its text for those who do not see it."""

    name: str
    svg: str
    words: str


def all_charts(folder: Path) -> list[Chart]:
    """Every chart of the page."""
    return [speed(folder), minesweeper(folder), ladders(folder)]


def speed(folder: Path) -> Chart:
    """How many times the peer's speed is ours."""
    rows = []
    for name, game in SPEEDS.items():
        for row in read(name, folder)["rows"]:
            if row["peer"] is not None:
                what, peer = row["name"].removesuffix(", one thread").split(", "), row["peer_name"].partition(",")[0]
                rows.append(Bar(", ".join(what[:PARTS]), f"{game}, beside {peer}", row["ratio"]))
    title = "Our speed, as a multiple of the peer's in the same run"
    words = (
        "On a logarithmic scale. "
        + "; ".join(f"{bar.beside}, {bar.label}: {bar.value:.3g} times" for bar in rows)
        + "."
    )
    return Chart("benchmarks-speed", bars(title, words, rows, RATIOS, 1.0), words)


def minesweeper(folder: Path) -> Chart:
    """How often the solver and the network win."""
    strength, net = read("minesweeper-strength", folder), read("minesweeper-net", folder)
    rows, texts = [], []
    for start, title in (("zero", "opening start"), ("safe", "safe start")):
        expert = {row["preset"].partition("_")[0]: row for row in solver_rows(strength, start, "expert")}
        network = {row["preset"]: row for row in net_rows(net, start)}
        for board, size in BOARDS.items():
            claimed = strength["reference"][start].get(board)
            marks = [_share("a", expert[board]), _share("b", network[board])]
            marks += [] if claimed is None else [Mark("c", 100 * claimed["win_rate"])]
            rows.append((f"{size}, {title}", marks))
            names = ("expert", "network", "strongest public solver by its author")
            values = [f"{name} {mark.value:.1f} %" for name, mark in zip(names, marks, strict=False)]
            texts.append(f"{rows[-1][0]}: {', '.join(values)}")
    title = "Minesweeper: boards won, with 95 % intervals"
    words = "; ".join(texts) + "."
    legend = {
        "a": "expert, our solver",
        "b": "net, our network",
        "c": "strongest public solver known to us, by its author",
    }
    return Chart("benchmarks-minesweeper", intervals(title, words, rows, PER_CENT, legend), words)


def ladders(folder: Path) -> Chart:
    """Who beats whom, and by how much."""
    rows = []
    for name, game, series in (("quoridor-strength", "Quoridor", "a"), ("skirmish_ladder", "Skirmish", "b")):
        for match in read(name, folder)["matches"]:
            low, high = (100 * end for end in match["ci95"])
            first, second = (_player(agent) for agent in match["agents"])
            rows.append((f"{game}: {first} against {second}", [Mark(series, 100 * match["score"], low, high)]))
    title = "Score of the first player, with 95 % intervals over pairs"
    texts = (f"{label}: {m.value:.1f} % ({m.low:.1f} - {m.high:.1f})" for label, (m,) in rows)
    words = "; ".join(texts) + "."
    return Chart(
        "benchmarks-ladders", intervals(title, words, rows, PER_CENT, {"a": "Quoridor", "b": "Skirmish"}), words
    )


def _share(series: str, row: Any) -> Mark:
    low, high = row["ci95"]
    return Mark(series, 100 * row["win_rate"], 100 * low, 100 * high)


def _player(agent: str) -> str:
    return "open_spiel's MCTS" if "spiel_mcts" in agent else agent.partition(":")[0]
