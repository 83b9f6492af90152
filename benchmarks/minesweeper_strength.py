"""How often the players win, on every preset and both usual starts: `python benchmarks/minesweeper_strength.py`.

Writes benchmarks/results/minesweeper-strength.json: one evaluation a board, start and player, each with its command.
`--seed 977 --agents exact,expert --results minesweeper-boards-977.json` plays the boards that `ludex minesweeper
measure` plays by default.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
STARTS = ("zero", "safe")
PRESETS = ("small", "beginner", "med", "expert")
AGENTS = ("expert", "exact", "heuristic", "rules", "rules:guess=uniform")
GAMES = 10_000
KEPT = (
    "preset",
    "agent",
    "games",
    "seed",
    "win_rate",
    "ci95",
    "avg_progress",
    "guesses",
    "luck",
    "stopped",
    "ms_per_game",
)
DAVID_HILL = {
    "zero": {"small": 0.904, "beginner": 0.971, "med": 0.891, "expert": 0.552},
    "safe": {"small": 0.817, "beginner": 0.912, "med": 0.777, "expert": 0.414},
}
"""What David Hill's Java solver was measured at, the strongest public one known to us; how many games is not known."""


def main() -> None:
    """Run every evaluation and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--agents", default=",".join(AGENTS))
    parser.add_argument("--results", default="minesweeper-strength.json")
    chosen = parser.parse_args()
    rows = [
        evaluated(agent, preset, start, GAMES, chosen.seed, chosen.workers)
        for start in STARTS
        for agent in chosen.agents.split(",")
        for preset in PRESETS
    ]
    document = {"game": "minesweeper", "reference": DAVID_HILL, "rows": rows}
    (RESULTS / chosen.results).write_text(json.dumps(document, indent=2) + "\n")


def evaluated(agent: str, preset: str, start: str, games: int, seed: int, workers: int) -> dict[str, Any]:
    """One evaluation through the command line, with the command that repeats it."""
    command = ["eval", "minesweeper", "--agent", agent, "--preset", preset, "--start", start]
    command += ["--games", str(games), "--seed", str(seed), "--json"]
    run = [sys.executable, "-m", "ludex", *command, "--workers", str(workers)]
    found = json.loads(subprocess.run(run, check=True, stdout=subprocess.PIPE).stdout)
    row = {"start": start, **{key: found[key] for key in KEPT}, "command": " ".join(["ludex", *command])}
    print(f"{start} {preset} {agent}: {row['win_rate']:.2%} {row['ci95']}", file=sys.stderr)
    return row


if __name__ == "__main__":
    main()
