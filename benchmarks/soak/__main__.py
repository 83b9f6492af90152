"""The web server under mixed play.

    python -m benchmarks.soak [--minutes 30] [--matches N] [--guests 4] [--games tictactoe,quoridor] [--into FOLDER]

Starts a real server and lets guests play all games over HTTP and WebSockets: against every machine, alone at the board,
and machines among themselves. Memory of the server and of its workers is sampled all the while. Writes web_soak.json,
and ends with exit code 1 if memory has grown by more than --most-growth after the warm-up or if anything went wrong.
Memory is read from /proc: Linux only.
"""

import argparse
import json
import re
import shlex
import sys
import threading
import time
from dataclasses import dataclass
from statistics import median
from typing import Any, Self

from benchmarks.documents import measurement_parser, write
from benchmarks.serving import Serving, Visitor, family, resident, serving
from benchmarks.soak.guest import Guest, Tally, scenarios
from benchmarks.tables.server import verdict
from ludex.core.bench import machine

NAME = "web_soak"
LIMITS = (
    *("--requests-per-minute", "100000000", "--burst", "1000000", "--pace-ms", "0"),
    *("--matches-per-hour", "1000000", "--matches-per-person", "1000000", "--matches-per-address", "1000000"),
)
"""Guests are quicker than people."""
CACHED_MATCHES = 32
"""Fewer than a server keeps as it comes, so that its memory of matches is full when the warm-up ends."""
LOOK_SECONDS = 0.1
SAMPLES = 600
LONGEST_PAUSE = 5.0


WINDOW = 5
"""Growth is from the first to the last of so many parts of the time after the warm-up."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Resident bytes at one moment."""

    seconds: float
    server: int
    workers: int


class Watch(threading.Thread):
    """Takes a sample every so often until it is stopped."""

    def __init__(self, process: int, every_seconds: float) -> None:
        super().__init__(daemon=True)
        self.samples: list[Sample] = []
        self._process = process
        self._every = every_seconds
        self._begin = time.monotonic()
        self._ended = threading.Event()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self.join()

    def run(self) -> None:
        while not self._ended.wait(self._every):
            try:
                server = resident(self._process)
            except FileNotFoundError:
                # The server is gone: who plays with it notices.
                return
            workers = sum(map(_resident_or_gone, family(self._process)[1:]))
            self.samples.append(Sample(time.monotonic() - self._begin, server, workers))


def _resident_or_gone(process: int) -> int:
    try:
        return resident(process)
    except (FileNotFoundError, ProcessLookupError):
        return 0


def growth(sizes: list[int]) -> float | None:
    """By which share memory grew from the first fifth to the last; None for too few samples to tell.

    >>> growth([100, 101, 100, 100, 102, 103, 110, 111, 110, 110])
    0.09452736318407962
    """
    part = len(sizes) // WINDOW
    return median(sizes[-part:]) / median(sizes[:part]) - 1 if part else None


def soaked(options: argparse.Namespace) -> dict[str, Any]:
    """Play for the time, and tell."""
    seconds = 60 * options.minutes
    where = machine(("ludex", "numpy", "numba", "fastapi", "uvicorn", "starlette", "websockets"))
    workers = ("--workers", str(options.workers), "--workers-per-address", str(options.workers))
    flags = (*LIMITS, *workers, "--cached-matches", str(CACHED_MATCHES))
    tally, ended = Tally(), threading.Event()
    with serving(*flags, program=shlex.split(options.program)) as server:
        cards = Visitor(server.address).ask("GET", "/api/games").document()["games"]
        plans = scenarios(cards, frozenset(filter(None, options.games.split(","))))
        guests = [Guest(server.address, options.seed + k, plans, tally, ended) for k in range(options.guests)]
        begin = time.monotonic()
        with Watch(server.process.pid, min(LONGEST_PAUSE, seconds / SAMPLES)) as watch:
            for guest in guests:
                guest.start()
            _wait(server, tally, seconds, options.matches)
            played = time.monotonic() - begin
            ended.set()
            for guest in guests:
                guest.join()
        alive = server.process.poll() is None
        checked = sum(guest.check() for guest in guests) if alive else 0
        _read_log(server, tally)
    return {
        "what": "a real server under mixed play over HTTP and WebSockets",
        "machine": where,
        "seed": options.seed,
        "minutes": played / 60,
        "warm_up": options.warm_up,
        "guests": options.guests,
        "workers": options.workers,
        "cached_matches": CACHED_MATCHES,
        "scenarios": len(plans),
        "games_finished": dict(sorted(tally.finished.items())),
        "matches_checked_at_the_end": checked,
        "moves": dict(sorted(tally.moves.items())),
        "requests": tally.requests,
        "errors": dict(tally.errors),
        "quoted": tally.quoted,
        "latencies": tally.latencies(),
        "memory": _memory(watch.samples, played, options.warm_up),
        "most_growth": options.most_growth,
    }


def _wait(server: Serving, tally: Tally, seconds: float, matches: int | None) -> None:
    """Until the time is over, or so many matches have come to an end, good or bad."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and (matches is None or tally.ended < matches):
        code = server.process.poll()
        if code is not None:
            tally.trouble("server_died", f"exit code {code}")
            return
        time.sleep(LOOK_SECONDS)


def _read_log(server: Serving, tally: Tally) -> None:
    """Warnings and compiled agents are the server's business; an error in its log, or a traceback, is ours."""
    for line in server.log():
        if re.search(r": ready after \d+ s$", line):
            continue
        if not line.startswith("{") or json.loads(line).get("level") in ("error", "critical"):
            tally.trouble("logged", line)


def _memory(samples: list[Sample], seconds: float, warm_up: float) -> dict[str, Any]:
    counted = [sample for sample in samples if sample.seconds >= warm_up * seconds]
    report: dict[str, Any] = {"samples": len(counted)}
    for part in ("server", "workers"):
        sizes = [getattr(sample, part) for sample in counted]
        report[part] = {
            "first_mib": sizes[0] / 2**20 if sizes else None,
            "last_mib": sizes[-1] / 2**20 if sizes else None,
            "most_mib": max(sizes) / 2**20 if sizes else None,
            "growth": growth(sizes),
        }
    return report


def main() -> int:
    """Play, write and judge."""
    parser = measurement_parser(__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--matches", type=int, default=None, help="end sooner, after so many")
    parser.add_argument("--guests", type=int, default=4, help="clients that play at once")
    parser.add_argument("--workers", type=int, default=2, help="processes of the server that run searches")
    parser.add_argument("--games", default="", help="games to play, comma-separated; all if not given")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--warm-up", type=float, default=1 / 3, help="share of the time before memory counts")
    parser.add_argument("--most-growth", type=float, default=0.05, help="share by which memory may grow after it")
    parser.add_argument("--program", default=shlex.join([sys.executable, "-m", "ludex"]), help="what serves")
    options = parser.parse_args()
    document = soaked(options)
    write(options.into, NAME, document)
    print(json.dumps(document, indent=1))
    complaints = verdict(document)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return int(bool(complaints))


if __name__ == "__main__":
    sys.exit(main())
