"""Measure reviews, and fit their curves.

    python -m benchmarks.review --games 1000 --ladder-games 100 --workers 16
    python -m benchmarks.review --only quoridor --write      # put the fitted curves into the games' data

A new curve changes the version of the analyst, so that stored reviews are made again.
"""

import argparse
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from benchmarks.documents import add_into, read, write
from benchmarks.review.calibration import calibrated
from benchmarks.review.ladder import laddered
from benchmarks.review.timing import timed
from ludex.coach.win_probability import FILE
from ludex.core.bench import machine
from ludex.core.executor import executor_for
from ludex.core.registry import spec

NAME = "review"
PARTS = ("calibration", "ladder", "timing")
GAMES = ("tictactoe", "quoridor", "minesweeper", "skirmish")


def publish(rows: list[dict[str, Any]], command: str) -> None:
    """Write the curves of games that keep some into their data."""
    for game in dict.fromkeys(row["game"] for row in rows):
        package = spec(game).review.curves
        if package is None:
            continue
        path = Path(str(files(package).joinpath(FILE)))
        known = json.loads(path.read_text())["curves"] if path.exists() else {}
        fitted = {
            row["preset"]: {key: row[key] for key in ("slope", "bias", "games", "positions")}
            for row in rows
            if row["game"] == game
        }
        path.write_text(json.dumps({"command": command, "curves": known | fitted}, indent=1) + "\n")


def main() -> None:
    """Write the document `review`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000, help="of each class, to calibrate")
    parser.add_argument("--ladder-games", type=int, default=100, help="of each level")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=[], metavar="GAME", help="some games; no document is written")
    parser.add_argument("--parts", nargs="*", default=PARTS)
    parser.add_argument("--write", action="store_true", help="put the fitted curves into the games' data")
    add_into(parser)
    options = parser.parse_args()
    executor = executor_for(options.workers)
    command = f"python -m benchmarks.review --games {options.games} --seed {options.seed}"
    document: dict[str, Any] = {
        "command": f"{command} --ladder-games {options.ladder_games}",
        "machine": machine(("ludex", "numpy", "numba", "onnxruntime")),
    }
    chosen = [game for game in GAMES if not options.only or game in options.only]
    if "calibration" in options.parts:
        document["calibration"] = calibrated(options.games, options.seed, executor, options.only)
        if options.write:
            publish(document["calibration"], command)
    if "ladder" in options.parts:
        document["ladder"] = laddered(options.ladder_games, options.seed, executor, chosen)
    if "timing" in options.parts:
        document["timing"] = timed()
    if not options.only:
        path = options.into / f"{NAME}.json"
        # Parts may be measured one after the other.
        known = read(NAME, options.into) if path.exists() else {}
        write(options.into, NAME, known | document)


if __name__ == "__main__":
    main()
