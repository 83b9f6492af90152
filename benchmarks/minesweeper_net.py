"""How often a network wins beside the solvers, on the same boards: `python benchmarks/minesweeper_net.py NET.pt`.

Every preset and both usual starts, 10,000 boards of seed 977 each, the gain over `exact` and `expert` board by board
with its interval. Writes benchmarks/results/minesweeper-net-977.json, a row as soon as it is known; rows that are there
are kept, so that a run that was cut off goes on.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results" / "minesweeper-net-977.json"
STARTS = ("zero", "safe")
PRESETS = ("small", "beginner", "med", "expert")
GAMES, SEED = 10_000, 977


def measured(net: Path, preset: str, start: str, device: str) -> dict[str, Any]:
    """One measurement through the command line."""
    command = ["minesweeper", "measure", str(net), "--preset", preset, "--start", start, "--device", device]
    command += ["--games", str(GAMES), "--seed", str(SEED), "--beside", "exact", "--beside", "expert", "--json"]
    run = [sys.executable, "-m", "ludex", *command]
    document: dict[str, Any] = json.loads(subprocess.run(run, check=True, stdout=subprocess.PIPE).stdout)
    return {**document, "preset": preset, "net": net.name}


def main() -> None:
    """Measure what is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", type=Path)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda")
    args = parser.parse_args()
    rows: list[dict[str, Any]] = json.loads(RESULTS.read_text())["rows"] if RESULTS.exists() else []
    known = {(row["preset"], row["start"]) for row in rows}
    for start in STARTS:
        for preset in PRESETS:
            if (preset, start) not in known:
                rows.append(measured(args.net, preset, start, args.device))
                RESULTS.write_text(json.dumps({"game": "minesweeper", "rows": rows}, indent=1) + "\n")
                print(json.dumps(rows[-1]), flush=True)


if __name__ == "__main__":
    main()
