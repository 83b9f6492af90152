"""Everything a person can do with matches, as the routes ask for it."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from ludex.core.errors import AgentFault, MoveError, SeatTaken, StaleMatch
from ludex.core.record import match_file
from ludex.core.registry import default_analyst, resolve
from ludex.store.clock import written
from ludex.web.errors import BadRequest, TooManyMatches
from ludex.web.matches import beginning, moving
from ludex.web.matches import permission as may
from ludex.web.matches.beginning import Beginning
from ludex.web.matches.keeping import Keeper
from ludex.web.matches.listing import listed
from ludex.web.matches.moving import Change
from ludex.web.matches.permission import refuse
from ludex.web.matches.showing import show
from ludex.web.matches.sight import without_seed
from ludex.web.matches.table import Table
from ludex.web.matches.thinkers import Thinkers
from ludex.web.schemas import (
    AnalysisRequest,
    ForkRequest,
    Invitation,
    LegalMoves,
    MatchList,
    MatchView,
    MoveRequest,
    NewMatch,
    Problem,
    Stage,
    Thought,
    Trial,
)
from ludex.web.seats import Seats
from ludex.web.settings import Settings
from ludex.web.thinking.pool import Task, ThinkingPool


class Tables:
    """The matches of this server. `person` is always who asks."""

    def __init__(
        self,
        settings: Settings,
        keeper: Keeper,
        thinkers: Thinkers,
        pool: ThinkingPool,
        seats: Seats,
    ) -> None:
        self._settings = settings
        self._keeper = keeper
        self._library = keeper.library
        self._thinkers = thinkers
        self._pool = pool
        self._seats = seats

    async def view(self, match_id: str, person: str, ply: int | None = None) -> MatchView:
        """The match as a person may see it; who looks sets its machines to work."""
        return await self._shown(await self._keeper.load(match_id), person, ply)

    async def touch(self, match_id: str) -> Problem | None:
        """Set the match's machines to work, and say why the last of them failed, if it did."""
        table = await self._keeper.load(match_id)
        self._thinkers.touch(table)
        return None if table.machine is None else self._thinkers.trouble(match_id)

    async def page(self, limit: int, before: str | None, game: str | None, yours: bool, person: str) -> MatchList:
        found, hostings = await self._library.page(limit + 1, game, before, person if yours else None)
        lines = [listed(match, hostings.get(match.id), person) for match in found[:limit]]
        return MatchList(matches=lines, before=lines[-1].id if len(found) > limit else None)

    async def begin(self, request: NewMatch, person: str) -> MatchView:
        return await self._begun(lambda: beginning.new(request, person), person)

    async def read(self, body: Any, person: str) -> MatchView:
        return await self._begun(lambda: beginning.read(body, person), person)

    async def fork(self, match_id: str, request: ForkRequest, person: str) -> MatchView:
        table = await self._keeper.load(match_id)
        refuse(may.against_fork(table, person))
        return await self._begun(lambda: beginning.fork(table, request, person), person)

    async def stage(self, match_id: str) -> Stage:
        table = await self._keeper.load(match_id)
        hook = table.spec.stage
        stage = None if hook is None else await self._library.work(lambda: resolve(hook)(table.game))
        return Stage(game=table.spec.id, preset=table.game.info.preset, stage=stage)

    async def legal(self, match_id: str, person: str) -> LegalMoves:
        table = await self._keeper.load(match_id)
        refuse(may.against_legal(table, person))
        return LegalMoves(version=table.version, moves=await self._library.work(moving.legal_moves, table))

    async def move(self, match_id: str, request: MoveRequest, person: str) -> MatchView:
        table = await self._keeper.load(match_id)
        try:
            refuse(may.against_move(table, person))
            _require(table, request.version)
            change = await self._library.work(moving.asked, table, request)
        except MoveError as error:
            self._keeper.metrics.move_rejected(moving.code_of(error))
            raise
        return await self._shown(await self._keeper.keep(table, change), person)

    async def judge(self, match_id: str, text: str, person: str) -> Trial:
        table = await self._keeper.load(match_id)
        refuse(may.against_legal(table, person))
        return await self._library.work(moving.judged, table, text)

    async def undo(self, match_id: str, version: int, person: str) -> MatchView:
        table = await self._keeper.load(match_id)
        refuse(may.against_undo(table, person))
        _require(table, version)
        return await self._shown(await self._keeper.keep(table, Change(moving.undone(table, person))), person)

    async def resign(self, match_id: str, version: int, person: str) -> MatchView:
        table = await self._keeper.load(match_id)
        refuse(may.against_resign(table, person))
        _require(table, version)
        return await self._shown(await self._keeper.keep(table, Change(moving.resigned(table, person))), person)

    async def delete(self, match_id: str, person: str) -> None:
        table = await self._keeper.load(match_id)
        refuse(may.against_delete(table, person))
        await self._library.delete(table)
        self._keeper.forget(table)

    async def file(self, match_id: str) -> str:
        table = await self._keeper.load(match_id)
        refuse(may.against_download(table))
        return await self._library.work(match_file, table.match, table.agents)

    async def invite(self, match_id: str, person: str) -> Invitation:
        table = await self._keeper.load(match_id)
        refuse(may.against_invitation(table, person))
        if not table.open_seats:
            raise SeatTaken("no seat of the match is open")
        player = table.open_seats[0]
        token = self._seats.invitation(table.id, player)
        return Invitation(path=f"/join/{table.id}?invitation={token}", player=player)

    async def join(self, match_id: str, invitation: str, person: str) -> MatchView:
        table = await self._keeper.load(match_id)
        player = self._seats.invited_to(invitation, table.id)
        if player not in table.seats_of(person):
            table = await self._library.take_seat(table, player, person)
            self._keeper.turns.follow(table, new=True)
            self._keeper.announce(table)
        return await self._shown(table, person)

    async def cancel(self, match_id: str, person: str) -> None:
        """Have the machine stop thinking and play."""
        refuse(may.against_cancel(await self._keeper.load(match_id), person))
        self._thinkers.cancel(match_id)

    async def analyse(
        self, match_id: str, request: AnalysisRequest, person: str, gone: Callable[[], Awaitable[None]]
    ) -> Thought:
        """What an agent thinks of a ply; abandoned when the client is `gone`. The person's screens see it improve."""
        table = await self._keeper.load(match_id)
        ply = table.match.ply if request.ply is None else request.ply
        if ply > table.match.ply:
            raise BadRequest(f"ply: the match has plies 0..{table.match.ply}, asked for {ply}")
        refuse(may.against_analysis(table, person, ply))
        agent = default_analyst(table.game) if request.agent is None else request.agent
        await self._library.work(beginning.check_machine, table.game, agent)
        info, actions = table.game.info, table.match.actions[:ply]
        task = Task(info.id, info.preset, table.match.seed, actions, agent, request.movetime_ms)
        hub = self._keeper.hub
        thinking = self._pool.begin(task, person, lambda thought: hub.thinks(table.id, thought, person.__eq__))
        result, left = asyncio.ensure_future(thinking.result()), asyncio.ensure_future(gone())
        try:
            await asyncio.wait({result, left}, return_when=asyncio.FIRST_COMPLETED)
            if not result.done():
                thinking.abandon()
            return await result
        except AgentFault as error:
            raise AgentFault(without_seed(error.message, table.match.seed)) from None
        finally:
            thinking.abandon()
            left.cancel()

    async def _begun(self, make: Callable[[], Beginning], person: str) -> MatchView:
        await self._require_room(person)
        return await self._shown(await self._keeper.begin(await self._library.work(make)), person)

    async def _require_room(self, person: str) -> None:
        """Raise `TooManyMatches` if a person has as many as one may have."""
        most = self._settings.matches_per_person
        if await self._library.live_matches_of(person) >= most:
            raise TooManyMatches(f"you have {most} live matches: finish or delete one first")
        most, hour = self._settings.matches_per_hour, datetime.now(UTC) - timedelta(hours=1)
        if await self._library.begun_since(person, written(hour)) >= most:
            raise TooManyMatches(f"you have begun {most} matches in an hour: take a break")

    async def _shown(self, table: Table, person: str, ply: int | None = None) -> MatchView:
        self._thinkers.touch(table)
        thinking = self._thinkers.thinks_about(table)
        thought = self._thinkers.thought(table, table.match.ply if ply is None else ply)
        clock = self._keeper.turns.shown(table, ply)
        return await self._library.work(show, table, person, ply, thinking, thought, clock)


def _require(table: Table, version: int) -> None:
    if table.version != version:
        raise StaleMatch(f"match {table.id!r} has version {table.version}, expected {version}; read it again")
