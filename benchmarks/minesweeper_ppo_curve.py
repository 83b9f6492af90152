"""The curves of PPO runs of Minesweeper's network, all in one file and one figure.

    python -m benchmarks.minesweeper_ppo_curve NAME runs/RUN/metrics.jsonl --tried "what changed" --judged judged.jsonl

adds a run to benchmarks/results/minesweeper-ppo-curves.json, or replaces the one of that name, and draws
docs/pictures/minesweeper-ppo.svg again; without arguments it only draws. `judged.jsonl` holds what `ludex minesweeper
measure AFTER --before BEFORE --json` printed, a line each.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from benchmarks.documents import five_digits

RESULTS = Path(__file__).parent / "results" / "minesweeper-ppo-curves.json"
PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "minesweeper-ppo.svg"
KEPT = (
    "update",
    "start",
    "board",
    "games",
    "rollout_win_rate",
    "approx_kl",
    "clip_fraction",
    "entropy",
    "value_loss",
    "auxiliary_loss",
    "learned_from",
    "lr",
    "transitions",
)
JUDGED = ("preset", "start", "games", "seed", "win_rate", "ci95", "gain", "gain_ci95")
PANELS = (
    ("rollout_win_rate", "games of the rollout won"),
    ("approx_kl", "approximate KL"),
    ("auxiliary_loss", "auxiliary loss"),
)


def rows_of(path: Path, keys: tuple[str, ...]) -> list[dict[str, Any]]:
    """The rows of a file of JSON lines, without what is not kept, in five digits."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [{key: five_digits(row[key]) for key in keys if key in row} for row in rows]


def draw(runs: list[dict[str, Any]]) -> None:
    """A row of panels a run, a line a start rule."""
    figure = Figure(figsize=(11, 2.6 * len(runs)), layout="constrained")
    axes = figure.subplots(len(runs), len(PANELS), squeeze=False)
    for run, line in zip(runs, axes, strict=True):
        for (key, label), panel in zip(PANELS, line, strict=True):
            for start in sorted({row["start"] for row in run["curve"]}):
                points = [row for row in run["curve"] if row["start"] == start and key in row]
                panel.plot(
                    [row["update"] for row in points], [row[key] for row in points], marker=".", label=f"{start} start"
                )
            panel.set_title(f"{run['name']}: {label}", fontsize=9)
            panel.set_xlabel("update")
            panel.set_ylim(bottom=0)
            panel.grid(alpha=0.3)
        line[0].legend(fontsize=8)
    figure.savefig(PICTURE, metadata={"Date": None})


def main() -> None:
    """Add a run if one is named, and draw all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?")
    parser.add_argument("metrics", nargs="?", type=Path)
    parser.add_argument("--tried", default="")
    parser.add_argument("--judged", type=Path)
    args = parser.parse_args()
    document: dict[str, Any] = (
        json.loads(RESULTS.read_text()) if RESULTS.exists() else {"game": "minesweeper", "runs": []}
    )
    if args.name is not None:
        if args.metrics is None or not args.tried:
            parser.error("a run needs its metrics.jsonl, and --tried says what was tried")
        run = {
            "name": args.name,
            "tried": args.tried,
            "judged": [] if args.judged is None else rows_of(args.judged, JUDGED),
            "curve": [row for row in rows_of(args.metrics, KEPT) if "rollout_win_rate" in row],
        }
        document["runs"] = [earlier for earlier in document["runs"] if earlier["name"] != args.name] + [run]
        RESULTS.write_text(json.dumps(document, indent=1) + "\n")
    draw(document["runs"])


if __name__ == "__main__":
    main()
