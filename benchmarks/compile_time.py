"""CPU-seconds that compiling all kernels into an empty cache takes: `python -m benchmarks.compile_time [GAME ...]`.

One process per game, as `ludex warmup` uses them. A kernel's time includes the kernels it calls.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from numba.core import event

from ludex.core import registry
from ludex.kernels.warmup import GROUPS, load_group


class Row(NamedTuple):
    """What compiling one kernel for one signature took."""

    game: str
    group: str
    kernel: str
    cpu_seconds: float


@dataclass
class Stopwatch(event.Listener):
    """Measures each compilation that no other one caused."""

    game: str
    group: str = GROUPS[0]

    def __post_init__(self) -> None:
        self.rows: list[Row] = []
        self._depth = 0
        self._begin = 0.0

    def on_start(self, event: Any) -> None:
        """Begin, unless a compilation is under way."""
        if self._depth == 0:
            self._begin = time.process_time()
        self._depth += 1

    def on_end(self, event: Any) -> None:
        """End the outermost compilation."""
        self._depth -= 1
        if self._depth == 0:
            function = event.data["dispatcher"].py_func
            name = f"{function.__module__}.{function.__qualname__}"
            self.rows.append(Row(self.game, self.group, name, time.process_time() - self._begin))


def compile_game(game: str) -> list[Row]:
    """Compile a game's kernels in this process, the most urgent first; the rest of its CPU time is a row too."""
    stopwatch = Stopwatch(game)
    event.register("numba:compile", stopwatch)
    rows: list[Row] = []
    for group in GROUPS:
        stopwatch.group, stopwatch.rows = group, []
        begin = time.process_time() if rows else 0.0
        load_group(game, group)
        other = time.process_time() - begin - sum(row.cpu_seconds for row in stopwatch.rows)
        rows += [*stopwatch.rows, Row(game, group, "(imports and runs)", other)]
    return rows


def compile_games(games: Sequence[str]) -> list[Row]:
    """Compile each game's kernels in a process of its own, into one empty cache."""
    rows = []
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "LUDEX_CACHE": cache}
        environment.pop("NUMBA_CACHE_DIR", None)
        for game in games:
            command = [sys.executable, "-m", "benchmarks.compile_time", "--in-process", game]
            done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
            rows += [Row(*row) for row in json.loads(done.stdout)]
    return rows


def main(arguments: list[str]) -> None:
    """Print the kernels by their cost, and the sums per game and group."""
    if arguments[:1] == ["--in-process"]:
        print(json.dumps(compile_game(arguments[1])))
        return
    games = arguments or registry.names()
    rows = compile_games(games)
    for row in sorted(rows, key=lambda row: -row.cpu_seconds):
        print(f"{row.cpu_seconds:8.2f}  {row.game:12} {row.group:10} {row.kernel}")
    for game in (*games, "all games"):
        sums = {
            group: sum(row.cpu_seconds for row in rows if row.group == group and game in (row.game, "all games"))
            for group in GROUPS
        }
        print(f"{game:12}", *(f"{group} {seconds:6.1f}  " for group, seconds in sums.items()), end="")
        print(f"all {sum(sums.values()):6.1f} CPU-seconds")


if __name__ == "__main__":
    main(sys.argv[1:])
