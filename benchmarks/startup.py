"""Seconds from `ludex serve` to a page, and to a machine's first reply in every game.

    python -m benchmarks.startup [--into FOLDER]

The first row has an empty kernel cache, the second the cache that the first has left, as a second clone or environment
of the same version finds it.

Each game is begun as soon as the server accepts it: with two players against the default opponent, whose reply is
waited for. Games of a shelf are begun when those of the first row have answered;
`LUDEX_IGNORE=ludex-classics` measures without them. CPU-seconds are those of the server and all its processes.
"""

import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx

from benchmarks.documents import measurement_parser, report
from benchmarks.serving import cpu_seconds, serving
from ludex.core.bench import machine

NAME = "startup"
POLL = 0.05
SHELVES = {"": "ludex-classics", ", with the classics": ""}
"""By what a row adds to its name, the distributions that the server leaves out."""


@dataclass(frozen=True, slots=True)
class Startup:
    """What one start of a server took, in seconds since its command."""

    cache: str
    page: float
    """The home page and its list of games."""
    first_move: dict[str, float]
    """By game: a match begun, a move played, and answered by the machine where it has one."""
    cpu_seconds: float


class Meter:
    """Adds up the CPU time of a server's processes: compilers end before the server does, so it samples all along."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._spent: dict[int, float] = {}
        self._ended = threading.Event()
        self._sampling = threading.Thread(target=self._sample, daemon=True)
        self._sampling.start()

    def stop(self) -> float:
        """End the sampling, and return the CPU-seconds that the processes were seen to spend."""
        self._ended.set()
        self._sampling.join()
        return sum(self._spent.values())

    def _sample(self) -> None:
        while not self._ended.wait(POLL):
            self._spent |= cpu_seconds(self._pid)


def measure(cache: Path, name: str, ignored: str) -> Startup:
    """Start a server on a cache, and play the first move of every game."""
    began = time.monotonic()
    with serving("--requests-per-minute", "1000000", LUDEX_CACHE=str(cache), LUDEX_IGNORE=ignored) as server:
        meter = Meter(server.process.pid)
        with httpx.Client(base_url=server.address, timeout=600) as client:
            client.get("/").raise_for_status()
            games = client.get("/api/games").raise_for_status().json()["games"]
        page = time.monotonic() - began
        first: dict[str, float] = {}
        for shelved in (False, True):
            begun = [game for game in games if (game["shelf"] is not None) == shelved]
            with ThreadPoolExecutor(len(begun) or 1) as people:
                moves = {game["id"]: people.submit(first_move, server.address, game) for game in begun}
                first |= {game: done.result() - began for game, done in moves.items()}
        return Startup(name, page, first, meter.stop())


def first_move(address: str, game: dict[str, Any]) -> float:
    """Begin a match as soon as the server lets it begin, move, and wait for the reply: the time of that."""
    preset = game["presets"][0]
    opponent = next(agent["name"] for agent in game["agents"] if agent["presets"] is None or preset in agent["presets"])
    wish = {"game": game["id"], "seats": ["you", opponent][: game["players"]]}
    with httpx.Client(base_url=address, timeout=600) as client:
        while (answer := client.post("/api/matches", json=wish)).status_code == httpx.codes.SERVICE_UNAVAILABLE:
            if answer.json()["code"] != "preparing":
                break
            time.sleep(POLL)
        match = answer.raise_for_status().json()
        path = f"/api/matches/{match['id']}"
        legal = client.get(f"{path}/legal").raise_for_status().json()["moves"]
        body = {"version": match["version"], "text": legal[0]["text"]}
        match = client.post(f"{path}/moves", json=body).raise_for_status().json()
        while match["live"] and not match["can"]["move"]:
            time.sleep(POLL)
            match = client.get(path).raise_for_status().json()
    return time.monotonic()


def main() -> None:
    """Measure, write and print."""
    parser = measurement_parser(__doc__)
    options = parser.parse_args()
    # Before the measurement, so that the load is that of other processes.
    where = machine(())
    rows = []
    for shelf, ignored in SHELVES.items():
        with tempfile.TemporaryDirectory() as cache:
            rows += [asdict(measure(Path(cache), name + shelf, ignored)) for name in ("empty", "warm")]
    what = "seconds from `ludex serve` to the home page and to a machine's first reply"
    report(options.into, NAME, what, where, rows=rows)


if __name__ == "__main__":
    main()
