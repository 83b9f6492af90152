"""A crowd for a long time: the memory of the server and of its workers, and whatever goes wrong.

    python -m benchmarks.web_load soak --games N [--minutes 30]

N is half of what `crowd` found the machine to hold. Exit code 1 if memory grew by more than 5 % from the first fifth to
the last fifth of the time after a warm-up of a third, if a move was lost, or if anything failed.
"""

import argparse
import asyncio
import json
from typing import Any, Final

from benchmarks.documents import add_into, write
from benchmarks.serving import Serving, serving
from benchmarks.soak.memory import Watch, growth
from benchmarks.web_load.crowd import Crowd, cards_of, figures
from benchmarks.web_load.moves import LIMITS, settled
from ludex import __version__
from ludex.core.bench import machine

NAME: Final = "web_crowd_soak"
WARM_UP: Final = 1 / 3
MOST_GROWTH: Final = 0.05
SAMPLE_SECONDS: Final = 1.0
CACHED_MATCHES: Final = "32"
"""Fewer than a server keeps as it comes, so that its cache of matches is full when the warm-up ends."""
MEBIBYTE: Final = 1 << 20


async def soaked(server: Serving, games: int, seconds: float) -> dict[str, Any]:
    """One crowd with the memory it took."""
    await settled(server.process.pid)
    crowd = Crowd(server.address, games, cards_of(server.address))
    with Watch(server.process.pid, SAMPLE_SECONDS) as watch:
        counts = await crowd.play(seconds)
    counted = [sample for sample in watch.samples if sample.seconds >= WARM_UP * seconds]
    memory: dict[str, Any] = {}
    for part in ("server", "workers"):
        sizes = [getattr(sample, part) for sample in counted]
        memory[part] = {
            "first_mib": round(sizes[0] / MEBIBYTE),
            "last_mib": round(sizes[-1] / MEBIBYTE),
            "growth": growth(sizes),
        }
    return {**figures(crowd.met, seconds), **counts, "memory": memory}


def main(arguments: list[str]) -> int:
    """Play, write and judge."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.web_load soak",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", type=int, required=True, help="games at once")
    parser.add_argument("--minutes", type=float, default=30, help="length")
    parser.add_argument("--most-growth", type=float, default=MOST_GROWTH, help="share by which memory may grow")
    add_into(parser)
    options = parser.parse_args(arguments)
    where = machine(())
    with serving(*LIMITS, "--workers", "2", "--cached-matches", CACHED_MATCHES) as server:
        row = asyncio.run(soaked(server, options.games, 60 * options.minutes))
    grown = [part["growth"] for part in row["memory"].values() if part["growth"] is not None]
    sound = not row["faults"] and not row["lost"] and all(growth <= options.most_growth for growth in grown)
    document: dict[str, Any] = {"what": "a crowd for a long time", "version": __version__, "machine": where}
    document |= {"games": options.games, "minutes": options.minutes, **row, "sound": sound}
    write(options.into, NAME, document)
    print(json.dumps(document))
    return int(not sound)
