"""Matches of the database, replayed; those in use stay in memory."""

import asyncio
import pickle
import weakref
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

from ludex.core.errors import BadRecord, StaleMatch, UnknownMatch
from ludex.core.game import AnyGame
from ludex.core.match import NEWEST, Match
from ludex.core.record import Record, Replaying, replaying
from ludex.core.seeding import CHANCE, generator
from ludex.store.database import Database
from ludex.store.hosting import (
    EngineHelp,
    HostedMatch,
    Hosting,
    MatchUpdate,
    Seating,
    UnreadMatch,
    Usage,
    first_version,
)
from ludex.store.hostings import Hostings
from ludex.store.matches import IDS, Page, StoredMatch
from ludex.store.timing import Timing, utc_now
from ludex.web.boards import board
from ludex.web.budget import Budgets
from ludex.web.errors import DamagedMatch
from ludex.web.matches.model import MatchDraft, MatchSnapshot, match_bytes
from ludex.web.offload import Offload
from ludex.web.settings import Settings
from ludex.web.times import time_of
from ludex.web.tournaments import GAME_VERSION, Tournaments, is_game
from ludex.web.workers.preparation import Preparation

T = TypeVar("T")
Written: TypeAlias = int | StaleMatch | UnknownMatch
"""The new version of a match, or why it was left as it is."""


class MatchCache:
    """Reads and writes matches away from the event loop, through one writer thread.

    A cached snapshot may be behind the database if another server shares it: a write with an outdated version raises
    `StaleMatch`, and `load` compares versions. Games of saved tournaments are matches that cannot be changed.
    """

    def __init__(
        self,
        database: Database,
        tournaments: Tournaments,
        offload: Offload,
        preparation: Preparation,
        budgets: Budgets,
        settings: Settings,
    ) -> None:
        self._hostings = database.hostings
        self._matches = database.matches
        self._tournaments = tournaments
        self._offload = offload
        self._most, self._most_bytes = settings.cached_matches, settings.cached_bytes
        self._bytes = 0
        """Of all cached snapshots together."""
        self._preparation = preparation
        self.budgets = budgets
        budgets.replays.make_room = budgets.long_replays.make_room = self._make_room
        self._snapshots: OrderedDict[str, MatchSnapshot] = OrderedDict()
        self._replays: dict[tuple[str, int], asyncio.Task[MatchSnapshot]] = {}
        self._writer = ThreadPoolExecutor(1, "ludex-writer")
        self._updates = GroupCommit(self._hostings, self._writer)

    def close(self) -> None:
        """Wait for what is being written."""
        self._writer.shutdown()

    def find_cached(self, match_id: str) -> MatchSnapshot | None:
        """The match as this server last saw it, without a query."""
        if match_id not in self._snapshots:
            return None
        self._snapshots.move_to_end(match_id)
        return self._snapshots[match_id]

    async def load(self, match_id: str) -> MatchSnapshot:
        """The match as the database has it: one query if it is cached. Raises `UnknownMatch`."""
        if is_game(match_id):
            return await self._tournament_game(match_id)
        if not IDS.fullmatch(match_id):
            raise _unknown(match_id)
        if self.find_cached(match_id) is not None:
            await self.versions([match_id])
            if (snapshot := self._snapshots.get(match_id)) is not None:
                return snapshot
        try:
            unread = await self._offload.run(self._hostings.find, match_id)
        except UnknownMatch:
            raise _unknown(match_id) from None
        return await self._replay_once(unread)

    async def create(self, draft: MatchDraft) -> MatchSnapshot:
        """Write a new match."""
        record, now = Record.of(draft.match, draft.agents), utc_now()
        match_id = await self._write(self._hostings.create, record, draft.hosting, draft.timing, now)
        stored = StoredMatch(match_id, first_version(record), now, now, record)
        return self._keep(MatchSnapshot(stored, draft.hosting, draft.match, draft.timing))

    async def update(self, snapshot: MatchSnapshot, match: Match[Any, Any], timing: Timing | None) -> MatchSnapshot:
        """Write the next state of a match and its clocks. Raises `StaleMatch` if the database has another version."""
        record, now, before = Record.of(match, snapshot.agents), utc_now(), snapshot.stored
        begun_utc = before.begun_utc or (now if record.actions else None)
        stored = StoredMatch(snapshot.id, before.version + 1, before.created_utc, now, record, begun_utc)
        time = time_of(stored, snapshot.hosting, match)
        version = await self._updates.write(MatchUpdate(snapshot.id, record, before.version, timing, now, time))
        if not isinstance(version, int):
            self._discard(snapshot.id, snapshot.version + 1)
            raise version
        return self._keep(snapshot.next_version(stored, snapshot.hosting, match, timing, scenes=snapshot.scenes))

    async def create_rematch(self, snapshot: MatchSnapshot, draft: MatchDraft) -> str:
        """Write the rematch of a match, unless it has one, and return its id."""
        terms = (Record.of(draft.match, draft.agents), draft.hosting, draft.timing, utc_now())
        rematch = await self._write(self._hostings.create_rematch, snapshot.id, *terms)
        await self.versions([snapshot.id])
        return rematch

    async def add_help(self, snapshot: MatchSnapshot, used: EngineHelp) -> MatchSnapshot:
        """Record engine help. It changes no version: a move that is on its way must not be refused for it."""
        assert snapshot.hosting is not None
        if used in snapshot.hosting.help:
            return snapshot
        await self._write(self._hostings.add_help, snapshot.id, used)
        hosting = replace(snapshot.hosting, help=(*snapshot.hosting.help, used))
        return self._keep(replace(snapshot, hosting=hosting))

    async def set_pace(self, snapshot: MatchSnapshot, paused: bool, pace_ms: int | None) -> MatchSnapshot:
        """Pause a match between agents, or let it go on at a pace."""
        await self._write(self._hostings.set_pace, snapshot.id, paused, pace_ms)
        return await self.load(snapshot.id)

    async def offer(self, snapshot: MatchSnapshot, player: int, ply: int) -> MatchSnapshot:
        """Write a player's offer of a draw, or to take back the moves from an earlier ply on. Raises `StaleMatch`."""
        assert snapshot.hosting is not None
        offer = await self._write(self._hostings.offer, snapshot.id, player, ply, snapshot.version)
        return self._renumber(snapshot, offer.version, replace(snapshot.hosting, draw=offer))

    async def end_offer(self, snapshot: MatchSnapshot) -> MatchSnapshot:
        """Withdraw or decline the offer. Raises `StaleMatch`."""
        version = await self._write(self._hostings.end_offer, snapshot.id, snapshot.version)
        return self._renumber(snapshot, version, snapshot.hosting)

    def _renumber(self, snapshot: MatchSnapshot, version: int, hosting: Hosting | None) -> MatchSnapshot:
        """The same position as a new version of the match."""
        stored, drawings = replace(snapshot.stored, version=version), snapshot.drawings
        return self._keep(snapshot.next_version(stored, hosting, snapshot.match, snapshot.timing, drawings=drawings))

    async def take_seat(self, snapshot: MatchSnapshot, player: int, person: str) -> MatchSnapshot:
        """Give an open seat to a person. Raises `SeatTaken`."""
        await self._write(self._hostings.take_seat, snapshot.id, player, person)
        return await self.load(snapshot.id)

    async def restart_turns(self) -> list[str]:
        """Have the turn of every live match with clocks begin now, and give their ids."""
        return await self._write(self._hostings.renew_turns)

    async def delete(self, snapshot: MatchSnapshot) -> None:
        await self._write(self._matches.delete, snapshot.id)
        self._drop(snapshot.id)

    async def page(
        self, limit: int, game: str | None, before: str | None, person: str | None
    ) -> tuple[Page, dict[str, Seating]]:
        """A page of matches, newest first. Raises `UnknownMatch` if there is no match to list from."""
        if before is not None and not IDS.fullmatch(before):
            raise _unknown(before)
        try:
            return await self._offload.run(self._hostings.list, limit, game, before, person)
        except UnknownMatch:
            raise _unknown(str(before)) from None

    async def live_matches(self, limit: int, since_utc: str) -> tuple[Page, dict[str, Seating]]:
        """The newest live matches of people, with a move since then."""
        return await self._offload.run(self._hostings.live_matches, limit, since_utc)

    async def versions(self, match_ids: list[str]) -> dict[str, int]:
        """The versions of those matches that exist; cached snapshots of other versions are dropped."""
        games = {match_id: GAME_VERSION for match_id in match_ids if is_game(match_id)}
        stored = [match_id for match_id in match_ids if match_id not in games]
        versions = await self._offload.run(self._hostings.versions, stored)
        for match_id in stored:
            self._discard(match_id, versions.get(match_id))
        return games | versions

    async def usage_of(self, person: str, created_utc: str) -> Usage:
        return await self._offload.run(self._hostings.usage_of, person, created_utc)

    async def size_bytes(self) -> int:
        return await self._offload.run(self._hostings.size_bytes)

    async def _tournament_game(self, match_id: str) -> MatchSnapshot:
        """A tournament's game. Raises `UnknownMatch`."""
        stored, game_of = await self._offload.run(self._tournaments.match, match_id)
        cached = self.find_cached(match_id)
        if cached is not None and cached.stored == stored:
            return cached
        return self._keep(replace(await self._replay_once(UnreadMatch.of(stored)), game_of=game_of))

    async def _write(self, function: Callable[..., T], *arguments: Any) -> T:
        # A client that goes away does not stop a write.
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._writer, function, *arguments))

    async def _replay_once(self, unread: UnreadMatch) -> MatchSnapshot:
        """The match replayed, once for all requests that come at the same time."""
        key = (unread.id, unread.version)
        if key not in self._replays:
            self._replays[key] = asyncio.create_task(self._replay(unread))
            self._replays[key].add_done_callback(lambda _: self._replays.pop(key))
        return await asyncio.shield(self._replays[key])

    async def _replay(self, unread: UnreadMatch) -> MatchSnapshot:
        # This process loads kernels and never compiles them.
        await self._preparation.require(unread.game)
        hosted: list[HostedMatch] = []

        def steps(game: AnyGame) -> Replaying:
            # The first step: of many long matches at once most are refused before it.
            hosted.append(unread.read())
            return (yield from replaying(game, hosted[0].stored.record))

        try:
            game = await self._offload.run(board, unread.game, unread.preset)
            match = await self.replay(game, unread.plies, steps(game))
        except BadRecord as error:
            raise DamagedMatch(f"match {unread.id!r} is damaged: it cannot be replayed") from error
        [read] = hosted
        return self._keep(MatchSnapshot(read.stored, read.hosting, match, read.timing))

    async def replay(
        self, game: AnyGame, plies: int, steps: Replaying, most_seconds: float | None = None
    ) -> Match[Any, Any]:
        """Replay a match once the budget of replays allows it; its memory counts until the match is gone.

        Raises `Overloaded`, and `TooLong` as `Offload.run_steps` does.
        """
        long = plies > NEWEST
        budget = self.budgets.long_replays if long else self.budgets.replays
        position = await self._offload.run(_position_bytes, game)
        reservation = await budget.reserve(match_bytes(position, plies))
        try:
            match = await self._offload.run_steps(steps, most_seconds, long=long)
        except BaseException:
            reservation.release()
            raise
        reservation.finish()
        weakref.finalize(match, reservation.release).atexit = False
        return match

    def _make_room(self, size_bytes: int) -> None:
        """Forget snapshots of at least so many bytes together, those that were not used for longest first."""
        before = self._bytes
        while self._snapshots and before - self._bytes < size_bytes:
            self._drop(next(iter(self._snapshots)))

    def _keep(self, snapshot: MatchSnapshot) -> MatchSnapshot:
        cached = self._snapshots.get(snapshot.id)
        if cached is not None:
            snapshot = _with_help_of(snapshot, cached)
        if cached is None or cached.version <= snapshot.version:
            self._drop(snapshot.id)
            self._snapshots[snapshot.id] = snapshot
            self._bytes += snapshot.size_bytes
        while len(self._snapshots) > self._most or (self._bytes > self._most_bytes and len(self._snapshots) > 1):
            self._drop(next(iter(self._snapshots)))
        return snapshot

    def _drop(self, match_id: str) -> None:
        """Forget a snapshot, if there is one."""
        dropped = self._snapshots.pop(match_id, None)
        if dropped is not None:
            self._bytes -= dropped.size_bytes

    def _discard(self, match_id: str, version: int | None) -> None:
        """Drop a snapshot that is older than the database's `version`, or whose match is gone."""
        cached = self._snapshots.get(match_id)
        if cached is not None and (version is None or cached.version < version):
            self._drop(match_id)


def _with_help_of(snapshot: MatchSnapshot, cached: MatchSnapshot) -> MatchSnapshot:
    """A snapshot with the help that was recorded while it was made."""
    if snapshot.hosting is None or cached.hosting is None:
        return snapshot
    missing = tuple(used for used in cached.hosting.help if used not in snapshot.hosting.help)
    if not missing:
        return snapshot
    return replace(snapshot, hosting=replace(snapshot.hosting, help=(*snapshot.hosting.help, *missing)))


def _position_bytes(game: AnyGame) -> int:
    """About how much memory a position takes."""
    return len(pickle.dumps(game.initial(generator(0, 0, CHANCE))))


def _unknown(match_id: str) -> UnknownMatch:
    return UnknownMatch(f"no match has the id {match_id[:32]!r}")


class GroupCommit:
    """Writes updates that wait for the disk together: while one transaction is committed, the next ones queue up."""

    def __init__(self, hostings: Hostings, writer: ThreadPoolExecutor) -> None:
        self._hostings = hostings
        self._writer = writer
        self._queue: list[tuple[MatchUpdate, asyncio.Future[Written]]] = []
        self._flushing: asyncio.Task[None] | None = None

    async def write(self, update: MatchUpdate) -> Written:
        """Write an update: the new version once it is on disk, or why the match was left as it is."""
        result: asyncio.Future[Written] = asyncio.get_running_loop().create_future()
        self._queue.append((update, result))
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush())
        # A client that goes away cancels this wait and not the write.
        return await result

    async def _flush(self) -> None:
        loop = asyncio.get_running_loop()
        while self._queue:
            batch, self._queue = self._queue, []
            updates = [update for update, _ in batch]
            try:
                written = await loop.run_in_executor(self._writer, self._hostings.update_all, updates)
            except Exception as error:
                # Every caller gets the error of the transaction that was to write its move.
                for _, result in batch:
                    if not result.cancelled():
                        result.set_exception(error)
                continue
            for (_, result), outcome in zip(batch, written, strict=True):
                if not result.cancelled():
                    result.set_result(outcome)
        self._flushing = None
