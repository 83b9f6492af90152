"""Seconds from `ludex serve` to a page, and to a machine's first reply in every game.

    python -m benchmarks.startup [--into FOLDER]

The first row has an empty kernel cache, the second the cache that the first has left, as a second clone or environment
of the same version finds it.

Each game is begun as soon as the server accepts it: with two players against the default opponent, whose reply is
waited for. CPU-seconds are those of the server and all its processes.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx

from benchmarks.documents import add_into, write
from ludex import __version__
from ludex.core.bench import machine

NAME = "startup"
POLL = 0.05


@dataclass(frozen=True, slots=True)
class Startup:
    """What one start of a server took, in seconds since its command."""

    cache: str
    page: float
    """The home page and its list of games."""
    first_move: dict[str, float]
    """By game: a match begun, a move played, and answered by the machine where it has one."""
    cpu_seconds: float


class Server:
    """`ludex serve` on a free port, with folders of its own."""

    def __init__(self, cache: Path, data: Path) -> None:
        folders = {f"LUDEX_{name}": str(data / name.lower()) for name in ("DATA", "RUNS", "TOURNAMENTS")}
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ludex", "serve", "--port", "0", "--requests-per-minute", "1000000"],
            env={**os.environ, **folders, "LUDEX_CACHE": str(cache)},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().removeprefix("Ludex plays at ").partition(";")[0]
        self._spent: dict[int, float] = {}
        self._ended = threading.Event()
        self._sampling = threading.Thread(target=self._sample, daemon=True)
        self._sampling.start()

    def seconds(self) -> float:
        return time.monotonic() - self.began

    def close(self) -> float:
        """End it, and give the CPU-seconds that its processes were seen to spend."""
        self._ended.set()
        self._sampling.join()
        self.process.terminate()
        self.process.wait()
        return sum(self._spent.values())

    def _sample(self) -> None:
        """Compilers end before the server does: what each process has spent is noted all along."""
        tick = os.sysconf("SC_CLK_TCK")
        while not self._ended.wait(POLL):
            for pid in _family(self.process.pid):
                try:
                    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                except (FileNotFoundError, ProcessLookupError):
                    continue
                self._spent[pid] = (int(fields[11]) + int(fields[12])) / tick


def _family(pid: int) -> list[int]:
    """A process and its children, its children's children and so on."""
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        found.append(one)
        for children in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                waiting.extend(int(child) for child in children.read_text().split())
            except (FileNotFoundError, ProcessLookupError):
                continue
    return found


def measure(cache: Path, name: str) -> Startup:
    """Start a server on a cache, and play the first move of every game."""
    with ExitStack() as closing:
        server = Server(cache, Path(closing.enter_context(tempfile.TemporaryDirectory())))
        with httpx.Client(base_url=server.url, timeout=600) as client:
            client.get("/").raise_for_status()
            games = client.get("/api/games").raise_for_status().json()["games"]
        page = server.seconds()
        with ThreadPoolExecutor(len(games)) as people:
            moves = {game["id"]: people.submit(first_move, server, game) for game in games}
            first = {game: done.result() for game, done in moves.items()}
        return Startup(name, page, first, server.close())


def first_move(server: Server, game: dict[str, Any]) -> float:
    """Begin a match as soon as the server lets it begin, move, and wait for the reply: seconds since the start."""
    preset = game["presets"][0]
    opponent = next(one["name"] for one in game["agents"] if one["presets"] is None or preset in one["presets"])
    wish = {"game": game["id"], "seats": ["you", opponent][: game["players"]]}
    with httpx.Client(base_url=server.url, timeout=600) as client:
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
    return server.seconds()


def main() -> None:
    """Measure, write and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_into(parser)
    options = parser.parse_args()
    # Before the measurement, so that the load is that of other processes.
    where = machine(())
    with tempfile.TemporaryDirectory() as cache:
        rows = [asdict(measure(Path(cache), name)) for name in ("empty", "warm")]
    document = {
        "what": "seconds from `ludex serve` to the home page and to a machine's first reply",
        "version": __version__,
        "machine": where,
        "rows": rows,
    }
    write(options.into, NAME, document)
    print(json.dumps(document, indent=1))


if __name__ == "__main__":
    main()
