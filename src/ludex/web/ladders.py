"""The ladders of this server: bots that are connected, who meets whom, and the games between them.

The server runs the rules and searches nothing. A question that a bot has not answered is sent again when it reconnects;
its clock runs on.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any, Final, Literal

from fastapi import WebSocket

from ludex.arena.entrants import Entrant
from ludex.arena.journal import Journal, open_journal
from ludex.arena.match_runner import MatchRunner
from ludex.arena.pairs import Pair, PairKey, PairTask, pair_score
from ludex.arena.ratings import rate
from ludex.arena.saved_tournament import SavedTournament
from ludex.core.documents import strict_json
from ludex.core.errors import AgentFault, AgentTimeout
from ludex.core.game import AnyGame
from ludex.core.log import logger
from ludex.remote.http_agent import RemoteAgent
from ludex.remote.ladder import PAUSED, REPLACED, open_ladder
from ludex.web.schemas.base import Document
from ludex.web.workers.preparation import Preparation

MOST_PAIRS: Final = 4
"""Pairs of games at a time, on all ladders together."""
REST_SECONDS: Final = 0.5
"""Between two pairs of a bot: those that answer at once leave the server its time."""
REPEATED: Final = 50
"""A pair that two bots have played counts like so many points of rating between them."""
LONGEST_REASON: Final = 120
"""A WebSocket's close frame has room for 123 bytes."""
log = logger("web.ladders")


class LadderBot(Document):
    """A bot of a ladder, as it is now."""

    name: str
    state: Literal["offline", "waiting", "playing", "paused"]
    fault: str | None
    """Why it was paused."""


class LadderState(Document):
    """The bots of a ladder, as they are now."""

    bots: list[LadderBot]


class _ClosedError(BaseException):
    """The server ends: no fault of an agent."""


class _Bot:
    """A bot that has joined since the server began."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.socket: WebSocket | None = None
        self.busy = False
        """Whether it plays or rests."""
        self.fault: str | None = None
        self.closed = False
        self.late = True
        """Whether its connection may still answer, once, what is no longer asked: it may have got a question twice."""
        self._number = 0
        self._text = ""
        self._answer: asyncio.Future[str] | None = None

    @property
    def state(self) -> Literal["offline", "waiting", "playing", "paused"]:
        if self.fault is not None:
            return "paused"
        return "playing" if self.busy else "offline" if self.socket is None else "waiting"

    async def ask(self, body: bytes) -> str:
        """The answer to a question, whenever it comes."""
        self._number += 1
        self._text = f'{{"id": {self._number}, {body.decode()[1:]}'
        self._answer = asyncio.get_running_loop().create_future()
        try:
            await self.send_question()
            return await self._answer
        finally:
            self._answer = None

    async def send_question(self) -> None:
        """Send the question that waits for an answer."""
        if self._answer is not None and self.socket is not None:
            with suppress(RuntimeError):
                # It has just left, and may come back.
                await self.socket.send_text(self._text)

    def take(self, text: str) -> bool:
        """Take an answer; False for a message that answers no question."""
        try:
            document = strict_json(text)
            number = document.get("id") if isinstance(document, dict) else None
        except (ValueError, RecursionError):
            number = None
        if self._answer is not None and not self._answer.done() and number in (self._number, None):
            # What cannot be read answers the question that was asked.
            self._answer.set_result(text)
            return True
        late, self.late = self.late, False
        return late and isinstance(number, int) and 0 < number <= self._number

    def close(self) -> None:
        """End what waits for an answer."""
        self.closed = True
        if self._answer is not None:
            self._answer.cancel()


class _SocketAgent(RemoteAgent):
    """A bot of a ladder in a game; its thread waits, the event loop sends and receives."""

    def __init__(self, game: AnyGame, bot: _Bot, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(game, bot.name, 0.0)
        if bot.socket is None:
            raise AgentFault(f"{bot.name}: is offline")
        self._bot, self._loop = bot, loop

    def send(self, body: bytes, seconds: float) -> str:
        if self._bot.closed:
            raise _ClosedError
        answer = asyncio.run_coroutine_threadsafe(self._bot.ask(body), self._loop)
        try:
            return self.read_move(answer.result(seconds))
        except TimeoutError:
            answer.cancel()
            raise AgentTimeout(f"{self.name}: no answer within {seconds:.1f} s") from None
        except CancelledError:
            raise _ClosedError from None


class _Ladder:
    """A ladder on which a bot has joined: this process holds its journal."""

    def __init__(self, saved: SavedTournament) -> None:
        self.saved = saved
        self.bots: dict[str, _Bot] = {}
        self._stack = ExitStack()
        self._journal: Journal = self._stack.enter_context(open_journal(saved.journal, replace(saved.terms, agents=())))
        self._lock = Lock()
        self._scores: dict[tuple[int, int], list[float]] = {}
        for key, pair in self._journal.pairs.items():
            self._count(key, pair)
        self._elo: tuple[float | None, ...] = rate(len(saved.bots), self._scores).elo

    def next_seats(self) -> tuple[int, int] | None:
        """Who of those that wait meet next: who has played least, and who is nearest to it by rating."""
        names = self.saved.terms.agents
        waiting = [seat for seat, name in enumerate(names) if name in self.bots and self.bots[name].state == "waiting"]
        played = Counter[int]()
        for seats, scores in self._scores.items():
            played.update({seat: len(scores) for seat in seats})
        for first in sorted(waiting, key=lambda seat: played[seat]):
            others = [
                (min(first, other), max(first, other))
                for other in waiting
                if other != first and self._count_pairs(first, other) < self.saved.plan.games // 2
            ]
            if others:
                return min(others, key=lambda seats: self._distance(*seats))
        return None

    def play(self, seats: tuple[int, int], loop: asyncio.AbstractEventLoop) -> dict[int, str]:
        """Play a pair and keep it. Returns, by seat, what a bot has to be paused for."""

        def make_bot(game: AnyGame, name: str, services: Any) -> Entrant:
            return Entrant(_SocketAgent(game, self.bots[name], loop), name, {})

        task = PairTask(self.saved.terms, seats, (self._count_pairs(*seats),))
        pairs = MatchRunner(task, make_bot).play_all(task)
        with self._lock:
            self._journal.append(pairs)
            ((key, pair),) = pairs.items()
            self._count(key, pair)
            self._elo = rate(len(self.saved.bots), self._scores).elo
        faults: dict[int, str] = {}
        for game in pair:
            if game.fault is not None:
                faults[seats[game.loser]] = game.fault.message
            elif game.lost_on_time is not None:
                faults[seats[game.lost_on_time]] = "lost on time"
        return faults

    def close(self) -> None:
        self._stack.close()

    def _count(self, key: PairKey, pair: Pair) -> None:
        self._scores.setdefault((key.seats[0], key.seats[1]), []).append(pair_score(pair))

    def _count_pairs(self, first: int, second: int) -> int:
        return len(self._scores.get((min(first, second), max(first, second)), ()))

    def _distance(self, first: int, second: int) -> float:
        elo = [self._elo[seat] if seat < len(self._elo) else None for seat in (first, second)]
        gap = 0.0 if elo[0] is None or elo[1] is None else abs(elo[0] - elo[1])
        return gap + REPEATED * self._count_pairs(first, second)


class Ladders:
    """Every ladder on which a bot has joined."""

    def __init__(self, base: Callable[[], Path], preparation: Preparation) -> None:
        self._base = base
        self._preparation = preparation
        self._ladders: dict[str, _Ladder] = {}
        self._opening = asyncio.Lock()
        self._threads = ThreadPoolExecutor(MOST_PAIRS, "ludex-ladder")
        self._playing: set[asyncio.Task[None]] = set()
        self._closed = False

    async def open(self, name: str) -> SavedTournament:
        """The ladder of this name. Raises `BadTournament`."""
        return await asyncio.to_thread(open_ladder, self._base(), name)

    async def state(self, name: str) -> LadderState:
        """How the bots of a ladder are. Raises `BadTournament`."""
        saved = await self.open(name)
        joined = self._ladders[name].bots if name in self._ladders else {}
        bots = [joined.get(bot.name) or _Bot(bot.name) for bot in saved.bots]
        return LadderState(bots=[LadderBot(name=bot.name, state=bot.state, fault=bot.fault) for bot in bots])

    async def ready(self, saved: SavedTournament) -> None:
        """Be ready for games of a ladder. Raises `GamePreparing`, and `BadJournal` if another server holds it."""
        await self._preparation.require(saved.terms.game)
        async with self._opening:
            if saved.name not in self._ladders:
                self._ladders[saved.name] = await asyncio.to_thread(_Ladder, saved)
        self._ladders[saved.name].saved = saved

    async def play(self, saved: SavedTournament, name: str, socket: WebSocket) -> None:
        """Let a bot play over its connection, until that ends."""
        ladder = self._ladders[saved.name]
        bot = ladder.bots.setdefault(name, _Bot(name))
        before, bot.socket, bot.fault, bot.late = bot.socket, socket, None, True
        if before is not None:
            await _close(before, REPLACED, "the bot has joined again")
        log.info("bot joined", ladder=saved.name, bot=name)
        await bot.send_question()
        self._begin_pairs(ladder)
        try:
            while (message := await socket.receive())["type"] != "websocket.disconnect":
                if not bot.take(message.get("text") or ""):
                    await self._pause(bot, "a message that answers no question")
                    return
        finally:
            if bot.socket is socket:
                bot.socket = None

    async def close(self) -> None:
        """Break off every game; what is not finished is not kept."""
        self._closed = True
        for ladder in self._ladders.values():
            for bot in ladder.bots.values():
                bot.close()
        await asyncio.gather(*self._playing)
        self._threads.shutdown()
        for ladder in self._ladders.values():
            ladder.close()

    def _begin_pairs(self, ladder: _Ladder) -> None:
        while not self._closed and len(self._playing) < MOST_PAIRS and (seats := ladder.next_seats()) is not None:
            for seat in seats:
                ladder.bots[ladder.saved.terms.agents[seat]].busy = True
            task = asyncio.create_task(self._play_pair(ladder, seats))
            self._playing.add(task)
            task.add_done_callback(self._on_played)

    async def _play_pair(self, ladder: _Ladder, seats: tuple[int, int]) -> None:
        loop, bots = asyncio.get_running_loop(), [ladder.bots[ladder.saved.terms.agents[seat]] for seat in seats]
        try:
            faults = await loop.run_in_executor(self._threads, ladder.play, seats, loop)
        except _ClosedError:
            return
        for seat, bot in zip(seats, bots, strict=True):
            if seat in faults:
                await self._pause(bot, faults[seat])
        if not self._closed:
            loop.call_later(REST_SECONDS, self._let_play, ladder, bots)

    def _let_play(self, ladder: _Ladder, bots: list[_Bot]) -> None:
        for bot in bots:
            bot.busy = False
        self._begin_pairs(ladder)

    def _on_played(self, task: "asyncio.Task[None]") -> None:
        self._playing.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a pair of a ladder failed", exc_info=task.exception())
        for ladder in self._ladders.values():
            self._begin_pairs(ladder)

    async def _pause(self, bot: _Bot, reason: str) -> None:
        bot.fault = reason
        log.warning("bot paused", bot=bot.name, reason=reason)
        if bot.socket is not None:
            socket, bot.socket = bot.socket, None
            await _close(socket, PAUSED, reason)


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    with suppress(RuntimeError):
        # The other side may have closed it already.
        await socket.close(code, reason.encode()[:LONGEST_REASON].decode("utf-8", "ignore"))
