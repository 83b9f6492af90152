"""Everything a person can do with matches, as the routes call it."""

import math
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from ludex.arena.entrants import kernels_of
from ludex.core.errors import LudexError, MoveError, SeatTaken, StaleMatch
from ludex.core.match import NEWEST, Match
from ludex.core.record import PERSON, MatchFile, match_file
from ludex.core.registry import resolve, supports
from ludex.operations.permissions import VISITOR, Permissions
from ludex.store.database import Database
from ludex.store.hosting import Seating
from ludex.store.matches import Page
from ludex.store.timing import format_utc
from ludex.web.boards import public_game
from ludex.web.editing import EditedPosition, PositionEditing
from ludex.web.errors import BadRequest, TooManyEmotes, problem_of
from ludex.web.leaderboard import Leaderboards
from ludex.web.matches import agreements, creation, moves
from ludex.web.matches import policy as may
from ludex.web.matches.agreements import Rematches
from ludex.web.matches.analysis import MatchAnalysis, MatchFacts
from ludex.web.matches.creation import MatchQuota
from ludex.web.matches.engine_turns import EngineTurns
from ludex.web.matches.first_positions import FirstPositions, takes_long
from ludex.web.matches.model import Change, MatchDraft, MatchSnapshot
from ludex.web.matches.policy import Check
from ludex.web.matches.reviews import MatchReviews
from ludex.web.matches.view import ViewContext, is_of, match_list, match_view
from ludex.web.matches.writer import MatchWriter
from ludex.web.offload import Offload, TooLong
from ludex.web.people import KnownNicknames
from ludex.web.schemas.analyses import Analysis
from ludex.web.schemas.base import Problem
from ludex.web.schemas.matches import (
    BoardModel,
    Invitation,
    LegalMoves,
    MatchFactsView,
    MatchList,
    MatchView,
    Trial,
)
from ludex.web.schemas.requests import AnalysisRequest, Emote, ForkRequest, MoveRequest, NewMatch, PaceRequest
from ludex.web.schemas.reviews import RetryRequest, RetryVerdict
from ludex.web.seats import Seats
from ludex.web.security.rate import Buckets
from ludex.web.settings import Settings
from ludex.web.workers.pool import WorkerPool
from ludex.web.workers.preparation import Preparation

WATCHED: Final = timedelta(minutes=20)
"""A live match without a move for so long is not listed for others to watch."""
MOST_WATCHED: Final = 20
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
        seats: Seats,
        nicknames: KnownNicknames,
    ) -> None:
        self._settings, self._writer, self.cache = settings, writer, writer.cache
        self._offload, self._preparation, self._leaderboards = offload, preparation, leaderboards
        self._seats, self._nicknames = seats, nicknames
        self._engine_turns = EngineTurns(pool, writer, offload, settings.pace_ms, leaderboards)
        self.reviews = MatchReviews(pool, database, writer.hub, offload)
        self._facts = MatchFacts(pool)
        self._quota = MatchQuota(settings, writer.cache, pool.addresses)
        self._rematches = Rematches(writer, offload, self._quota)
        self.editing = PositionEditing(pool, offload)
        self.first_positions = FirstPositions(pool, offload, preparation)
        self._analysis = MatchAnalysis(writer, pool, offload)
        self._emotes = Buckets(EMOTES_PER_MINUTE, burst=EMOTES)

    async def close(self) -> None:
        """Stop every search of an agent, every review, and what is made ahead of time."""
        await self.first_positions.close()
        await self.reviews.close()
        await self._engine_turns.close()

    async def load(self, match_id: str) -> MatchSnapshot:
        """The match as the database has it, its clocks judged. Raises `UnknownMatch`."""
        return await self._writer.load(match_id)

    async def view(self, match_id: str, person: str, ply: int | None = None, *, picture: bool = False) -> MatchView:
        """The match as the database has it and as a person may see it; an agent to move starts its search."""
        return await self._view(await self._writer.load(match_id), person, ply, picture=picture)

    async def latest_view(self, match_id: str, person: str) -> MatchView:
        """The match as this server last saw it, for subscriptions, which get every change."""
        return await self._view(await self._writer.latest(match_id), person)

    async def wake(self, match_id: str) -> Problem | None:
        """Start the search of the agent to move, and give the reason why its last one failed, if it did."""
        snapshot = await self._writer.load(match_id)
        self._engine_turns.ensure(snapshot)
        return None if snapshot.engine_to_move is None else self._engine_turns.failure(match_id)

    async def page(self, limit: int, before: str | None, game: str | None, yours: bool, person: str) -> MatchList:
        matches, seatings = await self.cache.page(limit + 1, game, before, person if yours else None)
        return await self._list(matches[:limit], seatings, person, more=len(matches) > limit)

    async def live_matches(self, person: str) -> MatchList:
        """The matches that other people play now, to watch."""
        matches, seatings = await self.cache.live_matches(MOST_WATCHED, format_utc(datetime.now(UTC) - WATCHED))
        return await self._list(
            [match for match in matches if not is_of(seatings.get(match.id), person)], seatings, person
        )

    async def _list(self, page: Page, seatings: dict[str, Seating], person: str, *, more: bool = False) -> MatchList:
        holders = {holder for seating in seatings.values() for holder in seating.seats.values() if holder is not None}
        names = await self._nicknames.of(holders)
        return await self._offload.run(match_list, page, seatings, person, names, more)

    async def begin(self, request: NewMatch, person: str, permissions: Permissions = VISITOR) -> MatchView:
        self._require_movetime(request.movetime_ms)
        await self._preparation.wait_for(request.game)
        seed = creation.seed_of(request)
        begins = None if request.position is None else await self.editing.first_position(request, person, seed)
        first = None
        if begins is None:
            game = await self._offload.run(public_game, request.game, request.preset)
            if takes_long(game):
                seed, first = await self.first_positions.take(game, seed, given=request.seed is not None, person=person)
        return await self._begin_draft(lambda: creation.new(request, person, permissions, seed, begins, first), person)

    async def edit(self, match_id: str, ply: int | None, person: str) -> EditedPosition:
        """The position of a ply to be edited, which is engine help in a live match, as an analysis is."""
        snapshot = await self._writer.load(match_id)
        plies = snapshot.match.ply
        ply = plies if ply is None else ply
        if ply > plies:
            raise BadRequest(f"ply: the match has plies 0..{plies}, found {ply}")
        may.check_analysis(snapshot, person, ply)
        snapshot = await self._analysis.record_help(snapshot, person, "analysis")
        return await self.editing.of_match(snapshot.match.branch(ply))

    async def read(self, body: Any, person: str) -> MatchView:
        await self._quota.require(person)
        file = await self._offload.run(MatchFile.parse, body, "the file")
        await self._preparation.wait_for(file.record.game)
        game = await self._offload.run(public_game, file.record.game, file.record.preset)
        most = self._settings.replay_ms
        try:
            match = await self.cache.replay(game, len(file.moves), file.replaying(game), most / 1000)
        except TooLong:
            message = f"the file: this server replays a match for {most} ms at most, and this takes longer"
            raise BadRequest(message) from None
        draft = await self._offload.run(creation.draft_import, match, file.record.agents, person)
        return await self._view(await self._writer.begin(draft), person)

    async def fork(
        self, match_id: str, request: ForkRequest, person: str, permissions: Permissions = VISITOR
    ) -> MatchView:
        snapshot = await self._load(match_id, person, may.check_fork)
        await self._analysis.record_help(snapshot, person, "fork")
        return await self._begin_draft(lambda: creation.fork(snapshot, request, person, permissions), person)

    async def stage(self, match_id: str) -> BoardModel:
        return await self._offload.run(_stage, await self._writer.load(match_id))

    async def legal(self, match_id: str, person: str) -> LegalMoves:
        snapshot = await self._load(match_id, person, may.check_legal)
        legal_moves = await self._offload.run_rules((*snapshot.board, "legal"), moves.legal_moves, snapshot)
        return LegalMoves(version=snapshot.version, moves=legal_moves)

    async def move(self, match_id: str, request: MoveRequest, person: str) -> MatchView:
        async def play(snapshot: MatchSnapshot) -> Change:
            may.check_move(snapshot, person)
            _require(snapshot, request.version)
            return await self._offload.run_rules((*snapshot.board, "move"), moves.play_request, snapshot, request)

        try:
            moved = await self._change(match_id, play)
        except MoveError as error:
            self._writer.metrics.move_rejected(problem_of(error).code)
            raise
        return await self._view(moved, person)

    async def judge(self, match_id: str, text: str, person: str) -> Trial:
        snapshot = await self._load(match_id, person, may.check_legal)
        return await self._offload.run_rules((*snapshot.board, "try"), moves.try_move, snapshot, text)

    async def undo(self, match_id: str, version: int, person: str) -> MatchView:
        """Take back a move, or ask the other person whether this one may; accept what they ask."""
        snapshot = await self._writer.load(match_id)
        if not may.needs_consent(snapshot, person):
            return await self._replace(match_id, version, person, may.check_undo, moves.undo_for)
        _require(snapshot, version)
        return await self._view(await agreements.take_back(self._writer, snapshot, person), person)

    async def resign(self, match_id: str, version: int, person: str) -> MatchView:
        return await self._replace(match_id, version, person, may.check_resign, moves.resign_for)

    async def _replace(
        self,
        match_id: str,
        version: int,
        person: str,
        check: Check,
        replace: Callable[[MatchSnapshot, str], Match[Any, Any]],
    ) -> MatchView:
        async def change(snapshot: MatchSnapshot) -> Change:
            check(snapshot, person)
            _require(snapshot, version)
            return Change(replace(snapshot, person))

        return await self._view(await self._change(match_id, change), person)

    async def delete(self, match_id: str, person: str) -> None:
        snapshot = await self._load(match_id, person, may.check_delete)
        await self._writer.delete(snapshot)

    async def file(self, match_id: str, person: str) -> str:
        snapshot = await self._load(match_id, person, may.check_download)
        return await self._offload.run(match_file, snapshot.match, snapshot.agents)

    async def invite(self, match_id: str, person: str) -> Invitation:
        snapshot = await self._load(match_id, person, may.check_invitation)
        if not snapshot.open_seats:
            raise SeatTaken("no seat of the match is open")
        player = snapshot.open_seats[0]
        token = self._seats.invitation(snapshot.id, player)
        return Invitation(path=f"/join/{snapshot.id}?invitation={token}", player=player)

    async def join(self, match_id: str, invitation: str, person: str) -> MatchView:
        snapshot = await self._writer.load(match_id)
        player = self._seats.invited_to(invitation, snapshot.id)
        if player not in snapshot.seats_of(person):
            snapshot = await self.cache.take_seat(snapshot, player, person)
            self._writer.clocks.track(snapshot, new=True)
            self._writer.announce(snapshot)
        return await self._view(snapshot, person)

    async def draw(self, match_id: str, version: int, person: str) -> MatchView:
        """Offer the other person a draw, or accept theirs."""
        snapshot = await self._writer.load(match_id)
        _require(snapshot, version)
        return await self._view(await agreements.offer_draw(self._writer, snapshot, person), person)

    async def decline_draw(self, match_id: str, version: int, person: str) -> MatchView:
        """Decline the other person's offer of a draw, or withdraw one's own."""
        snapshot = await self._writer.load(match_id)
        _require(snapshot, version)
        return await self._view(await agreements.end_draw_offer(self._writer, snapshot, person), person)

    async def emote(self, match_id: str, emote: Emote, person: str) -> None:
        """Give the other person a sign; who looks at the match on another server does not see it."""
        snapshot = await self._writer.latest(match_id)
        may.check_emote(snapshot, person)
        if seconds := self._emotes.take(person):
            raise TooManyEmotes(f"{EMOTES} signs at once, then one every few seconds", math.ceil(seconds))
        self._writer.hub.send_emote(match_id, snapshot.seats_of(person)[0], emote, snapshot.holders)

    async def set_pace(self, match_id: str, request: PaceRequest, person: str) -> MatchView:
        """Pause a match between agents, or let it go on; a search that runs is abandoned and begins again."""
        snapshot = await self._load(match_id, person, may.check_pace)
        least = self._settings.pace_ms
        if request.ms is not None and request.ms < least:
            raise BadRequest(f"ms: this server has {least} ms between two moves at least, found {request.ms}")
        snapshot = await self.cache.set_pace(snapshot, request.paused, request.ms)
        self._writer.announce(snapshot)
        return await self._view(snapshot, person)

    async def step(self, match_id: str, person: str) -> MatchView:
        """Have the agent to move of a paused match play one move."""
        snapshot = await self._load(match_id, person, may.check_pace)
        if not snapshot.paused:
            raise BadRequest("a step is one move of a paused match, and this one is not paused: pause it first")
        self._engine_turns.step(snapshot)
        return await self._view(snapshot, person)

    async def cancel(self, match_id: str, person: str) -> None:
        """Have the agent to move stop its search and play."""
        await self._load(match_id, person, may.check_cancel)
        self._engine_turns.cancel(match_id)

    async def analyse(
        self,
        match_id: str,
        request: AnalysisRequest,
        person: str,
        gone: Callable[[], Awaitable[None]],
        permissions: Permissions = VISITOR,
    ) -> Analysis:
        """An agent's analysis of a ply, abandoned when the client is `gone`; the person's screens see it improve."""
        self._require_movetime(request.movetime_ms)
        return await self._analysis.analyse(await self._writer.load(match_id), request, person, gone, permissions)

    async def rematch(self, match_id: str, person: str) -> MatchView:
        """Offer a rematch with swapped seats, or accept the other person's."""
        snapshot = await self._writer.load(match_id)
        return await self._view(await self._rematches.offer_or_accept(snapshot, person), person)

    async def decline_rematch(self, match_id: str, person: str) -> MatchView:
        """Decline the rematch that the other person offers: it is deleted, and they are notified."""
        snapshot = await self._writer.load(match_id)
        await self._rematches.decline(snapshot, person)
        return await self._view(snapshot, person)

    def announce_nickname(self, person: str) -> None:
        """Send the matches of a person again to all who look at them: the person has another name."""
        for match_id in self._writer.hub.matches:
            snapshot = self.cache.cached(match_id)
            if snapshot is None or person in snapshot.holders:
                self._writer.hub.changed(match_id)

    async def facts(self, match_id: str, person: str) -> MatchFactsView:
        """What takes time to compute of a finished match."""
        return MatchFactsView(facts=await self._facts.of(await self._writer.load(match_id), person))

    async def retry(self, match_id: str, request: RetryRequest, person: str) -> RetryVerdict:
        """What the analyst says of another move in a finished match."""
        return await self.reviews.judge(await self._writer.load(match_id), request.ply, request.text, person)

    async def _load(self, match_id: str, person: str, check: Check) -> MatchSnapshot:
        """The match as the database has it, if a check of the policy lets the person do what they ask for."""
        snapshot = await self._writer.load(match_id)
        check(snapshot, person)
        return snapshot

    async def _change(self, match_id: str, change: Callable[[MatchSnapshot], Awaitable[Change]]) -> MatchSnapshot:
        """Apply a change to the cached match; only what is refused there is tried again on the database's version."""
        snapshot = await self._writer.latest(match_id)
        try:
            return await self._writer.apply(snapshot, await change(snapshot))
        except LudexError:
            current = await self._writer.load(match_id)
            if current.version == snapshot.version:
                raise
        return await self._writer.apply(current, await change(current))

    async def _begin_draft(self, make: Callable[[], MatchDraft], person: str) -> MatchView:
        draft = await self._offload.run(make)
        game, machines = draft.match.game.info.id, [name for name in draft.agents if name != PERSON]
        # Before the quota, which counts a match that begins only once.
        await self._preparation.wait_for(game, await self._offload.run(kernels_of, game, *machines))
        await self._quota.require(person)
        return await self._view(await self._writer.begin(draft), person)

    def _require_movetime(self, movetime_ms: int | None) -> None:
        most = self._settings.search_ms
        if movetime_ms is not None and movetime_ms > most:
            raise BadRequest(f"movetime_ms: this server allows {most} ms per move at most, found {movetime_ms}")

    async def _view(
        self, snapshot: MatchSnapshot, person: str, ply: int | None = None, *, picture: bool = False
    ) -> MatchView:
        self._engine_turns.ensure(snapshot)
        context = ViewContext(
            searching=self._engine_turns.is_searching(snapshot),
            waiting=self._engine_turns.place(snapshot),
            analysis=self._engine_turns.decision(snapshot, snapshot.match.ply if ply is None else ply),
            clock=self._writer.clocks.view(snapshot, ply),
            levels=await self._leaderboards.levels(),
            pace_ms=self._settings.pace_ms,
            nicknames=await self._nicknames.of(snapshot.holders),
            rematch=await self._rematches.of(snapshot, person),
        )
        newest, viewer = ply is None and not picture, snapshot.viewer(person)
        known = snapshot.view_of(viewer, context) if newest else None
        if known is not None:
            return known
        if snapshot.match.ply > NEWEST:
            view = await self._offload.run_long(match_view, snapshot, viewer, context, ply, picture)
        else:
            # What a view costs depends on the board and on the number of moves.
            kind = (*snapshot.board, "picture" if picture else "view", snapshot.match.ply.bit_length())
            view = await self._offload.run_rules(kind, match_view, snapshot, viewer, context, ply, picture)
        if newest:
            snapshot.views[viewer] = context, view
        return view


def _stage(snapshot: MatchSnapshot) -> BoardModel:
    hook, game = snapshot.spec.screen.board_model, snapshot.game
    return BoardModel(
        game=snapshot.spec.id,
        preset=game.info.preset,
        stage=None if hook is None else resolve(hook)(game),
        agents=[agent for agent in snapshot.spec.agents if supports(game, agent)],
    )


def _require(snapshot: MatchSnapshot, version: int) -> None:
    """Raise `StaleMatch` if a person has seen another version."""
    if snapshot.version != version:
        raise StaleMatch(f"match {snapshot.id!r} has version {snapshot.version}, expected {version}; read it again")
