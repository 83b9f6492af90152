"""People of a crowd: each has a cookie, an address of their own and a WebSocket, and takes time to think."""

import asyncio
import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final, Self

import aiohttp

MOVETIME_MS: Final = 200
"""Of every machine and hint, whatever its level: so waits can be compared."""
THINKING_SECONDS: Final = (1.0, 3.0)
"""Between two moves of a person."""
HINTS: Final = 8
"""One move in so many is preceded by a hint."""
MOST_MOVES: Final = 30
"""Then a person resigns, so that long games leave time for others."""
TRIES: Final = 20
RETRY_SECONDS: Final = 0.5

View = dict[str, Any]
Lost = (aiohttp.ClientError, ConnectionError, TimeoutError)


@dataclass
class Experience:
    """What the people of a crowd met, in milliseconds."""

    moves: list[float] = field(default_factory=list)
    """Until a move was answered."""
    waits: list[float] = field(default_factory=list)
    """Until the machine had moved."""
    lines: dict[int, list[float]] = field(default_factory=dict)
    """The same without the machine's own time, by person: in line for a worker, and on the way."""
    hints: list[float] = field(default_factory=list)
    levels: Counter[str] = field(default_factory=Counter)
    """Moves of each machine."""
    faults: Counter[str] = field(default_factory=Counter)
    reconnects: int = 0
    acknowledged: list[tuple["Person", str, int, int]] = field(default_factory=list)
    """Person, match, ply and action of every move that was answered."""


class Person:
    """One browser."""

    def __init__(self, address: str, number: int, met: Experience, stop: asyncio.Event) -> None:
        self.number = number
        self._met, self._stop = met, stop
        self._choice = random.Random(number)
        # Everybody comes from an address of their own, as strangers do.
        connector = aiohttp.TCPConnector(local_addr=(f"127.1.{number // 250}.{1 + number % 250}", 0))
        jar = aiohttp.CookieJar(unsafe=True)
        self._session = aiohttp.ClientSession(address, connector=connector, cookie_jar=jar)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        """A request that is repeated while no server answers. Raises `RuntimeError` for a refusal."""
        for _ in range(TRIES):
            try:
                async with self._session.request(method, path, json=body) as answer:
                    text = await answer.text()
                    if answer.status >= 300:
                        raise RuntimeError(f"{method} {path.rpartition('/')[2]}: {answer.status} {text[:200]}")
                    return json.loads(text)
            except Lost:
                self._met.reconnects += 1
                await asyncio.sleep(RETRY_SECONDS)
        raise RuntimeError(f"{method} {path.rpartition('/')[2]}: no server answers")

    async def begin(self, game: str, preset: str, *seats: str) -> View:
        terms = {"game": game, "preset": preset, "seats": seats, "movetime_ms": MOVETIME_MS}
        view: View = await self.ask("POST", "/api/matches", terms)
        return view

    async def watch(self, match_id: str) -> None:
        """See every state of a match to its end."""
        async for _ in self._states(match_id):
            continue

    async def play(self, match_id: str, machine: str | None) -> None:
        """Hold a seat to the end of the match; `machine` is the opponent, if it is one."""
        moved_at, searched_ms, seen, answered, moves = 0.0, 0.0, -1, -1, 0
        async for state in self._states(match_id):
            yours = state["can"]["move"] or not state["live"]
            if machine is not None and moved_at and state["plies"] > answered and state["analysis"] is not None:
                # In some games a machine moves several times in a row.
                searched_ms += state["analysis"]["ms"]
            if machine is not None and moved_at and yours and state["plies"] > answered:
                waited = 1000 * (time.perf_counter() - moved_at)
                self._met.waits.append(waited)
                self._met.lines.setdefault(self.number, []).append(waited - searched_ms)
                self._met.levels[f"{state['game']} {machine}"] += 1
                moved_at = 0.0
            if not state["can"]["move"] or state["plies"] <= seen:
                continue
            await self._think()
            if self._stop.is_set():
                return
            path = f"/api/matches/{match_id}"
            if moves == MOST_MOVES:
                await self.ask("POST", f"{path}/resign", {"version": state["version"]})
                return
            if state["can"]["analyse"] and self._choice.randrange(HINTS) == 0:
                await self._hint(path)
            answer = await self._move(path, match_id, state)
            seen, answered, moves = state["plies"], answer["plies"], moves + 1
            # In some games a player moves several times in a row.
            moved_at, searched_ms = 0.0 if answer["can"]["move"] else time.perf_counter(), 0.0

    async def _move(self, path: str, match_id: str, state: View) -> View:
        legal = (await self.ask("GET", f"{path}/legal"))["moves"]
        action = self._choice.choice(legal)["action"]
        begin = time.perf_counter()
        try:
            answer: View = await self.ask("POST", f"{path}/moves", {"version": state["version"], "action": action})
        except RuntimeError:
            # Behind a server that died the move may have been written before its answer was lost.
            view: View = await self.ask("GET", path)
            if view["plies"] <= state["plies"] or view["moves"][state["plies"]]["action"] != action:
                raise
            return view
        self._met.moves.append(1000 * (time.perf_counter() - begin))
        self._met.acknowledged.append((self, match_id, state["plies"], action))
        return answer

    async def _hint(self, path: str) -> None:
        begin = time.perf_counter()
        await self.ask("POST", f"{path}/analysis", {"movetime_ms": MOVETIME_MS})
        self._met.hints.append(1000 * (time.perf_counter() - begin))

    async def _think(self) -> None:
        try:
            await asyncio.wait_for(self._stop.wait(), self._choice.uniform(*THINKING_SECONDS))
        except TimeoutError:
            return

    async def _states(self, match_id: str) -> Any:
        """Every state of the match until it is over or the time is; a WebSocket that is lost is opened again."""
        lost = 0
        while not self._stop.is_set():
            try:
                async with self._session.ws_connect(f"/api/matches/{match_id}/live", max_msg_size=0) as socket:
                    while not self._stop.is_set():
                        message = await self._next(socket)
                        if message is None:
                            continue
                        if message["type"] == "fault":
                            self._met.faults[message["problem"]["code"]] += 1
                        if message["type"] != "state":
                            continue
                        lost = 0
                        yield message["match"]
                        if not message["match"]["live"]:
                            return
            except Lost:
                lost += 1
                if lost == TRIES:
                    raise
                self._met.reconnects += 1
                await asyncio.sleep(RETRY_SECONDS)

    @staticmethod
    async def _next(socket: aiohttp.ClientWebSocketResponse) -> Any:
        """The next message; None if there is none for a second. Raises `ConnectionError` when the socket is closed."""
        try:
            message = await socket.receive(timeout=1)
        except TimeoutError:
            return None
        if message.type is not aiohttp.WSMsgType.TEXT:
            raise ConnectionError("the WebSocket was closed")
        return json.loads(message.data)
