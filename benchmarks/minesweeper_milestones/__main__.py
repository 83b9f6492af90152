"""The original document's milestones M1 to M4 of Minesweeper, with the original document's network and configurations.

    python -m benchmarks.minesweeper_milestones --device cuda --minutes 12 --out OUT

M1 is PPO from scratch, M2 imitation of forced moves and PPO from it, M3 the same with the curriculum and a density
band, M4 the mine head beside the true mines and the exact probabilities. A part gets its share of the minutes: a few
updates are timed first, and the number of updates follows from that. Every network then plays 10,000 fresh boards.

Runs lie in --work, results in --out: NAME.json and NAME.metrics.jsonl per part, networks and heat maps. Parts that have
a result in --work are not repeated, an interrupted run is resumed, and a part that no longer fits into --limit seconds
is left for the next call. --collect writes benchmarks/results/minesweeper-milestones.json from the parts in --out, and
draws their curves.
"""

import json
import multiprocessing
import shutil
import time
from pathlib import Path
from typing import Any

import torch

from benchmarks.documents import ROOT, five_digits, measurement_parser, write
from benchmarks.minesweeper_milestones.judging import GAMES, judged, mine_head
from benchmarks.minesweeper_milestones.parts import MINES, PARTS, Part, Settings
from benchmarks.minesweeper_milestones.training import file_of, prepare, trained
from ludex.games.minesweeper.learning.network import load_net
from ludex.learn.device import device_name
from ludex.learn.runs import Row


class Parts:
    """Which parts are left to do, and their results."""

    def __init__(self, settings: Settings, wanted: list[str], limit: float) -> None:
        self._settings, self._wanted, self._limit = settings, wanted, limit
        self._began = time.perf_counter()

    def done(self, name: str) -> bool:
        """Whether a part has a result, which is then in --out too."""
        result = self._settings.work / f"{name}.json"
        if result.exists():
            shutil.copy(result, self._settings.out)
        return result.exists()

    def due(self, name: str, seconds: float) -> bool:
        """Whether a part is to be done now, and there is time for it."""
        if self.done(name) or not any(name == wanted or name.startswith(f"{wanted}-") for wanted in self._wanted):
            return False
        return time.perf_counter() - self._began + seconds <= self._limit

    def keep(self, name: str, document: Row) -> None:
        """Write a result."""
        device = self._settings.device
        document = {"name": name, **document, "device": device_name(device), "torch": torch.__version__}
        (self._settings.work / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n")
        self.done(name)
        figures = {key: value for key, value in document.items() if key != "curve"}
        print(f"{time.perf_counter() - self._began:.0f} s: {json.dumps(figures)}", flush=True)


def train_and_judge(part: Part, parts: Parts, settings: Settings) -> None:
    """One training run with its result."""
    run, config, how = trained(part, settings)
    net = load_net(file_of(run), settings.device).eval()
    shutil.copy(run.folder / "metrics.jsonl", settings.out / f"{part.name}.metrics.jsonl")
    shutil.copy(file_of(run), settings.out / f"{part.name}.pt")
    parts.keep(
        part.name,
        {
            "milestone": part.milestone,
            "title": part.title,
            "config": part.config,
            **how,
            "judged": list(judged(net, config, part.boards[:1] if settings.miniature else part.boards, settings)),
            "curve": [dict(row) for row in run.metrics() if "win_rate" in row],
        },
    )


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


def main() -> None:
    """Run the parts that are missing."""
    parser = measurement_parser(__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of the results")
    parser.add_argument("--work", type=Path, default=Path("runs/milestones"), help="folder of the runs")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda")
    parser.add_argument("--minutes", type=float, default=12.0, help="of training, over all parts")
    parser.add_argument("--limit", type=float, default=float("inf"), help="seconds after which no part is begun")
    parser.add_argument("--only", default="m1,m2,m3,m4", help="milestones or parts, such as m1,m3-expert")
    parser.add_argument("--workers", type=int, default=12, help="processes that make demonstrations")
    parser.add_argument("--games", type=int, default=GAMES, help="fresh boards per evaluation")
    parser.add_argument("--miniature", action="store_true", help="tiny numbers, to try the script")
    parser.add_argument("--collect", action="store_true", help="only gather the parts of --out into one document")
    args = parser.parse_args()
    if args.collect:
        rows = collected(args.out)
        document = {"game": "minesweeper", "device": rows[0]["device"], "measured": MEASURED, "rows": rows}
        write(args.into, "minesweeper-milestones", document)
        draw(rows)
        return
    for folder in (args.work, args.out):
        folder.mkdir(parents=True, exist_ok=True)
    settings = Settings(
        args.work.resolve(),
        args.out.resolve(),
        torch.device(args.device),
        60.0 * args.minutes,
        args.workers,
        args.games,
        args.miniature,
    )
    parts = Parts(settings, args.only.split(","), args.limit)
    compiling = multiprocessing.get_context("spawn").Process(target=prepare)
    compiling.start()
    for part in PARTS:
        if parts.due(part.name, part.share * settings.seconds):
            if part.stage == "il":
                compiling.join()
            if part.after is None or parts.done(part.after):
                train_and_judge(part, parts, settings)
            else:
                print(f"{part.name}: left out, {part.after} comes first", flush=True)
    compiling.join()
    for name, (preset, states) in MINES.items():
        if (settings.out / f"{name}.pt").exists() and parts.due(f"m4-{name}", 20.0):
            chosen_states = ("small", 20) if settings.miniature else (preset, states)
            figures = mine_head(name, *chosen_states, settings)
            parts.keep(f"m4-{name}", {"milestone": "M4", "title": "mine head", **figures})


if __name__ == "__main__":
    main()
