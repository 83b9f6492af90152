"""Two-person games over HTTP and WebSockets: moves per second, latency, and CPU time of the server per move.

    python -m benchmarks.web_load moves [--games 1 8 50] [--seconds S] [--paced 100] [--before CHECKOUT]

Every game has two people, each with a cookie, a persistent connection and an open WebSocket, as two browsers have. A
move is a POST whose answer is awaited; the next one follows at once, or a second later where games are paced. Matches
are begun and joined before the clock starts, so the figures are those of moves. Each row has a server and a database of
its own; `cold` servers cache one match, so that most moves read their match from the database. With `--before` the
rows of another checkout of Ludex alternate with ours, on the same machine in the same run.
"""

import asyncio
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

from benchmarks.documents import measurement_parser, report_rows
from benchmarks.serving import cpu_seconds, serving
from ludex.arena.statistics import percentile

NAME = "web_load"
DRAW = ("b2", "a1", "a2", "c2", "b1", "b3", "a3", "c1", "c3")
"""A game of tic-tac-toe without a winner: every match has nine moves."""
LIMITS = (
    *("--requests-per-minute", "100000000", "--burst", "1000000", "--connections", "100000", "--sockets", "75000"),
    *("--matches-per-hour", "1000000", "--matches-per-person", "1000000", "--matches-per-address", "1000000"),
    *("--connections-per-address", "100000", "--sockets-per-address", "100000"),
)
MOST_PER_SECOND = 600
"""So many moves are prepared for each second of a row."""
QUIET = 0.02
"""Workers that use less than this share of a core have loaded their kernels."""


@dataclass
class Samples:
    """What the players saw: milliseconds of each move."""

    answered: list[float] = field(default_factory=list)
    """Until the mover had the answer."""
    seen: list[float] = field(default_factory=list)
    """Until the opponent's WebSocket brought the move."""


class Person:
    """One browser: a cookie, a connection, a WebSocket."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self._session = session
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._reading: asyncio.Task[None] | None = None
        self._version, self._news = 0, asyncio.Condition()

    async def post(self, path: str, body: object = None) -> Any:
        async with self._session.post(path, json=body) as answer:
            text = await answer.text()
            if answer.status >= 300:
                raise RuntimeError(f"POST {path}: {answer.status} {text}")
            return json.loads(text)

    async def watch(self, match_id: str) -> None:
        """Open the match's WebSocket and read its first state."""
        self._socket = await self._session.ws_connect(f"/api/matches/{match_id}/live")
        self._reading = asyncio.create_task(self._read(self._socket))
        await self.sees(1)

    async def sees(self, version: int) -> None:
        """Wait until the WebSocket has brought this version of the match."""
        async with self._news:
            await self._news.wait_for(lambda: self._version >= version or self._lost())
        if self._version < version:
            raise ConnectionError(f"the WebSocket was closed before version {version} of the match")

    async def leave(self) -> None:
        if self._socket is not None and self._reading is not None:
            await self._socket.close()
            await self._reading

    def _lost(self) -> bool:
        return self._socket is not None and self._socket.closed

    async def _read(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        """Take every message as it comes: a socket that nobody reads answers no ping, and the server closes it."""
        async for message in socket:
            state = json.loads(message.data)
            if state["type"] == "state":
                async with self._news:
                    self._version = max(self._version, state["match"]["version"])
                    self._news.notify_all()
        async with self._news:
            self._news.notify_all()


@dataclass(frozen=True, slots=True)
class Game:
    """A match that both people have open."""

    id: str
    version: int
    people: tuple[Person, Person]

    async def play(self, samples: Samples, seconds_per_move: float, stop: asyncio.Event) -> None:
        """Play every move, or as many as there is time for."""
        version = self.version
        for index, text in enumerate(DRAW):
            if stop.is_set():
                return
            mover, opponent = self.people[index % 2], self.people[1 - index % 2]
            begin = time.perf_counter()
            seen = asyncio.create_task(opponent.sees(version + 1))
            answer = await mover.post(f"/api/matches/{self.id}/moves", {"text": text, "version": version})
            samples.answered.append(1000 * (time.perf_counter() - begin))
            version = answer["version"]
            await seen
            samples.seen.append(1000 * (time.perf_counter() - begin))
            if seconds_per_move:
                await asyncio.sleep(max(0.0, seconds_per_move - (time.perf_counter() - begin)))


async def browser(address: str, stack: AsyncExitStack) -> Person:
    """A new person; cookies of an address instead of a name are stored on request only."""
    session = aiohttp.ClientSession(address, cookie_jar=aiohttp.CookieJar(unsafe=True))
    return Person(await stack.enter_async_context(session))


async def prepared(address: str, stack: AsyncExitStack) -> Game:
    """A match that two new people have begun and joined."""
    first, second = await browser(address, stack), await browser(address, stack)
    match = await first.post("/api/matches", {"game": "tictactoe", "seats": ["you", "open"]})
    path = (await first.post(f"/api/matches/{match['id']}/invitation"))["path"]
    joined = await second.post(f"/api/matches/{match['id']}/join", {"invitation": path.partition("invitation=")[2]})
    for person in (first, second):
        await person.watch(match["id"])
    return Game(match["id"], joined["version"], (first, second))


async def slot(
    games: Iterator[Game], samples: Samples, delay: float, seconds_per_move: float, stop: asyncio.Event
) -> None:
    """One board after the other, until the time is over; people do not move in step, so each slot has a delay."""
    await asyncio.sleep(delay)
    for game in games:
        if stop.is_set():
            return
        await game.play(samples, seconds_per_move, stop)
    if not stop.is_set():
        raise RuntimeError("all prepared matches are played: prepare more of them for so many seconds")


async def row(
    address: str, pids: Sequence[int], games: int, seconds: float, seconds_per_move: float, most_moves: int
) -> dict[str, Any]:
    """Play `games` at once for some seconds at an address, behind which are these servers, and measure."""
    for pid in pids:
        await settled(pid)
    async with AsyncExitStack() as stack:
        count = games + most_moves // len(DRAW)
        matches = [await prepared(address, stack) for _ in range(count)]
        pending, samples, stop = iter(matches), Samples(), asyncio.Event()
        asyncio.get_running_loop().call_later(seconds, stop.set)
        server_before, client_before, begin = cpu_seconds_of(pids), time.process_time(), time.perf_counter()
        await asyncio.gather(
            *(
                slot(pending, samples, seconds_per_move * index / games, seconds_per_move, stop)
                for index in range(games)
            )
        )
        wall = time.perf_counter() - begin
        server_cpu = cpu_seconds_of(pids) - server_before
        client_cpu = time.process_time() - client_before
        for match in matches:
            for person in match.people:
                await person.leave()
    moves = len(samples.answered)
    return {
        "games": games,
        "moves": moves,
        "moves_per_second": round(moves / wall, 1),
        "server_cpu_ms_per_move": round(1000 * server_cpu / moves, 2),
        "client_cpu_ms_per_move": round(1000 * client_cpu / moves, 2),
        "answered_ms": percentiles(samples.answered),
        "seen_ms": percentiles(samples.seen),
    }


def percentiles(times: list[float]) -> dict[str, float]:
    """Percentiles by name."""
    micros = [round(1000 * ms) for ms in times]
    return {f"p{share}": round(percentile(micros, share) / 1000, 2) for share in (50, 95, 99)}


def cpu_seconds_of(pids: Sequence[int]) -> float:
    """CPU time of some servers with all their processes so far."""
    return sum(sum(cpu_seconds(pid).values()) for pid in pids)


async def settled(pid: int) -> None:
    """Wait until the server and its workers have started and use no CPU."""
    before = cpu_seconds_of([pid])
    while True:
        await asyncio.sleep(2)
        now = cpu_seconds_of([pid])
        if now - before < 2 * QUIET:
            return
        before = now


def measured(program: Sequence[str], games: int, seconds: float, pace: float, cold: bool) -> dict[str, Any]:
    """One row on a fresh server and database."""
    flags = ("--cached-matches", "1") if cold else ("--cached-matches", "100000")
    most = round(games * seconds / pace) if pace else round(MOST_PER_SECOND * seconds)
    with serving(*LIMITS, *flags, program=program) as server:
        return asyncio.run(row(server.address, [server.process.pid], games, seconds, pace, most))


def main(arguments: list[str]) -> int:
    """Measure, write and print."""
    parser = measurement_parser(__doc__)
    parser.add_argument("--games", type=int, nargs="*", default=[1, 8, 50], help="games at once, as fast as they go")
    parser.add_argument("--paced", type=int, nargs="*", default=[100], help="games at once, one move a second each")
    parser.add_argument("--caches", nargs="+", choices=("warm", "cold"), default=["warm", "cold"], help="match caches")
    parser.add_argument("--seconds", type=float, default=10, help="length of each row")
    parser.add_argument("--before", type=Path, help="another checkout whose rows alternate with ours")
    options = parser.parse_args(arguments)
    programs: dict[str, list[str]] = {"now": [sys.executable, "-m", "ludex"]}
    if options.before is not None:
        source = options.before / "src"
        programs["before"] = ["env", f"PYTHONPATH={source}", sys.executable, "-m", "ludex"]
    plan = [(count, 0.0, cache) for count in options.games for cache in ("warm", "cold") if cache in options.caches]
    plan += [(count, 1.0, "warm") for count in options.paced]
    rows = (
        {"version": version, "paced": bool(pace), "cache": cache}
        | measured(program, games, options.seconds, pace, cache == "cold")
        for games, pace, cache in plan
        for version, program in programs.items()
    )
    what = "two-person tic-tac-toe over HTTP and WebSockets, moves only"
    report_rows(options, NAME, what, rows, seconds=options.seconds)
    return 0
