"""The results of all parts in one document, and the picture of their curves."""

import json
from pathlib import Path
from typing import Any

from benchmarks.documents import ROOT, five_digits
from benchmarks.minesweeper_milestones.parts import MINES, PARTS
from ludex.learn.runs import Row

MEASURED = "training and the 10,000 boards on the GPU, mine heads on a CPU, by the commands in it"
PICTURE = ROOT / "docs/pictures/minesweeper-milestones.svg"


def collected(folder: Path) -> list[Row]:
    """The results of all parts, in five digits, those of training before those of mine heads."""
    names = [part.name for part in PARTS] + [f"m4-{name}" for name in MINES]
    return [
        five_digits(json.loads(path.read_text()))
        for path in (folder / f"{name}.json" for name in names)
        if path.exists()
    ]


def draw(rows: list[Row]) -> None:
    """The curves of every run that was evaluated while it was trained, a panel per milestone."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 3.2), layout="constrained")
    panels = dict(zip(("M1", "M2", "M3"), figure.subplots(1, 3, sharey=True), strict=True))
    for row in rows:
        curve: Any = row.get("curve", [])
        for board in dict.fromkeys(point["board"] for point in curve):
            points = [point for point in curve if point["board"] == board]
            share = [point.get("update", point.get("step")) / row["updates"] for point in points]
            panel = panels[str(row["milestone"])]
            line = panel.plot(
                share, [point["win_rate"] for point in points], marker=".", label=f"{row['name']}, {board}"
            )
            if row["milestone"] == "M1":
                panel.plot(share, [point["avg_progress"] for point in points], ":", color=line[0].get_color())
    for milestone, panel in panels.items():
        panel.set_title(
            f"{milestone}: games won" + ("; dotted: cells revealed" if milestone == "M1" else ""), fontsize=10
        )
        panel.set_xlabel("share of the run's updates")
        panel.set_ylim(0, 1)
        panel.grid(alpha=0.3)
        panel.legend(fontsize=6)
    figure.savefig(PICTURE, metadata={"Date": None})
