"""How many games two cores hold: people who play each other, watch, ask for hints and play machines of every level.

    python -m benchmarks.web_load crowd [--games 20 40 80 160] [--seconds 30]

Half of the games are between two people, one in four of them watched by a third; in the others a person plays a
machine, over every agent of every game. People take one to three seconds for a move. Every machine has 200 ms. A row
holds if 95 % of the moves of people are answered within 100 ms, nothing fails, and the wait for machines is fair:
no person waits for longer than a second on average beyond the machine's own time. Rows follow until one does not hold.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, closing
from statistics import fmean
from typing import Any, Final

import aiohttp

from benchmarks.documents import measurement_parser, report_rows
from benchmarks.serving import Visitor, serving
from benchmarks.soak.guest import Scenario
from benchmarks.web_load.moves import LIMITS, cpu_seconds_of, percentiles, settled
from benchmarks.web_load.people import Experience, Person

NAME: Final = "web_crowd"
MOST_MOVE_MS: Final = 100
MOST_IN_LINE_MS: Final = 1_000
WATCHED: Final = 4
"""One match between people in so many is watched."""
START_SECONDS: Final = 3.0
"""In which the games of a crowd begin, one after the other."""


def seatings(games: list[Any]) -> tuple[list[Scenario], list[Scenario]]:
    """Matches between two people, and of a person with every machine or alone at the board."""
    people, machines = [], []
    for card in games:
        if card["players"] == 1:
            machines.append(Scenario(card["id"], card["presets"][0], ("you",)))
            continue
        people.append(Scenario(card["id"], card["presets"][0], ("you", "open")))
        for number, agent in enumerate(card["agents"]):
            preset = next(iter(card["presets"] if agent["presets"] is None else agent["presets"]), None)
            if preset is not None:
                seats = ("you", agent["name"]) if number % 2 else (agent["name"], "you")
                machines.append(Scenario(card["id"], preset, seats))
    return people, machines


class Crowd:
    """So many games at once at one address, for some seconds."""

    def __init__(self, address: str, games: int, cards: list[Any]) -> None:
        self.met, self.stop = Experience(), asyncio.Event()
        self._address, self._games = address, games
        self._people, self._machines = seatings(cards)
        self.people = 0

    async def play(self, seconds: float, during: Callable[[], Awaitable[None]] | None = None) -> dict[str, int]:
        """Play, and return how many acknowledged moves there were and how many are not found again."""
        asyncio.get_running_loop().call_later(seconds, self.stop.set)
        async with AsyncExitStack() as stack:
            tasks = [asyncio.create_task(self._slot(number, stack)) for number in range(self._games)]
            if during is not None:
                tasks.append(asyncio.create_task(_run(during)))
            await asyncio.gather(*tasks)
            return {"acknowledged": len(self.met.acknowledged), "lost": await self._lost()}

    async def _slot(self, number: int, stack: AsyncExitStack) -> None:
        """One board, match after match."""
        await asyncio.sleep(START_SECONDS * number / self._games)
        first, second, third = [await self._person(stack) for _ in range(3)]
        round_ = number
        while not self.stop.is_set():
            try:
                if number % 2:
                    await self._against_machine(first, self._machines[(round_ // 2) % len(self._machines)])
                else:
                    watcher = third if number // 2 % WATCHED == 0 else None
                    await self._between_people(first, second, watcher, self._people[(round_ // 2) % len(self._people)])
            except (RuntimeError, aiohttp.ClientError, ConnectionError) as error:
                self.met.faults[f"{type(error).__name__}: {error}"[:120]] += 1
                await asyncio.sleep(1)
            round_ += self._games

    async def _person(self, stack: AsyncExitStack) -> Person:
        self.people += 1
        return await stack.enter_async_context(Person(self._address, self.people, self.met, self.stop))

    async def _against_machine(self, person: Person, plan: Scenario) -> None:
        match = await person.begin(plan.game, plan.preset, *plan.seats)
        opponent = next((seat for seat in plan.seats if seat != "you"), None)
        await person.play(match["id"], opponent)

    async def _between_people(self, first: Person, second: Person, watcher: Person | None, plan: Scenario) -> None:
        match = await first.begin(plan.game, plan.preset, *plan.seats)
        path = f"/api/matches/{match['id']}"
        invitation = (await first.ask("POST", f"{path}/invitation"))["path"].partition("invitation=")[2]
        await second.ask("POST", f"{path}/join", {"invitation": invitation})
        seats = [first.play(match["id"], None), second.play(match["id"], None)]
        await asyncio.gather(*seats, *([] if watcher is None else [watcher.watch(match["id"])]))

    async def _lost(self) -> int:
        """Acknowledged moves that are not in their match."""
        views: dict[str, Any] = {}
        lost = 0
        for person, match_id, ply, action in self.met.acknowledged:
            if match_id not in views:
                views[match_id] = await person.ask("GET", f"/api/matches/{match_id}")
            moves = views[match_id]["moves"]
            hidden = ply < len(moves) and moves[ply]["action"] < 0
            lost += not hidden and (ply >= len(moves) or moves[ply]["action"] != action)
        return lost


async def _run(during: Callable[[], Awaitable[None]]) -> None:
    await during()


def figures(met: Experience, seconds: float) -> dict[str, Any]:
    """What the crowd met, as a row."""
    unluckiest = max((fmean(person) for person in met.lines.values()), default=0.0)
    row = {
        "moves": len(met.moves),
        "moves_per_second": round(len(met.moves) / seconds, 1),
        "move_ms": percentiles(met.moves) if met.moves else None,
        "machine_moves": len(met.waits),
        "machines": len(met.levels),
        "machine_wait_ms": percentiles(met.waits) if met.waits else None,
        "unluckiest_in_line_ms": round(unluckiest),
        "hints": len(met.hints),
        "hint_ms": percentiles(met.hints) if met.hints else None,
        "faults": dict(met.faults),
        "reconnects": met.reconnects,
    }
    fast = bool(met.moves) and percentiles(met.moves)["p95"] < MOST_MOVE_MS
    return {**row, "holds": fast and not met.faults and unluckiest <= MOST_IN_LINE_MS}


def cards_of(address: str) -> list[Any]:
    """The games of a server."""
    with closing(Visitor(address)) as visitor:
        return list(visitor.ask("GET", "/api/games").document()["games"])


async def row(address: str, pids: Sequence[int], games: int, seconds: float) -> dict[str, Any]:
    """One crowd at an address, behind which are these servers."""
    for pid in pids:
        await settled(pid)
    crowd, before = Crowd(address, games, cards_of(address)), cpu_seconds_of(pids)
    counts = await crowd.play(seconds)
    busy = (cpu_seconds_of(pids) - before) / seconds
    return {
        "games": games,
        "people": crowd.people,
        **figures(crowd.met, seconds),
        **counts,
        "cores_busy": round(busy, 2),
    }


def measured(games: int, seconds: float) -> dict[str, Any]:
    """A row on a fresh server with two workers."""
    with serving(*LIMITS, "--workers", "2") as server:
        return asyncio.run(row(server.address, [server.process.pid], games, seconds))


def main(arguments: list[str]) -> int:
    """Measure, write and print."""
    parser = measurement_parser(__doc__, "python -m benchmarks.web_load crowd")
    parser.add_argument("--games", type=int, nargs="+", default=[20, 40, 80, 160], help="games at once, a row each")
    parser.add_argument("--seconds", type=float, default=30, help="length of each row")
    options = parser.parse_args(arguments)

    def rows() -> Iterator[dict[str, Any]]:
        for games in options.games:
            yield (figures_of_row := measured(games, options.seconds))
            if not figures_of_row["holds"]:
                return

    what = "people who play, watch, ask for hints and play machines of every level"
    measured_rows = report_rows(options, NAME, what, rows(), seconds=options.seconds)
    print(f"holds {max((row['games'] for row in measured_rows if row['holds']), default=0)} games at once")
    return 0
