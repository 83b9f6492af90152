"""Engine help in a match: analyses that people ask for, and the record of who was helped."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

from ludex.coach.analyst import hint_search
from ludex.core.errors import AgentFault
from ludex.core.registry import default_analyst
from ludex.operations.permissions import VISITOR, Permissions
from ludex.store.hosting import EngineHelp, HelpKind
from ludex.web.editing import require_explanations
from ludex.web.errors import BadRequest
from ludex.web.matches import creation
from ludex.web.matches import policy as may
from ludex.web.matches.model import MatchSnapshot
from ludex.web.matches.policy import without_seed
from ludex.web.matches.writer import MatchWriter
from ludex.web.offload import Offload
from ludex.web.recent import Recent
from ludex.web.schemas.analyses import Analysis
from ludex.web.schemas.requests import AnalysisRequest
from ludex.web.workers.pool import WorkerPool
from ludex.web.workers.task import Task


class MatchAnalysis:
    """Has the workers analyse positions of matches."""

    def __init__(self, writer: MatchWriter, pool: WorkerPool, offload: Offload) -> None:
        self._writer = writer
        self._pool = pool
        self._offload = offload

    async def analyse(
        self,
        snapshot: MatchSnapshot,
        request: AnalysisRequest,
        person: str,
        gone: Callable[[], Awaitable[None]],
        permissions: Permissions = VISITOR,
    ) -> Analysis:
        """An agent's analysis of a ply, abandoned when the client is `gone`; the person's screens see it improve."""
        ply = snapshot.match.ply if request.ply is None else request.ply
        if ply > snapshot.match.ply:
            raise BadRequest(f"ply: the match has plies 0..{snapshot.match.ply}, found {ply}")
        may.check_analysis(snapshot, person, ply)
        require_explanations(snapshot.spec.id, request.about)
        agent, nodes = request.agent or default_analyst(snapshot.game), None
        if request.kind == "hint" and request.agent is None:
            agent, nodes = hint_search(snapshot.game)
        await self._offload.run(creation.check_agent, snapshot.game, agent, permissions)
        snapshot = await self.record_help(snapshot, person, request.kind)
        mover = snapshot.game.to_move(snapshot.match.positions[ply])
        addressed = mover in snapshot.seats_of(person)
        limits = {"nodes": nodes, "public_seed": True, "addressed": addressed, "about": request.about}
        task = Task.of(snapshot.match, ply, agent, request.movetime_ms, **limits)
        hub = self._writer.hub

        def show(analysis: Analysis) -> None:
            hub.send_report(snapshot.id, analysis, partial(may.sees_analysis, snapshot, person, analysis.player))

        try:
            analysis = await self._pool.begin(task, person, show).result_unless(gone)
        except AgentFault as error:
            raise AgentFault(without_seed(error.message, snapshot.match.seed)) from None
        if request.about is None:
            show(analysis)
        return analysis

    async def record_help(self, snapshot: MatchSnapshot, person: str, kind: HelpKind) -> MatchSnapshot:
        """Record engine help of a player in a live match, before it is given; others play no part in the result."""
        seats = snapshot.seats_of(person)
        if not snapshot.live or not seats:
            return snapshot
        player = snapshot.to_move if snapshot.to_move in seats else seats[0]
        helped = await self._writer.cache.add_help(snapshot, EngineHelp(player, snapshot.match.ply, kind))
        if helped is not snapshot:
            self._writer.hub.announce_change(snapshot.id)
        return helped


MOST_CACHED: Final = 1_000

Facts = dict[str, Any]


class MatchFacts:
    """Computes facts through the worker pool and remembers those of the last matches."""

    def __init__(self, pool: WorkerPool) -> None:
        self._pool = pool
        self._cached = Recent[tuple[str, int], Facts](MOST_CACHED)
        self._computing: dict[tuple[str, int], asyncio.Task[Facts]] = {}

    async def of(self, snapshot: MatchSnapshot, person: str) -> Facts | None:
        """The facts; None if the match is live or its game has none. Raises `TooBusy` or `AgentFault`."""
        if snapshot.live or snapshot.spec.screen.facts is None:
            return None
        key = (snapshot.id, snapshot.version)
        if (facts := self._cached.use(key)) is not None:
            return facts
        if key not in self._computing:
            self._computing[key] = asyncio.create_task(self._compute(snapshot, person))
            self._computing[key].add_done_callback(lambda _: self._computing.pop(key))
        # A person who leaves does not stop what others wait for.
        return await asyncio.shield(self._computing[key])

    async def _compute(self, snapshot: MatchSnapshot, person: str) -> Facts:
        task = Task.of(snapshot.match, snapshot.match.ply, "", None, facts=True)
        search = self._pool.begin(task, person)
        facts = self._cached[snapshot.id, snapshot.version] = await search.facts()
        return facts
