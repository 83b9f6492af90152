"""The machines at the tables: whoever is to move there thinks in the pool, and its move is played."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from ludex.core.errors import LudexError, StaleMatch, UnknownMatch
from ludex.core.log import logger
from ludex.web.live import Hub
from ludex.web.matches.keeping import Keeper
from ludex.web.matches.moving import decided
from ludex.web.matches.sight import sees_moves_of, without_seed
from ludex.web.matches.table import Table
from ludex.web.matches.thoughts import Thoughts
from ludex.web.matches.troubles import Troubles
from ludex.web.schemas import Problem, Thought
from ludex.web.thinking.pool import Abandoned, Task, Thinking, ThinkingPool, TooBusy

log = logger("web.thinkers")

PATIENCE: Final = 0.25
"""Seconds between two attempts to find a free worker."""
ATTENTION: Final = 15.0
"""Seconds for which machines go on against each other after somebody has looked."""


class Thinkers:
    """One task a match in which a machine is to move and somebody cares. What they play is written as any move is."""

    def __init__(self, pool: ThinkingPool, keeper: Keeper, hub: Hub, pace_ms: int) -> None:
        self._pool = pool
        self._keeper = keeper
        self._hub = hub
        self._pace = pace_ms / 1000
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._thinking: dict[str, tuple[int, Thinking]] = {}
        self._looked: dict[str, float] = {}
        self._troubles = Troubles()
        self._thoughts = Thoughts()

    @property
    def busy(self) -> set[str]:
        """The matches that machines think about here."""
        return set(self._tasks)

    def thinks_about(self, table: Table) -> bool:
        """Whether a machine is at work on the next move."""
        return table.machine is not None and table.id in self._tasks

    def touch(self, table: Table) -> None:
        """Somebody looks: see to it that a machine thinks if it is its turn."""
        if table.machine is None or self._troubles.rests(table.id):
            return
        self._looked[table.id] = time.monotonic()
        if table.id in self._tasks:
            return
        task = asyncio.create_task(self._play(table.id))
        self._tasks[table.id] = task
        self._count_active()
        task.add_done_callback(lambda _: self._leave(table.id))

    def cancel(self, match_id: str) -> None:
        """Have the machine stop and play the best it has found."""
        if match_id in self._thinking:
            self._thinking[match_id][1].cancel()

    def moved_on(self, match_id: str, version: int) -> None:
        """The match has changed: thoughts about what it was are of no use."""
        if match_id in self._thinking and self._thinking[match_id][0] < version:
            self._thinking[match_id][1].abandon()

    def trouble(self, match_id: str) -> Problem | None:
        """Why the machine did not move when it last tried."""
        return self._troubles.problem(match_id)

    def thought(self, table: Table, ply: int) -> Thought | None:
        """What the machine thought whose move led to a ply, if this server remembers."""
        found = self._thoughts.recall(table.id, ply - 1)
        if found is None or ply < 1 or table.match.moves[ply - 1].action != found.action:
            return None
        return found

    async def close(self) -> None:
        """Leave every table; what was decided is played, the rest is thought about again when somebody looks."""
        tasks = [*self._tasks.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _leave(self, match_id: str) -> None:
        del self._tasks[match_id]
        self._looked.pop(match_id, None)
        self._count_active()

    def _count_active(self) -> None:
        self._keeper.metrics.active_matches.set(len(self.busy | self._hub.matches))

    async def _play(self, match_id: str) -> None:
        """Move as long as machines are to move and somebody cares; a failure is told, and never ends the server."""
        table: Table | None = None
        try:
            while True:
                table = await self._keeper.load(match_id)
                if table.machine is None or not self._cared_for(table):
                    break
                await self._move(table, table.machine)
                self._troubles.forget(match_id)
        except UnknownMatch:
            self._troubles.forget(match_id)
            log.info("match is gone", match=match_id)
        except LudexError as error:
            message = error.message if table is None else without_seed(error.message, table.match.seed)
            log.warning("machine failed", match=match_id, code=error.code, message=message)
            self._fail(match_id, Problem(code=error.code, message=message))
        except Exception as error:
            # A fault of ours must not leave people waiting without a word.
            log.exception("machine's move failed", match=match_id)
            message = f"the server failed ({type(error).__name__}); its log says why"
            self._fail(match_id, Problem(code="internal", message=message))

    async def _move(self, table: Table, agent: str) -> None:
        begin = time.monotonic()
        try:
            thought = await self._decision(table, agent)
        except Abandoned:
            return
        if table.without_people:
            await asyncio.sleep(max(0.0, self._pace - (time.monotonic() - begin)))
        change = await self._keeper.work(decided, table, thought)
        self._thoughts.remember(table.id, thought)
        self._keeper.metrics.thought(table.spec.id, agent, thought.ms / 1000)
        try:
            await self._keeper.keep(table, change, thought.ms)
        except StaleMatch:
            # Another server was first, or the person took a move back.
            log.info("machine was late", match=table.id, version=table.version)

    async def _decision(self, table: Table, agent: str) -> Thought:
        assert table.hosting is not None
        info = table.game.info
        actions, movetime = table.match.actions, table.hosting.movetime_ms
        mover, clocks = table.match.to_move, table.clocks()
        own_first = (*clocks[mover:], *clocks[:mover])
        task = Task(info.id, info.preset, table.match.seed, actions, agent, movetime, own_first)
        thinking = await self._begun(task, table)
        self._thinking[table.id] = (table.version, thinking)
        try:
            return await thinking.result()
        except asyncio.CancelledError:
            thinking.abandon()
            raise
        except LudexError:
            self._keeper.turns.stop(table)
            raise
        finally:
            del self._thinking[table.id]

    def _start_clock(self, table: Table) -> None:
        if table.timing is not None:
            self._keeper.turns.think(table)
            self._hub.changed(table.id)

    async def _begun(self, task: Task, table: Table) -> Thinking:
        assert table.hosting is not None
        start_clock = partial(self._start_clock, table)
        while True:
            try:
                return self._pool.begin(task, table.hosting.creator, self._listener(table), start_clock)
            except TooBusy:
                await asyncio.sleep(PATIENCE)

    def _listener(self, table: Table) -> Callable[[Thought], None]:
        def tell(thought: Thought) -> None:
            self._hub.thinks(table.id, thought, lambda person: sees_moves_of(table, person, thought.player))

        return tell

    def _cared_for(self, table: Table) -> bool:
        """Against a person a machine always answers; against another only while somebody looks."""
        if not table.without_people or self._hub.watched(table.id):
            return True
        return time.monotonic() - self._looked.get(table.id, 0.0) < ATTENTION

    def _fail(self, match_id: str, problem: Problem) -> None:
        self._troubles.add(match_id, problem)
        self._hub.fault(match_id, problem)
        self._hub.changed(match_id)
