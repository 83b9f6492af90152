"""Whole matches over HTTP, their beginnings included: requests per second, latency, and CPU time per request.

    python -m benchmarks.web_load whole [--clients 1 8 50] [--seconds 20]

Every client begins a match of tic-tac-toe for two at one screen, reads its stage, plays its nine moves and begins the
next one. Each row has a server and a database of its own.
"""

import asyncio
import time
from typing import Any

import aiohttp

from benchmarks.documents import measurement_parser, report_rows
from benchmarks.serving import serving
from benchmarks.web_load.moves import DRAW, LIMITS, cpu_seconds_of, percentiles, settled

NAME = "web_whole"
BEGIN = {"game": "tictactoe", "seats": ["you", "you"]}


async def client(address: str, times: list[float], stop: asyncio.Event) -> None:
    """One match after the other; the milliseconds of every request are added to `times`."""
    async with aiohttp.ClientSession(address, cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:

        async def ask(method: str, path: str, body: object = None) -> Any:
            begin = time.perf_counter()
            async with session.request(method, path, json=body) as answer:
                document = await answer.json()
                answer.raise_for_status()
            times.append(1000 * (time.perf_counter() - begin))
            return document

        while not stop.is_set():
            match = await ask("POST", "/api/matches", BEGIN)
            path = f"/api/matches/{match['id']}"
            await ask("GET", f"{path}/stage")
            for text in DRAW:
                if stop.is_set():
                    return
                match = await ask("POST", f"{path}/moves", {"version": match["version"], "text": text})


async def row(address: str, pid: int, clients: int, seconds: float) -> dict[str, Any]:
    """So many clients for some seconds."""
    await settled(pid)
    times, stop = list[float](), asyncio.Event()
    asyncio.get_running_loop().call_later(seconds, stop.set)
    before, begin = cpu_seconds_of([pid]), time.perf_counter()
    await asyncio.gather(*(client(address, times, stop) for _ in range(clients)))
    wall, cpu = time.perf_counter() - begin, cpu_seconds_of([pid]) - before
    return {
        "clients": clients,
        "requests": len(times),
        "requests_per_second": round(len(times) / wall, 1),
        "server_cpu_ms_per_request": round(1000 * cpu / len(times), 2),
        "answered_ms": percentiles(times),
    }


def measured(clients: int, seconds: float) -> dict[str, Any]:
    """A row on a fresh server."""
    with serving(*LIMITS) as server:
        return asyncio.run(row(server.address, server.process.pid, clients, seconds))


def main(arguments: list[str]) -> int:
    """Measure, write and print."""
    parser = measurement_parser(__doc__, "python -m benchmarks.web_load whole")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 50], help="clients at once, a row each")
    parser.add_argument("--seconds", type=float, default=20, help="length of each row")
    options = parser.parse_args(arguments)
    rows = (measured(clients, options.seconds) for clients in options.clients)
    what = "whole matches of tic-tac-toe over HTTP, beginnings included"
    report_rows(options, NAME, what, rows, seconds=options.seconds)
    return 0
