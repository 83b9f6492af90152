"""Train a Minesweeper network in about five minutes on two cores, and plot how well its probabilities are calibrated.

    pip install -c constraints.txt '.[train]'
    python examples/minesweeper_in_five_minutes.py                    # 600 steps: a few minutes
    python examples/minesweeper_in_five_minutes.py --steps 2000       # better

It runs the commands that you would type: `ludex train`, `ludex minesweeper export` and `ludex minesweeper calibrate`.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from ludex.core.folders import runs_folder
from ludex.learn.runs import list_runs


def ludex(*arguments: str) -> str:
    """The output of a command of Ludex."""
    print("ludex", *arguments, file=sys.stderr)
    done = subprocess.run([sys.executable, "-m", "ludex", *arguments], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def main() -> None:
    """Train, export, and plot."""
    parser = argparse.ArgumentParser(description="Train a Minesweeper network and plot its calibration.")
    parser.add_argument("--steps", type=int, default=600, help="steps of imitation")
    parser.add_argument("--games", type=int, default=256, help="games per chunk of demonstrations")
    parser.add_argument("--states", type=int, default=1000, help="states that the calibration is measured on")
    parser.add_argument("--output", type=Path, default=Path("calibration.svg"), help="the plot")
    given = parser.parse_args()

    chosen = [f"imitation.steps={given.steps}", f"imitation.games_per_chunk={given.games}", "imitation.chunks_ahead=1"]
    settings = [word for one in chosen for word in ("--set", one)]
    ludex("train", "minesweeper", "--config", "miniature", "--stage", "il", *settings)
    run = list_runs(runs_folder())[-1]
    network = run.folder / "net.onnx"
    ludex("minesweeper", "export", str(network.with_suffix(".pt")), "--output", str(network))
    board = ("--rows", "6", "--cols", "6", "--mines", "4")
    measured: dict[str, Any] = json.loads(
        ludex(
            *("minesweeper", "calibrate", "--net", str(network), "--states", str(given.states), *board),
            *("--output", str(given.output), "--json"),
        )
    )
    print(json.dumps(measured, indent=1))
    print(f"play it: ludex play minesweeper --rows 6 --cols 6 --mines 4 --agent net:net={network}", file=sys.stderr)


if __name__ == "__main__":
    main()
