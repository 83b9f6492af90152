"""The charts of the page as SVG, readable on light and dark pages, and the same in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import log10
from pathlib import Path
from typing import Any

from benchmarks.documents import read
from benchmarks.tables.minesweeper import BOARDS, net_rows, solver_rows

WIDTH, LABELS, RIGHT, ROW, TOP = 900, 410, 80, 38, 68
STYLE = """
  .page { fill: #ffffff } .text { fill: #1f2328 } .faint { fill: #59636e } .line { stroke: #d1d9e0 }
  .base { stroke: #59636e } .a { fill: #0550ae; stroke: #0550ae } .b { fill: #bc4c00; stroke: #bc4c00 }
  .c { fill: none; stroke: #1f2328; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } .text { fill: #f0f6fc } .faint { fill: #9198a1 } .line { stroke: #3d444d }
    .base { stroke: #9198a1 } .a { fill: #79c0ff; stroke: #79c0ff } .b { fill: #ffa657; stroke: #ffa657 }
    .c { fill: none; stroke: #f0f6fc }
  }
  text { font: 13px system-ui, sans-serif } .title { font-size: 16px; font-weight: 600 }
"""
Series = str
"""`a` and `b` are filled, a disc and a square; `c` is a hollow diamond: distinct without colour too."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Where a value stands."""

    ticks: Sequence[float]
    """From the least value to the greatest."""
    unit: str = ""
    logarithmic: bool = False

    def x(self, value: float) -> float:
        """From the left edge of the chart."""
        low, high, at = (log10(v) if self.logarithmic else v for v in (self.ticks[0], self.ticks[-1], value))
        return LABELS + (WIDTH - LABELS - RIGHT) * (at - low) / (high - low)


@dataclass(frozen=True, slots=True)
class Mark:
    """A value with its 95 % interval, if it has one."""

    series: Series
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Bar:
    """A value with two lines of text before it."""

    label: str
    beside: str
    value: float


def bars(title: str, words: str, rows: Sequence[Bar], scale: Scale, base: float) -> str:
    """A bar a row, from the base to the value."""
    drawn = []
    for number, bar in enumerate(rows):
        y, value = _y(number), bar.value
        begin, end = sorted((scale.x(base), scale.x(value)))
        drawn.append(f'<rect class="a" x="{begin:.1f}" y="{y - 9}" width="{end - begin:.1f}" height="18" rx="2"/>')
        drawn.append(f'<text class="text" x="{scale.x(max(value, base)) + 8:.1f}" y="{y + 5}">{value:.3g}</text>')
        drawn += [_label(bar.label, y - 8), _label(bar.beside, y + 7, "faint")]
    return _document(title, words, len(rows), scale, [*drawn, _upright("base", scale.x(base), len(rows))], {})


def intervals(
    title: str, words: str, rows: Sequence[tuple[str, Sequence[Mark]]], scale: Scale, legend: dict[Series, str]
) -> str:
    """Values with their intervals, some to a row."""
    drawn = []
    for number, (label, marks) in enumerate(rows):
        y = _y(number)
        drawn.append(_label(label, y))
        for place, mark in enumerate(marks):
            drawn += _mark(mark, scale, y + 8 * place - 4 * (len(marks) - 1))
    return _document(title, words, len(rows), scale, drawn, legend)


def _mark(mark: Mark, scale: Scale, y: float) -> list[str]:
    parts = []
    if mark.low is not None and mark.high is not None:
        ends = f'x1="{scale.x(mark.low):.1f}" x2="{scale.x(mark.high):.1f}" y1="{y}" y2="{y}"'
        parts.append(f'<line class="{mark.series}" {ends} stroke-width="2"/>')
    return [*parts, _shape(mark.series, scale.x(mark.value), y)]


def _shape(series: Series, x: float, y: float) -> str:
    if series == "a":
        return f'<circle class="a" cx="{x:.1f}" cy="{y}" r="4"/>'
    if series == "b":
        return f'<rect class="b" x="{x - 4:.1f}" y="{y - 4}" width="8" height="8"/>'
    return f'<path class="c" d="M{x - 5:.1f} {y}l5 -5 5 5 -5 5z"/>'


def _y(row: int) -> int:
    return TOP + ROW * row


def _upright(kind: str, x: float, rows: int) -> str:
    return f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 14}" y2="{_y(rows) - 8}"/>'


def _label(label: str, y: float, kind: str = "text") -> str:
    return f'<text class="{kind}" x="{LABELS - 12}" y="{y + 5}" text-anchor="end">{escape(label)}</text>'


def _document(title: str, words: str, rows: int, scale: Scale, drawn: list[str], legend: dict[Series, str]) -> str:
    height = _y(rows) + 18 + (26 if legend else 0)
    lines = []
    for tick in scale.ticks:
        x = scale.x(tick)
        lines.append(_upright("line", x, rows))
        label = f"{tick:g}{scale.unit}"
        lines.append(f'<text class="faint" x="{x:.1f}" y="{_y(rows) + 8}" text-anchor="middle">{label}</text>')
    keys, x = [], 24
    for series, meaning in legend.items():
        keys.append(_shape(series, x, height - 16))
        keys.append(f'<text class="text" x="{x + 12}" y="{height - 11}">{escape(meaning)}</text>')
        x += 40 + 7 * len(meaning)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
            'aria-labelledby="title desc">',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="desc">{escape(words)}</desc>',
            f"<style>{STYLE}</style>",
            f'<rect class="page" width="{WIDTH}" height="{height}"/>',
            f'<text class="text title" x="24" y="30">{escape(title)}</text>',
            *lines,
            *drawn,
            *keys,
            "</svg>\n",
        ]
    )


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
