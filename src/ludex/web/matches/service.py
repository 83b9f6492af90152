"""The matches of a server: what all routes share that read, change or begin one."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from ludex.arena.entrants import kernels_of
from ludex.core.errors import LudexError, MoveError, StaleMatch
from ludex.core.match import NEWEST, Match
from ludex.core.record import PERSON
from ludex.operations.permissions import VISITOR, Permissions
from ludex.store.database import Database
from ludex.store.hosting import Seating
from ludex.store.matches import Page
from ludex.web.boards import public_game
from ludex.web.editing import first_position
from ludex.web.errors import BadRequest, problem_of
from ludex.web.leaderboard import Leaderboards
from ludex.web.matches import creation, moves
from ludex.web.matches import policy as may
from ludex.web.matches.agreements import Rematches
from ludex.web.matches.analysis import MatchAnalysis, MatchFacts
from ludex.web.matches.creation import MatchQuota
from ludex.web.matches.engine_turns import EngineTurns
from ludex.web.matches.first_positions import FirstPositions, takes_long
from ludex.web.matches.model import Change, MatchDraft, MatchSnapshot
from ludex.web.matches.policy import Check
from ludex.web.matches.reviews import MatchReviews
from ludex.web.matches.view import ViewContext, match_list, match_view
from ludex.web.matches.writer import MatchWriter
from ludex.web.offload import Offload
from ludex.web.people import KnownNicknames
from ludex.web.schemas.base import Problem
from ludex.web.schemas.matches import MatchList, MatchView
from ludex.web.schemas.requests import ForkRequest, MoveRequest, NewMatch
from ludex.web.schemas.reviews import RetryRequest, RetryVerdict
from ludex.web.security.rate import Buckets
from ludex.web.settings import Settings
from ludex.web.workers.pool import WorkerPool
from ludex.web.workers.preparation import Preparation

EMOTES: Final = 3
EMOTES_PER_MINUTE: Final = 12
"""Signs that a person can give at once, and after that."""


class MatchService:
    """The matches of this server. `person` is the caller."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        writer: MatchWriter,
        pool: WorkerPool,
        offload: Offload,
        preparation: Preparation,
        leaderboards: Leaderboards,
        *,
        nicknames: KnownNicknames,
    ) -> None:
        self._settings, self.writer, self.cache = settings, writer, writer.cache
        self.offload, self.preparation, self._leaderboards = offload, preparation, leaderboards
        self._nicknames, self._pool = nicknames, pool
        self.engine_turns = EngineTurns(pool, writer, offload, settings.pace_ms, leaderboards)
        self.reviews = MatchReviews(pool, database, writer.hub, offload)
        self.facts = MatchFacts(pool)
        self.quota = MatchQuota(settings, writer.cache, pool.addresses)
        self.rematches = Rematches(writer, offload, self.quota)
        self.first_positions = FirstPositions(pool, offload, preparation)
        self.analysis = MatchAnalysis(writer, pool, offload)
        self.emotes = Buckets(EMOTES_PER_MINUTE, burst=EMOTES)

    async def close(self) -> None:
        """Stop every search of an agent, every review, and what is made ahead of time."""
        await self.first_positions.close()
        await self.reviews.close()
        await self.engine_turns.close()

    async def load(self, match_id: str) -> MatchSnapshot:
        """The match as the database has it, its clocks judged. Raises `UnknownMatch`."""
        return await self.writer.load(match_id)

    async def view(self, match_id: str, person: str, ply: int | None = None, *, picture: bool = False) -> MatchView:
        """The match as the database has it and as a person may see it; an agent to move starts its search."""
        return await self.show(await self.writer.load(match_id), person, ply, picture=picture)

    async def latest_view(self, match_id: str, person: str) -> MatchView:
        """The match as this server last saw it, for subscriptions, which get every change."""
        return await self.show(await self.writer.latest(match_id), person)

    async def wake(self, match_id: str) -> Problem | None:
        """Start the search of the agent to move, and give the reason why its last one failed, if it did."""
        snapshot = await self.writer.load(match_id)
        self.engine_turns.ensure(snapshot)
        return None if snapshot.engine_to_move is None else self.engine_turns.failure(match_id)

    async def show_list(
        self, page: Page, seatings: dict[str, Seating], person: str, *, more: bool = False
    ) -> MatchList:
        holders = {holder for seating in seatings.values() for holder in seating.seats.values() if holder is not None}
        names = await self._nicknames.of(holders)
        return await self.offload.run(match_list, page, seatings, person, names, more)

    async def begin(self, request: NewMatch, person: str, permissions: Permissions = VISITOR) -> MatchView:
        self.require_movetime(request.movetime_ms)
        await self.preparation.wait_for(request.game)
        seed = creation.seed_of(request)
        begins, first = None, None
        if request.position is not None:
            begins = await first_position(self._pool, self.offload, request, person, seed)
        else:
            game = await self.offload.run(public_game, request.game, request.preset)
            if takes_long(game):
                seed, first = await self.first_positions.take(game, seed, given=request.seed is not None, person=person)
        return await self._begin_draft(lambda: creation.new(request, person, permissions, seed, begins, first), person)

    async def fork(
        self, match_id: str, request: ForkRequest, person: str, permissions: Permissions = VISITOR
    ) -> MatchView:
        snapshot = await self.load_permitted(match_id, person, may.check_fork)
        await self.analysis.record_help(snapshot, person, "fork")
        return await self._begin_draft(lambda: creation.fork(snapshot, request, person, permissions), person)

    async def move(self, match_id: str, request: MoveRequest, person: str) -> MatchView:
        async def play(snapshot: MatchSnapshot) -> Change:
            may.check_move(snapshot, person)
            require_version(snapshot, request.version)
            return await self.offload.run_rules((*snapshot.board, "move"), moves.play_request, snapshot, request)

        try:
            moved = await self._change(match_id, play)
        except MoveError as error:
            self.writer.metrics.move_rejected(problem_of(error).code)
            raise
        return await self.show(moved, person)

    async def resign(self, match_id: str, version: int, person: str) -> MatchView:
        return await self.replace(match_id, version, person, may.check_resign, moves.resign_for)

    async def replace(
        self,
        match_id: str,
        version: int,
        person: str,
        check: Check,
        replace: Callable[[MatchSnapshot, str], Match[Any, Any]],
    ) -> MatchView:
        async def change(snapshot: MatchSnapshot) -> Change:
            check(snapshot, person)
            require_version(snapshot, version)
            return Change(replace(snapshot, person))

        return await self.show(await self._change(match_id, change), person)

    async def cancel(self, match_id: str, person: str) -> None:
        """Have the agent to move stop its search and play."""
        await self.load_permitted(match_id, person, may.check_cancel)
        self.engine_turns.cancel(match_id)

    def announce_nickname(self, person: str) -> None:
        """Send the matches of a person again to all who look at them: the person has another name."""
        for match_id in self.writer.hub.matches:
            snapshot = self.cache.find_cached(match_id)
            if snapshot is None or person in snapshot.holders:
                self.writer.hub.announce_change(match_id)

    async def retry(self, match_id: str, request: RetryRequest, person: str) -> RetryVerdict:
        """What the analyst says of another move in a finished match."""
        return await self.reviews.judge(await self.writer.load(match_id), request.ply, request.text, person)

    async def load_permitted(self, match_id: str, person: str, check: Check) -> MatchSnapshot:
        """The match as the database has it, if a check of the policy lets the person do what they ask for."""
        snapshot = await self.writer.load(match_id)
        check(snapshot, person)
        return snapshot

    async def _change(self, match_id: str, change: Callable[[MatchSnapshot], Awaitable[Change]]) -> MatchSnapshot:
        """Apply a change to the cached match; only what is refused there is tried again on the database's version."""
        snapshot = await self.writer.latest(match_id)
        try:
            return await self.writer.apply(snapshot, await change(snapshot))
        except LudexError:
            current = await self.writer.load(match_id)
            if current.version == snapshot.version:
                raise
        return await self.writer.apply(current, await change(current))

    async def _begin_draft(self, make: Callable[[], MatchDraft], person: str) -> MatchView:
        draft = await self.offload.run(make)
        game, machines = draft.match.game.info.id, [name for name in draft.agents if name != PERSON]
        # Before the quota, which counts a match that begins only once.
        await self.preparation.wait_for(game, await self.offload.run(kernels_of, game, *machines))
        await self.quota.require(person)
        return await self.show(await self.writer.begin(draft), person)

    def require_movetime(self, movetime_ms: int | None) -> None:
        most = self._settings.search_ms
        if movetime_ms is not None and movetime_ms > most:
            raise BadRequest(f"movetime_ms: this server allows {most} ms per move at most, found {movetime_ms}")

    async def show(
        self, snapshot: MatchSnapshot, person: str, ply: int | None = None, *, picture: bool = False
    ) -> MatchView:
        self.engine_turns.ensure(snapshot)
        context = ViewContext(
            searching=self.engine_turns.is_searching(snapshot),
            waiting=self.engine_turns.place(snapshot),
            analysis=self.engine_turns.decision(snapshot, snapshot.match.ply if ply is None else ply),
            clock=self.writer.clocks.view(snapshot, ply),
            levels=await self._leaderboards.levels(),
            pace_ms=self._settings.pace_ms,
            nicknames=await self._nicknames.of(snapshot.holders),
            rematch=await self.rematches.of(snapshot, person),
        )
        newest, viewer = ply is None and not picture, snapshot.viewer(person)
        known = snapshot.view_of(viewer, context) if newest else None
        if known is not None:
            return known
        if snapshot.match.ply > NEWEST:
            view = await self.offload.run_long(match_view, snapshot, viewer, context, ply, picture)
        else:
            # What a view costs depends on the board and on the number of moves.
            kind = (*snapshot.board, "picture" if picture else "view", snapshot.match.ply.bit_length())
            view = await self.offload.run_rules(kind, match_view, snapshot, viewer, context, ply, picture)
        if newest:
            snapshot.views[viewer] = context, view
        return view


def require_version(snapshot: MatchSnapshot, version: int) -> None:
    """Raise `StaleMatch` if a person has seen another version."""
    if snapshot.version != version:
        raise StaleMatch(f"match {snapshot.id!r} has version {snapshot.version}, expected {version}; read it again")
