"""The matches of a database as the web sees them: each is written in one transaction with its seats and terms."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import BindParameter, Connection, RowMapping, bindparam, func, insert, select, update

from ludex.core.clock import Clock
from ludex.core.errors import BadRecord, SeatTaken, StaleMatch, UnknownMatch
from ludex.core.record import Record
from ludex.store.hosting import (
    EngineHelp,
    HostedMatch,
    Hosting,
    MatchUpdate,
    Offer,
    Restored,
    Seating,
    UnreadMatch,
    Usage,
    first_version,
)
from ludex.store.matches import Matches, Page, StoredMatch, json_of, values_of
from ludex.store.rows import matches_of
from ludex.store.schema import CLOCKS, ENGINE_HELP, HOSTINGS, MATCHES, SEATS
from ludex.store.times import insert_time
from ludex.store.timing import Timing, utc_now
from ludex.store.transactions import Transactions

# The statements of a move are built once: to build one costs more than to execute it.
AMONG: Final[BindParameter[Any]] = bindparam("matches", expanding=True)
VERSIONS: Final = select(MATCHES.c.id, MATCHES.c.version).where(MATCHES.c.id.in_(AMONG))
SEATS_OF: Final = select(SEATS).where(SEATS.c.match_id.in_(AMONG)).order_by(SEATS.c.player)
HELP_OF: Final = select(ENGINE_HELP).where(ENGINE_HELP.c.match_id.in_(AMONG)).order_by(ENGINE_HELP.c.ply)
HOSTINGS_OF: Final = select(HOSTINGS).where(HOSTINGS.c.match_id.in_(AMONG))
SEATINGS_OF: Final = (
    select(HOSTINGS.c.match_id, HOSTINGS.c.creator, SEATS.c.player, SEATS.c.holder)
    .outerjoin_from(HOSTINGS, SEATS, SEATS.c.match_id == HOSTINGS.c.match_id)
    .where(HOSTINGS.c.match_id.in_(AMONG))
    .order_by(SEATS.c.player)
)
CLOCKS_OF: Final = select(CLOCKS).where(CLOCKS.c.match_id == bindparam("match"))
CLOCKED: Final = select(CLOCKS.c.match_id).where(CLOCKS.c.match_id.in_(AMONG))
SET_CLOCKS: Final = update(CLOCKS).where(CLOCKS.c.match_id == bindparam("match")).values(left_ms=bindparam("left"))

LIVE: Final = MATCHES.c.scores.is_(None) & MATCHES.c.aborted.is_(None)
ROW_BYTES: Final = 1_024
"""What a match fills of the disk beside its actions, about."""
BEGUN: Final = HOSTINGS.c.creator == bindparam("person")
USAGE: Final = (
    select(
        func.count().filter(LIVE),
        func.count().filter(BEGUN & (MATCHES.c.created_utc >= bindparam("since"))),
        func.coalesce(func.sum(MATCHES.c.bytes + ROW_BYTES).filter(BEGUN), 0),
    )
    .join_from(MATCHES, HOSTINGS, MATCHES.c.id == HOSTINGS.c.match_id)
    .where(MATCHES.c.id.in_(matches_of(bindparam("person"))))
)


class Hostings:
    """The matches of one database as the web sees them."""

    def __init__(self, transactions: Transactions, matches: Matches) -> None:
        self._transactions = transactions
        self._matches = matches

    def create(self, record: Record, hosting: Hosting, timing: Timing | None = None, now: str | None = None) -> str:
        """Write a new match with its seats and clocks, at the time `now`, and return its id."""
        with self._transactions.writing() as connection:
            return self._create(connection, record, hosting, timing, now)

    def create_rematch(
        self, match_id: str, record: Record, hosting: Hosting, timing: Timing | None = None, now: str | None = None
    ) -> str:
        """Write the rematch of a match and return its id; where both players ask at once, both get the first one's.

        One that was deleted is followed by another.
        """
        with self._transactions.writing() as connection:
            # A lock: the second player waits here until the first one's rematch is written.
            self._matches.touch(connection, match_id)
            query = select(HOSTINGS.c.rematch).where(HOSTINGS.c.match_id == match_id)
            rematch: str | None = connection.execute(query).scalar_one()
            gone = rematch is not None and rematch not in self._existing(connection, [rematch])
            if rematch is None or gone:
                rematch = self._create(connection, record, hosting, timing, now)
                connection.execute(update(HOSTINGS).where(HOSTINGS.c.match_id == match_id).values(rematch=rematch))
            return rematch

    def set_pace(self, match_id: str, paused: bool, pace_ms: int | None) -> int:
        """Pause a match between agents, or let it go on at a pace, and return the match's new version."""
        with self._transactions.writing() as connection:
            version = self._matches.touch(connection, match_id)
            of_match = update(HOSTINGS).where(HOSTINGS.c.match_id == match_id)
            connection.execute(of_match.values(paused=int(paused), pace_ms=pace_ms))
            return version

    def offer(self, match_id: str, player: int, ply: int, expected_version: int) -> Offer:
        """Write a player's offer, which is a new version of the match. Raises `StaleMatch`."""
        with self._transactions.writing() as connection:
            offer = Offer(player, ply, self._matches.bump(connection, match_id, expected_version))
            of_match = update(HOSTINGS).where(HOSTINGS.c.match_id == match_id)
            connection.execute(of_match.values(**_draw_columns(offer)))
            return offer

    def end_offer(self, match_id: str, expected_version: int) -> int:
        """Withdraw or decline the offer by a new version of the match, and return it. Raises `StaleMatch`."""
        with self._transactions.writing() as connection:
            return self._matches.bump(connection, match_id, expected_version)

    def add_help(self, match_id: str, used: EngineHelp) -> None:
        """Record engine help; the same help twice in one ply is one."""
        with self._transactions.writing() as connection:
            # A lock, so that two servers do not write the same row.
            connection.execute(update(HOSTINGS).where(HOSTINGS.c.match_id == match_id).values(match_id=match_id))
            self._add_help(connection, match_id, used)

    def _add_help(self, connection: Connection, match_id: str, used: EngineHelp) -> None:
        key = {"match_id": match_id, "player": used.player, "ply": used.ply, "kind": used.kind}
        if connection.execute(select(ENGINE_HELP.c.ply).filter_by(**key)).first() is None:
            connection.execute(insert(ENGINE_HELP).values(**key, at_utc=utc_now()))

    def _create(
        self, connection: Connection, record: Record, hosting: Hosting, timing: Timing | None, now: str | None
    ) -> str:
        match_id = self._matches.insert(connection, record, now, first_version(record))
        self._host(connection, match_id, hosting, timing)
        return match_id

    def restore(self, matches: Iterable[HostedMatch]) -> Restored:
        """Write matches with their ids, versions, times and people, all or none; those that are stored stay as is."""
        done = Restored([], [], [])
        with self._transactions.writing() as connection:
            for match in matches:
                stored = match.stored
                try:
                    stored_record = self._matches.read(connection, stored.id).record
                except UnknownMatch:
                    self._matches.put(connection, stored)
                    if match.hosting is not None:
                        self._host(connection, stored.id, match.hosting, match.timing)
                    done.restored.append(stored.id)
                else:
                    (done.known if stored_record == stored.record else done.different).append(stored.id)
        return done

    def _host(self, connection: Connection, match_id: str, hosting: Hosting, timing: Timing | None) -> None:
        """Write the hosting and the clocks of a new match."""
        connection.execute(
            insert(HOSTINGS).values(
                match_id=match_id,
                creator=hosting.creator,
                practice=int(hosting.practice),
                movetime_ms=hosting.movetime_ms,
                rematch=hosting.rematch,
                paused=int(hosting.paused),
                pace_ms=hosting.pace_ms,
                **({} if hosting.draw is None else _draw_columns(hosting.draw)),
            )
        )
        for used in hosting.help:
            self._add_help(connection, match_id, used)
        for player, holder in hosting.seats.items():
            connection.execute(insert(SEATS).values(match_id=match_id, player=player, holder=holder))
        if timing is not None:
            connection.execute(
                insert(CLOCKS).values(
                    match_id=match_id,
                    initial_ms=timing.clock.remaining_ms,
                    increment_ms=timing.clock.increment_ms,
                    left_ms=json_of(timing.left_ms),
                )
            )

    def update(self, match_id: str, record: Record, expected_version: int, timing: Timing | None) -> int:
        """Update the match and its clocks, and return the new version. Raises `StaleMatch`."""
        with self._transactions.writing() as connection:
            return self._update(connection, MatchUpdate(match_id, record, expected_version, timing))

    def update_all(self, updates: Sequence[MatchUpdate]) -> list[int | StaleMatch | UnknownMatch]:
        """Update several matches in one transaction: the new version of each, or why it was left as it is."""
        results: list[int | StaleMatch | UnknownMatch] = []
        with self._transactions.writing() as connection:
            for change in updates:
                try:
                    results.append(self._update(connection, change))
                except (StaleMatch, UnknownMatch) as error:
                    results.append(error)
        return results

    def _update(self, connection: Connection, change: MatchUpdate) -> int:
        # The match comes first: where it raises, nothing was written.
        version = self._matches.replace(connection, change.match_id, change.record, change.expected_version, change.now)
        if change.timing is not None:
            left = {"match": change.match_id, "left": json_of(change.timing.left_ms)}
            connection.execute(SET_CLOCKS, left)
        if change.time is not None:
            insert_time(connection, change.time)
        return version

    def renew_turns(self) -> list[str]:
        """Restart the turn of every live match with clocks now, and return their ids."""
        clocked = LIVE & MATCHES.c.id.in_(select(CLOCKS.c.match_id))
        with self._transactions.writing() as connection:
            ids = [*connection.execute(select(MATCHES.c.id).where(clocked)).scalars()]
            renewed = update(MATCHES).where(clocked)
            connection.execute(renewed.values(version=MATCHES.c.version + 1, updated_utc=utc_now()))
        return ids

    def get(self, match_id: str) -> HostedMatch:
        """The match and its hosting. Raises `UnknownMatch`, and `BadRecord` if it is damaged."""
        return self.find(match_id).read()

    def find(self, match_id: str) -> UnreadMatch:
        """The match and its hosting, to be read later. Raises `UnknownMatch`."""
        with self._transactions.reading() as connection:
            row = self._matches.row(connection, match_id)
            hosting = self.read(connection, [match_id]).get(match_id)
            clocks = connection.execute(CLOCKS_OF, {"match": match_id}).mappings().first()

        def read() -> HostedMatch:
            stored = self._matches.stored(row)
            return HostedMatch(stored, hosting, None if clocks is None else _timing(stored, clocks))

        return UnreadMatch(match_id, row["version"], row["game"], row["preset"], row["plies"], read)

    def list(
        self, limit: int, game: str | None = None, before: str | None = None, person: str | None = None
    ) -> tuple[Page, dict[str, Seating]]:
        """The newest matches first, of all or of one person, with the people of those that were begun on the web."""
        page = self._matches.list(limit, game, before, None if person is None else MATCHES.c.id.in_(matches_of(person)))
        return page, self._seatings_of(page)

    def live_matches(self, limit: int, since_utc: str) -> tuple[Page, dict[str, Seating]]:
        """The newest live matches in which people play and no seat is open, with a move since then."""
        occupied, free = (
            select(SEATS.c.match_id).where(holder) for holder in (SEATS.c.holder.is_not(None), SEATS.c.holder.is_(None))
        )
        live = LIVE & (MATCHES.c.updated_utc >= since_utc)
        page = self._matches.list(limit, among=live & MATCHES.c.id.in_(occupied) & MATCHES.c.id.not_in(free))
        return page, self._seatings_of(page)

    def finished_matches(self, person: str, limit: int) -> tuple[Page, dict[str, Hosting]]:
        """The newest matches with a result in which a person holds a seat, with their hostings."""
        seated = select(SEATS.c.match_id).where(SEATS.c.holder == person)
        page = self._matches.list(limit, among=MATCHES.c.id.in_(seated) & MATCHES.c.scores.is_not(None))
        with self._transactions.reading() as connection:
            return page, self.read(connection, [match.id for match in page])

    def _seatings_of(self, page: Page) -> dict[str, Seating]:
        """The people of matches by one query: to read their hostings takes three, each as long as that of the page."""
        seatings: dict[str, Seating] = {}
        with self._transactions.reading() as connection:
            for match, creator, player, holder in connection.execute(
                SEATINGS_OF, {"matches": [match.id for match in page]}
            ):
                seating = seatings.setdefault(match, Seating(creator, {}))
                if player is not None:
                    seating.seats[player] = holder
        return seatings

    def ids_with_clocks(self, match_ids: Collection[str]) -> set[str]:
        """Those of the matches that have clocks."""
        with self._transactions.reading() as connection:
            return {*connection.execute(CLOCKED, {"matches": [*match_ids]}).scalars()}

    def take_seat(self, match_id: str, player: int, holder: str) -> int:
        """Give an open seat to a person, and return the match's new version. Raises `SeatTaken`."""
        open_seat = (SEATS.c.match_id == match_id) & (SEATS.c.player == player) & SEATS.c.holder.is_(None)
        with self._transactions.writing() as connection:
            self._matches.read(connection, match_id)
            if connection.execute(update(SEATS).where(open_seat).values(holder=holder)).rowcount == 0:
                raise SeatTaken(f"seat {player} of match {match_id!r} is not open any more")
            return self._matches.touch(connection, match_id)

    def versions(self, match_ids: Collection[str]) -> dict[str, int]:
        """The versions of those matches that still exist."""
        with self._transactions.reading() as connection:
            return self._existing(connection, match_ids)

    def _existing(self, connection: Connection, match_ids: Collection[str]) -> dict[str, int]:
        return {row.id: row.version for row in connection.execute(VERSIONS, {"matches": [*match_ids]})}

    def usage_of(self, person: str, created_utc: str) -> Usage:
        """What counts against the limits of a person: of matches begun by them, also those since a time."""
        with self._transactions.reading() as connection:
            row = connection.execute(USAGE, {"person": person, "since": created_utc}).one()
        return Usage(*row)

    def size_bytes(self) -> int:
        """How much the database fills of the disk."""
        with self._transactions.reading() as connection:
            return self._transactions.backend.size_bytes(connection)

    def read(self, connection: Connection, match_ids: Iterable[str]) -> dict[str, Hosting]:
        """The hostings of those matches that have one, within a transaction."""
        among = {"matches": [*match_ids]}
        seats: dict[str, dict[int, str | None]] = {}
        for row in connection.execute(SEATS_OF, among):
            seats.setdefault(row.match_id, {})[row.player] = row.holder
        helped: dict[str, list[EngineHelp]] = {}
        for row in connection.execute(HELP_OF, among):
            helped.setdefault(row.match_id, []).append(EngineHelp(row.player, row.ply, row.kind))
        return {
            row.match_id: Hosting(
                row.creator,
                seats.get(row.match_id, {}),
                bool(row.practice),
                row.movetime_ms,
                row.rematch,
                bool(row.paused),
                row.pace_ms,
                tuple(helped.get(row.match_id, ())),
                None if row.draw_player is None else Offer(row.draw_player, row.draw_ply, row.draw_version),
            )
            for row in connection.execute(HOSTINGS_OF, among)
        }


def _timing(stored: StoredMatch, row: RowMapping) -> Timing:
    try:
        left_ms = values_of(row, "left_ms", int)
    except ValueError as error:
        raise BadRecord(f"the clocks of match {stored.id!r} are damaged: {error}") from error
    plies = len(stored.record.actions)
    if len(left_ms) not in (plies, plies + 1):
        raise BadRecord(f"the clocks of match {stored.id!r} cover {len(left_ms)} turns, it has {plies} plies")
    return Timing(Clock(row["initial_ms"], row["increment_ms"]), left_ms)


def _draw_columns(offer: Offer) -> dict[str, int]:
    return {f"draw_{name}": value for name, value in asdict(offer).items()}
