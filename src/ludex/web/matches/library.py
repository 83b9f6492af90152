"""Matches as the database keeps them, replayed: the small part of them that is in use stays in memory."""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Final, TypeVar

from ludex.core.errors import BadRecord, UnknownMatch
from ludex.core.match import Match
from ludex.core.record import Record, replay
from ludex.store.database import Database
from ludex.store.hosting import HostedMatch, Hosting
from ludex.store.matches import ID_ALPHABET, ID_LENGTH, Page
from ludex.store.timing import Timing
from ludex.web.boards import board
from ludex.web.errors import DamagedMatch
from ludex.web.matches.beginning import Beginning
from ludex.web.matches.table import Table
from ludex.web.tournaments import GAME_VERSION, Tournaments, is_game

T = TypeVar("T")

IDS: Final = re.compile(f"[{ID_ALPHABET}]{{{ID_LENGTH}}}")
READERS: Final = 4


class Library:
    """Reads and writes matches away from the event loop: one writer, a few readers.

    Games of kept tournaments are matches too, which nobody can change.
    """

    def __init__(self, database: Database, tournaments: Tournaments, most: int) -> None:
        self._hostings = database.hostings
        self._matches = database.matches
        self._tournaments = tournaments
        self._most = most
        self._kept: OrderedDict[str, Table] = OrderedDict()
        self._replaying: dict[tuple[str, int], asyncio.Task[Table]] = {}
        self._readers = ThreadPoolExecutor(READERS, "ludex-reader")
        self._writer = ThreadPoolExecutor(1, "ludex-writer")

    def close(self) -> None:
        """Wait for what is being written."""
        self._readers.shutdown(cancel_futures=True)
        self._writer.shutdown()

    async def work(self, function: Callable[..., T], *arguments: Any) -> T:
        """Do what may take long, such as drawing, in a reader's thread."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, function, *arguments)

    async def load(self, match_id: str) -> Table:
        """The match as it is now. Raises `UnknownMatch`."""
        if is_game(match_id):
            return await self._game(match_id)
        if not IDS.fullmatch(match_id):
            raise _unknown(match_id)
        try:
            hosted = await self.work(self._hostings.get, match_id)
        except UnknownMatch:
            raise _unknown(match_id) from None
        except BadRecord as error:
            raise DamagedMatch(f"match {match_id!r} is damaged: it cannot be read") from error
        kept = self._kept.get(match_id)
        if kept is not None and kept.version == hosted.stored.version:
            self._kept.move_to_end(match_id)
            return kept
        return await self._replayed(hosted)

    async def create(self, beginning: Beginning) -> Table:
        """Keep a match that begins."""
        record = Record.of(beginning.match, beginning.agents)
        match_id = await self._write(self._hostings.create, record, beginning.hosting, beginning.timing)
        return self._keep(Table.of(await self.work(self._hostings.get, match_id), beginning.match))

    async def change(self, table: Table, match: Match[Any, Any], timing: Timing | None) -> Table:
        """Put the match and its clocks in the table's place. Raises `StaleMatch` if the database has moved on."""
        record = Record.of(match, table.agents)
        version = await self._write(self._hostings.update, table.id, record, table.version, timing)
        hosted = await self.work(self._hostings.get, table.id)
        if hosted.stored.version != version:
            # Somebody was so quick that there is a newer one already.
            return await self._replayed(hosted)
        return self._keep(Table.of(hosted, match))

    async def take_seat(self, table: Table, player: int, person: str) -> Table:
        """Give an open seat away. Raises `SeatTaken`."""
        await self._write(self._hostings.take_seat, table.id, player, person)
        return await self.load(table.id)

    async def renew_turns(self) -> list[str]:
        """Have the turn of every live match with clocks begin now, and give their ids."""
        return await self._write(self._hostings.renew_turns)

    async def delete(self, table: Table) -> None:
        await self._write(self._matches.delete, table.id)
        self._kept.pop(table.id, None)

    async def page(
        self, limit: int, game: str | None, before: str | None, person: str | None
    ) -> tuple[Page, dict[str, Hosting]]:
        """A page of matches, newest first. Raises `UnknownMatch` if there is no match to list from."""
        if before is not None and not IDS.fullmatch(before):
            raise _unknown(before)
        try:
            return await self.work(self._hostings.list, limit, game, before, person)
        except UnknownMatch:
            raise _unknown(str(before)) from None

    async def versions(self, match_ids: list[str]) -> dict[str, int]:
        """The versions of those matches that still exist."""
        games = {match_id: GAME_VERSION for match_id in match_ids if is_game(match_id)}
        return games | await self.work(self._hostings.versions, [one for one in match_ids if one not in games])

    async def live_matches_of(self, person: str) -> int:
        return await self.work(self._hostings.live_matches_of, person)

    async def begun_since(self, person: str, created_utc: str) -> int:
        return await self.work(self._hostings.begun_since, person, created_utc)

    async def _game(self, match_id: str) -> Table:
        """A tournament's game. Raises `UnknownMatch`."""
        stored, game_of = await self.work(self._tournaments.match, match_id)
        kept = self._kept.get(match_id)
        if kept is not None and kept.stored == stored:
            self._kept.move_to_end(match_id)
            return kept
        return self._keep(replace(await self._replayed(HostedMatch(stored, None)), game_of=game_of))

    async def _write(self, function: Callable[..., T], *arguments: Any) -> T:
        # A client that goes away does not stop what is being written.
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._writer, function, *arguments))

    async def _replayed(self, hosted: HostedMatch) -> Table:
        """The match replayed, once for all who ask at the same time."""
        key = (hosted.stored.id, hosted.stored.version)
        task = self._replaying.get(key)
        if task is None:
            task = asyncio.create_task(self._replay(hosted))
            self._replaying[key] = task
            task.add_done_callback(lambda _: self._replaying.pop(key))
        return await asyncio.shield(task)

    async def _replay(self, hosted: HostedMatch) -> Table:
        record = hosted.stored.record
        try:
            match = await self.work(lambda: replay(board(record.game, record.preset), record))
        except BadRecord as error:
            raise DamagedMatch(f"match {hosted.stored.id!r} is damaged: it does not replay") from error
        return self._keep(Table.of(hosted, match))

    def _keep(self, table: Table) -> Table:
        kept = self._kept.get(table.id)
        if kept is None or kept.version <= table.version:
            self._kept[table.id] = table
            self._kept.move_to_end(table.id)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return table


def _unknown(match_id: str) -> UnknownMatch:
    return UnknownMatch(f"no match has the id {match_id[:32]!r}")
