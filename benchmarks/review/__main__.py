"""Measure reviews, and fit their curves.

    python -m benchmarks.review --games 1000 --ladder-games 100 --workers 16
    python -m benchmarks.review --only quoridor --write      # put the fitted curves into the games' data
    python -m benchmarks.review --parts --write              # only put the curves of the written results there

With `--journal FOLDER` finished games are kept as they come, and an interrupted measurement is resumed. A new curve
changes the version of the analyst, so that stored reviews are made again.
"""

import json
import tempfile
import time
from collections.abc import Iterator
from importlib.resources import files
from itertools import count, islice
from pathlib import Path
from typing import Any

from benchmarks.documents import measurement_parser, read, write
from benchmarks.review.calibration import calibrated
from benchmarks.review.journal import Journal
from benchmarks.review.ladder import laddered
from ludex.arena.entrants import make_entrant
from ludex.coach.analyst import Analyst
from ludex.coach.review import explained, positions_of
from ludex.coach.win_probability import FILE
from ludex.core.bench import machine
from ludex.core.executor import executor_for
from ludex.core.match import Match, play
from ludex.core.registry import make, names, spec

NAME = "review"
PARTS = ("calibration", "ladder", "timing")
GAMES = ("tictactoe", "quoridor", "minesweeper", "skirmish")


TIMED = (
    ("tictactoe", "3x3x3", "skilled", 5, 1),
    ("quoridor", "9x9", "skilled", 55, 4),
    ("quoridor", "9x9", "champion", 55, 4),
    ("quoridor", "9x9", "unbeatable", 55, 2),
    ("minesweeper", "beginner_9x9_10", "skilled", 10, 1),
    ("skirmish", "small", "skilled", 60, 1),
)
"""Games of a level against itself with at least so many plies, and how many games."""


def timed() -> list[dict[str, Any]]:
    """A row per game that was played."""
    rows = []
    for game, preset, level, least, wanted in TIMED:
        for match in islice(_played(game, preset, level, least), wanted):
            analyst, plies = Analyst(match.game), positions_of(match)
            # What is compiled or read once is not counted.
            analyst.assess(match, 0)
            begin = time.process_time()
            glances = {ply: analyst.glance(match, ply) for ply in plies}
            first = time.process_time() - begin
            explained(match, {ply: analyst.assess(match, ply, glances[ply]) for ply in plies})
            whole = time.process_time() - begin
            analyst.close()
            row = {"game": game, "preset": preset, "level": level, "plies": match.ply}
            rows.append({**row, "glances_cpu_seconds": first, "cpu_seconds": whole})
            print(rows[-1], flush=True)
    return rows


def _played(game: str, preset: str, level: str, least: int) -> Iterator[Match[Any, Any]]:
    board = make(game, preset)
    for seed in count():
        agents = [make_entrant(board, level) for _ in range(board.info.players)]
        match = play(board, agents, seed=seed, opening_plies=2 if board.info.chance == "none" else 0)
        if match.ply >= least:
            yield match


def publish(rows: list[dict[str, Any]], command: str) -> None:
    """Write the curves of games that keep some into their data."""
    for game in dict.fromkeys(row["game"] for row in rows):
        # Games of other packages may be measured where they are installed, and published where they are not.
        package = spec(game).review.curves if game in names() else None
        if package is None:
            continue
        path = Path(str(files(package).joinpath(FILE)))
        known = json.loads(path.read_text())["curves"] if path.exists() else {}
        fitted = {
            row["preset"]: {key: row[key] for key in ("slope", "bias", "bend", "games", "positions")}
            for row in rows
            if row["game"] == game
        }
        path.write_text(json.dumps({"command": command, "curves": known | fitted}, indent=1) + "\n")


def main() -> None:
    """Write the document `review`."""
    parser = measurement_parser(__doc__)
    parser.add_argument("--games", type=int, default=1000, help="of each class, to calibrate")
    parser.add_argument("--ladder-games", type=int, default=100, help="of each level")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=[], metavar="GAME", help="some games; no document is written")
    parser.add_argument("--parts", nargs="*", default=PARTS, choices=PARTS)
    parser.add_argument("--journal", type=Path, help="folder of finished games, which are not played again")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="of each part, then games are left out")
    parser.add_argument("--write", action="store_true", help="put the fitted curves into the games' data")
    options = parser.parse_args()
    executor = executor_for(options.workers)
    temporary = tempfile.TemporaryDirectory()
    command = f"python -m benchmarks.review --games {options.games} --seed {options.seed}"
    document: dict[str, Any] = {
        "command": f"{command} --ladder-games {options.ladder_games}",
    }
    here = machine(("ludex", "numpy", "numba", "onnxruntime"))
    if {"calibration", "ladder"} & {*options.parts}:
        document["machine"] = here
    games = [game for game in GAMES if not options.only or game in options.only]

    def journal(part: str) -> Journal:
        folder = options.journal or Path(temporary.name)
        return Journal(folder / f"{part}.jsonl", time.monotonic() + options.seconds)

    def keep() -> None:
        # Parts may be measured one after the other.
        known = read(NAME, options.into) if (options.into / f"{NAME}.json").exists() else {}
        if not options.only:
            write(options.into, NAME, known | document)

    if "calibration" in options.parts:
        rows = calibrated(options.games, options.seed, executor, journal("calibration"), options.only)
        document["calibration"] = rows
        keep()
    if options.write:
        fitted = document if "calibration" in document else read(NAME, options.into)
        publish(fitted["calibration"], fitted["command"])
    if "ladder" in options.parts:
        document["ladder"] = laddered(options.ladder_games, options.seed, executor, journal("ladder"), games)
        keep()
    if "timing" in options.parts:
        document |= {"timing": timed(), "timing_machine": here}
        keep()


if __name__ == "__main__":
    main()
