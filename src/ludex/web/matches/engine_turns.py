"""Turns of agents: searched in the worker pool, written like any move, retried with backoff after a failure."""

import asyncio
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from ludex.core.errors import LudexError, StaleMatch, UnknownMatch
from ludex.core.log import logger
from ludex.web.errors import ServerFault, code_texts, problem_of
from ludex.web.leaderboard import Leaderboards, Levels
from ludex.web.matches.model import MatchSnapshot
from ludex.web.matches.moves import play_decision
from ludex.web.matches.policy import sees_search, without_seed
from ludex.web.matches.writer import MatchWriter
from ludex.web.offload import Offload, cancel_all
from ludex.web.recent import Recent
from ludex.web.schemas.analyses import Analysis
from ludex.web.schemas.base import Problem
from ludex.web.workers.pool import WorkerPool
from ludex.web.workers.search import Search
from ludex.web.workers.task import Abandoned, Task

log = logger("web.engine_turns")

QUEUE_SECONDS: Final = 0.5
"""Between two announcements of places in line."""
WATCHED_SECONDS: Final = 15.0
"""For so long after the last request agents go on playing each other."""
FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 60.0
MOST_FAILURES: Final = 1000
"""Matches whose failures are remembered; the oldest is dropped first, and its agent tries again."""
MOST_BYTES: Final = 8 << 20
"""Of all remembered decisions together; the oldest are dropped first."""


class EngineTurns:
    """One task per match in which an agent is to move and a person takes part or watches."""

    def __init__(
        self,
        pool: WorkerPool,
        writer: MatchWriter,
        offload: Offload,
        pace_ms: int,
        leaderboards: Leaderboards,
    ) -> None:
        self._pool = pool
        self._writer = writer
        self._offload = offload
        self._hub = writer.hub
        writer.listen(self.moved_on)
        self._pace = pace_ms / 1000
        self._leaderboards = leaderboards
        self._places: dict[str, int] = {}
        """The places in line that subscriptions know."""
        self._announcing: asyncio.TimerHandle | None = None
        pool.listen(self._announce_places_soon)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._searches: dict[str, tuple[int, Search]] = {}
        self._requested: dict[str, float] = {}
        self._steps: set[str] = set()
        """Paused matches in which one move is to be played."""
        self._waits: dict[str, asyncio.Event] = {}
        """Set when a match changes whose agents wait between two moves."""
        self._backoff = RetryBackoff()
        self._decisions = DecisionMemory()

    @property
    def busy(self) -> set[str]:
        """The matches whose agents search here."""
        return set(self._tasks)

    def is_searching(self, snapshot: MatchSnapshot) -> bool:
        """Whether an agent works on the next move."""
        return snapshot.engine_to_move is not None and snapshot.id in self._tasks and not self._stands_still(snapshot)

    def _stands_still(self, snapshot: MatchSnapshot) -> bool:
        return snapshot.paused and snapshot.id not in self._steps

    def place(self, snapshot: MatchSnapshot) -> int | None:
        """The place in line of the search for the next move; None if it runs or there is none."""
        search = self._searches.get(snapshot.id)
        return None if search is None or search[0] != snapshot.version else self._pool.place(search[1])

    def ensure(self, snapshot: MatchSnapshot) -> None:
        """Start the search of the agent to move, unless it runs, waits for a retry or is paused."""
        if snapshot.engine_to_move is None or self._stands_still(snapshot) or self._backoff.waits(snapshot.id):
            return
        self._requested[snapshot.id] = time.monotonic()
        if snapshot.id not in self._tasks:
            self._start(snapshot.id)
            self._count_active()

    def step(self, snapshot: MatchSnapshot) -> None:
        """Have the agent to move of a paused match play one move."""
        self._steps.add(snapshot.id)
        self.ensure(snapshot)

    def cancel(self, match_id: str) -> None:
        """Stop the search; the agent plays the best move found."""
        if match_id in self._searches:
            self._searches[match_id][1].cancel()

    def moved_on(self, match_id: str, version: int) -> None:
        """Abandon the search of an older version of the match."""
        if match_id in self._searches and self._searches[match_id][0] < version:
            self._searches[match_id][1].abandon()
        if match_id in self._waits:
            self._waits[match_id].set()

    def failure(self, match_id: str) -> Problem | None:
        """Why the agent did not move when it last tried."""
        return self._backoff.problem(match_id)

    def decision(self, snapshot: MatchSnapshot, ply: int) -> Analysis | None:
        """The decision behind the move that led to a ply, if this server remembers it."""
        analysis = self._decisions.recall(snapshot.id, ply - 1)
        if analysis is None or ply < 1 or snapshot.match.moves[ply - 1].action != analysis.action:
            return None
        return analysis

    async def close(self) -> None:
        """Stop every task; searches start again with the next request."""
        if self._announcing is not None:
            self._announcing.cancel()
        self._steps.clear()
        await cancel_all([*self._tasks.values()])

    def _start(self, match_id: str) -> None:
        task = asyncio.create_task(self._play(match_id))
        self._tasks[match_id] = task
        task.add_done_callback(lambda _: self._leave(match_id))

    def _leave(self, match_id: str) -> None:
        del self._tasks[match_id]
        if match_id in self._steps:
            # The step was asked for while the previous move was about to end.
            self._start(match_id)
            return
        self._requested.pop(match_id, None)
        self._count_active()

    def _count_active(self) -> None:
        self._writer.metrics.active_matches.set(len(self.busy | self._hub.matches))

    async def _play(self, match_id: str) -> None:
        """Move while agents are to move and the match is watched; a failure is reported and never ends the server."""
        snapshot: MatchSnapshot | None = None
        try:
            levels = await self._leaderboards.levels()
            while True:
                snapshot = await self._writer.latest(match_id)
                if snapshot.engine_to_move is None or not snapshot.paused:
                    self._steps.discard(match_id)
                if snapshot.engine_to_move is None or not self._may_go_on(snapshot):
                    break
                await self._move(snapshot, snapshot.engine_to_move, levels)
                self._backoff.forget(match_id)
        except UnknownMatch:
            self._backoff.forget(match_id)
            self._steps.discard(match_id)
            log.info("match is gone", match=match_id)
        except Abandoned:
            self._steps.discard(match_id)
            log.info("the server closes before the agent has moved", match=match_id)
        except LudexError as error:
            message = error.message if snapshot is None else without_seed(error.message, snapshot.match.seed)
            log.warning("agent failed", match=match_id, code=error.code, message=message)
            self._report_failure(
                match_id, Problem(code=error.code, message=message, text=code_texts(error.code, message))
            )
        except Exception as error:
            # A fault of ours must be reported to the people who wait.
            log.exception("agent's move failed", match=match_id)
            self._report_failure(match_id, problem_of(ServerFault(error)))

    async def _move(self, snapshot: MatchSnapshot, agent: str, levels: Levels) -> None:
        begin = time.monotonic()
        analysis = await self._decision(snapshot, agent, levels)
        if analysis is None:
            return
        if snapshot.without_people:
            await self._wait(snapshot, begin)
        change = await self._offload.run_rules((*snapshot.board, "move"), play_decision, snapshot, analysis)
        self._decisions.remember(snapshot.id, analysis)
        self._writer.metrics.search_finished(snapshot.spec.id, agent, analysis.ms / 1000)
        if snapshot.paused:
            self._steps.discard(snapshot.id)
        try:
            await self._writer.apply(snapshot, change, analysis.ms)
        except StaleMatch:
            # Another server was first, or the person took a move back.
            log.info("agent was late", match=snapshot.id, version=snapshot.version)

    async def _decision(self, snapshot: MatchSnapshot, agent: str, levels: Levels) -> Analysis | None:
        """The agent's decision; None if the match moved on meanwhile. Raises `Abandoned` if the server closes."""
        assert snapshot.hosting is not None
        match, creator, clocks = snapshot.match, snapshot.hosting.creator, snapshot.clocks()
        own_first = (*clocks[match.to_move :], *clocks[: match.to_move])
        task = Task.of(match, match.ply, agent, snapshot.hosting.movetime_ms, clocks=own_first)

        def report(analysis: Analysis) -> None:
            may_see = partial(sees_search, snapshot, player=analysis.player, levels=levels)
            self._hub.send_report(snapshot.id, analysis, may_see)

        search = self._pool.begin(task, creator, report, partial(self._start_clock, snapshot), patient=True)
        self._searches[snapshot.id] = (snapshot.version, search)
        try:
            return await search.result()
        except asyncio.CancelledError:
            search.abandon()
            raise
        except Abandoned:
            return None
        except LudexError:
            self._writer.clocks.stop_engine(snapshot)
            raise
        finally:
            del self._searches[snapshot.id]

    def _start_clock(self, snapshot: MatchSnapshot) -> None:
        if snapshot.timing is not None:
            self._writer.clocks.start_engine(snapshot)
            self._hub.announce_change(snapshot.id)

    def _announce_places_soon(self) -> None:
        """The queue has changed: announce it, but not with every search."""
        if self._announcing is None and (self._places or self._pool.waiting):
            self._announcing = asyncio.get_running_loop().call_later(QUEUE_SECONDS, self._announce_places)

    def _announce_places(self) -> None:
        self._announcing = None
        before, self._places = self._places, {}
        for match_id, (_, search) in self._searches.items():
            place = self._pool.place(search)
            if place is not None:
                self._places[match_id] = place
            if before.get(match_id) != place:
                self._hub.announce_change(match_id)

    async def _wait(self, snapshot: MatchSnapshot, begin: float) -> None:
        """Wait until a move between agents has lasted long enough, or the match has changed; a step does not wait."""
        assert snapshot.hosting is not None
        pace = max(self._pace, (snapshot.hosting.pace_ms or 0) / 1000)
        left = pace - (time.monotonic() - begin)
        if snapshot.paused or left <= 0:
            return
        self._waits[snapshot.id] = asyncio.Event()
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._waits[snapshot.id].wait(), left)
        finally:
            del self._waits[snapshot.id]

    def _may_go_on(self, snapshot: MatchSnapshot) -> bool:
        """Against a person an agent always answers; against another agent only while the match is watched and runs."""
        if snapshot.paused:
            return snapshot.id in self._steps
        if not snapshot.without_people or self._hub.is_watched(snapshot.id):
            return True
        return time.monotonic() - self._requested.get(snapshot.id, 0.0) < WATCHED_SECONDS

    def _report_failure(self, match_id: str, problem: Problem) -> None:
        self._steps.discard(match_id)
        self._backoff.add(match_id, problem)
        self._hub.fault(match_id, problem)
        self._hub.announce_change(match_id)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an agent does not move."""

    problem: Problem
    pause: float
    """Seconds until the next try."""
    retry_at: float
    """On the monotonic clock."""


class RetryBackoff:
    """The last failure of each match that has not moved since; each failure in a row doubles the pause.

    >>> now, backoff = [0.0], RetryBackoff(monotonic=lambda: now[0])
    >>> backoff.add("m", Problem(code="agent_fault", message="the agent crashed"))
    >>> backoff.waits("m"), backoff.problem("m").message
    (True, 'the agent crashed')
    >>> now[0] = 1.0
    >>> backoff.waits("m")
    False
    """

    def __init__(self, most: int = MOST_FAILURES, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._failures = Recent[str, Failure](most)

    def add(self, match_id: str, problem: Problem) -> None:
        """Record a failure."""
        last = self._failures.get(match_id)
        pause = FIRST_PAUSE if last is None else min(LONGEST_PAUSE, 2 * last.pause)
        self._failures[match_id] = Failure(problem, pause, self._monotonic() + pause)

    def waits(self, match_id: str) -> bool:
        """Whether it is too early for another try."""
        failure = self._failures.get(match_id)
        return failure is not None and self._monotonic() < failure.retry_at

    def problem(self, match_id: str) -> Problem | None:
        """Why the agent did not move when it last tried."""
        failure = self._failures.get(match_id)
        return None if failure is None else failure.problem

    def forget(self, match_id: str) -> None:
        """The agent has moved, or the match is gone."""
        self._failures.pop(match_id, None)


class DecisionMemory:
    """The last decisions of all matches, compressed: as objects two thousand of them would take eighty megabytes."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._packed: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self.size_bytes = 0
        """Of the compressed decisions."""

    def remember(self, match_id: str, analysis: Analysis) -> None:
        """Keep a decision, in place of an earlier one about the same ply."""
        key, packed = (match_id, analysis.ply), zlib.compress(analysis.model_dump_json().encode(), level=1)
        self.size_bytes += len(packed) - len(self._packed.pop(key, b""))
        self._packed[key] = packed
        while self.size_bytes > self._most:
            self.size_bytes -= len(self._packed.popitem(last=False)[1])

    def recall(self, match_id: str, ply: int) -> Analysis | None:
        """The decision made after so many plies."""
        packed = self._packed.get((match_id, ply))
        return None if packed is None else Analysis.model_validate_json(zlib.decompress(packed))
