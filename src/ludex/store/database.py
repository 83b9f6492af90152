"""The database, in a file or on a server, with its small parts: the audit log, rankings and ghosts."""

import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Final, Self

from sqlalchemy import URL, ColumnElement, Connection, delete, func, insert, make_url, select, update
from sqlalchemy.exc import ArgumentError, IntegrityError

from ludex.core.errors import MissingDependency, StoreFull, StoreUnavailable, UsageError
from ludex.core.folders import data_folder, make_folder
from ludex.core.ranking import Entry, RankingSummary, checked_q
from ludex.store.backends import backend_of
from ludex.store.backup import BackupSummary, restore_backup, write_backup
from ludex.store.hostings import Hostings
from ludex.store.matches import IDS, Matches, Reviews, new_id
from ludex.store.nicknames import Nicknames
from ludex.store.personal import Personal
from ludex.store.puzzles import Puzzles, Rounds
from ludex.store.schema import AUDIT, GHOST_MATCHES, GHOSTS, PROBES, RANKING_VALUES, RANKINGS, migrate, require_known
from ludex.store.times import Times
from ludex.store.timing import utc_now
from ludex.store.transactions import Faults, Part, Transactions


class UnknownGhost(UsageError):
    """No ghost has this id."""


@dataclass(frozen=True, slots=True)
class Ghost:
    """Where others begin, and whose result they compare theirs with."""

    id: str
    match_id: str
    """The finished match that it comes from."""
    player: int
    """The seat that others take."""
    ply: int
    """The ply from which they play."""


class Ghosts(Part):
    """The ghosts of one database. They hold no person: the seats of matches do."""

    def create(self, match_id: str, player: int, ply: int) -> Ghost:
        """The ghost of a seat at a ply of a match; asked for again, it is the same one."""
        same = (GHOSTS.c.match_id == match_id) & (GHOSTS.c.player == player) & (GHOSTS.c.ply == ply)
        with self._transactions.writing() as connection:
            ghost_id = connection.execute(select(GHOSTS.c.id).where(same)).scalar()
            if ghost_id is None:
                ghost_id = new_id()
                values = {"match_id": match_id, "player": player, "ply": ply, "created_utc": utc_now()}
                connection.execute(insert(GHOSTS).values(id=ghost_id, **values))
            return Ghost(ghost_id, match_id, player, ply)

    def get(self, ghost_id: str) -> Ghost:
        """A ghost by its id. Raises `UnknownGhost`."""
        with self._transactions.reading() as connection:
            # PostgreSQL refuses some texts that are no ids.
            known = IDS.fullmatch(ghost_id) is not None
            row = connection.execute(select(GHOSTS).where(GHOSTS.c.id == ghost_id)).first() if known else None
        if row is None:
            raise UnknownGhost(f"no ghost has the id {ghost_id!r}: its match may have been deleted")
        return Ghost(row.id, row.match_id, row.player, row.ply)

    def add_match(self, ghost_id: str, match_id: str) -> None:
        """Write that a match was begun from a ghost."""
        with self._transactions.writing() as connection:
            connection.execute(insert(GHOST_MATCHES).values(ghost_id=ghost_id, match_id=match_id))

    def matches(self, ghost_id: str, limit: int) -> list[str]:
        """The matches that were begun from a ghost."""
        of_ghost = select(GHOST_MATCHES.c.match_id).where(GHOST_MATCHES.c.ghost_id == ghost_id).limit(limit)
        with self._transactions.reading() as connection:
            return [*connection.execute(of_ghost).scalars()]


LEAST_FREE: Final = 8 << 20
"""Bytes of the disk without which a server is not ready: twice the longest request."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """What an administrator did: when, by which login, from which address, what, on what."""

    at_utc: str
    login: str
    address: str
    action: str
    subject: str


class Audit(Part):
    """The audit log of one database. Rows are added and never changed."""

    def add(self, login: str, address: str, action: str, subject: str) -> None:
        """Write an action, on disk when the call returns."""
        row = AuditEntry(utc_now(), login, address, action, subject)
        with self._transactions.writing() as connection:
            connection.execute(insert(AUDIT).values(id=secrets.token_hex(8), **asdict(row)))

    def newest(self, limit: int) -> list[AuditEntry]:
        """The newest actions first."""
        columns = [AUDIT.c[field.name] for field in fields(AuditEntry)]
        query = select(*columns).order_by(AUDIT.c.at_utc.desc(), AUDIT.c.id).limit(limit)
        return [AuditEntry(*row) for row in self._transactions.rows(query)]


class DatabaseRankings:
    """The values learned for one game and preset. Every change is on disk when its call returns."""

    def __init__(self, transactions: Transactions, game: str, preset: str) -> None:
        self._transactions = transactions
        self._key = {"game": game, "preset": preset}
        self._header = (RANKINGS.c.game == game) & (RANKINGS.c.preset == preset)
        self._values = (RANKING_VALUES.c.game == game) & (RANKING_VALUES.c.preset == preset)

    def get(self, state_key: str, move_index: int) -> float | None:
        """The value, or None if nothing was learned."""
        entry = self._is_entry(state_key, move_index)
        with self._transactions.reading() as connection:
            return connection.execute(select(RANKING_VALUES.c.q).where(entry)).scalar()

    def set(self, state_key: str, move_index: int, q: float) -> None:
        value = checked_q(state_key, move_index, q)
        with self._transactions.writing() as connection:
            self._claim(connection)
            changed = connection.execute(
                update(RANKING_VALUES).where(self._is_entry(state_key, move_index)).values(q=value)
            )
            if changed.rowcount == 0:
                connection.execute(
                    insert(RANKING_VALUES).values(**self._key, state=state_key, move=move_index, q=value)
                )

    def entries(self) -> Iterator[Entry]:
        """Everything, in order of state and move."""
        columns = select(RANKING_VALUES.c.state, RANKING_VALUES.c.move, RANKING_VALUES.c.q)
        rows = self._transactions.rows(columns.where(self._values))
        # Sorted here: how a database orders text depends on its locale.
        return iter(sorted(Entry(*row) for row in rows))

    def replace(self, entries: Iterable[Entry], created_utc: str | None = None) -> None:
        """Replace all values with these, in one transaction; they were made at `created_utc`, or now."""
        values = {(state, move): checked_q(state, move, q) for state, move, q in entries}
        rows = [{**self._key, "state": state, "move": move, "q": q} for (state, move), q in values.items()]
        with self._transactions.writing() as connection:
            self._claim(connection)
            connection.execute(delete(RANKING_VALUES).where(self._values))
            connection.execute(update(RANKINGS).where(self._header).values(created_utc=created_utc or utc_now()))
            if rows:
                connection.execute(insert(RANKING_VALUES), rows)

    def reset(self) -> None:
        """Delete the ranking, if there is one."""
        with self._transactions.writing() as connection:
            connection.execute(delete(RANKINGS).where(self._header))

    def _is_entry(self, state_key: str, move_index: int) -> ColumnElement[bool]:
        return self._values & (RANKING_VALUES.c.state == state_key) & (RANKING_VALUES.c.move == move_index)

    def _claim(self, connection: Connection) -> None:
        """Make the header if there is none, and block other writers of this ranking until the transaction ends."""
        header = select(RANKINGS.c.game).where(self._header).with_for_update()
        if connection.execute(header).first() is not None:
            return
        try:
            with connection.begin_nested():
                connection.execute(insert(RANKINGS).values(**self._key, created_utc=utc_now()))
        except IntegrityError:
            # On a server another writer may have made it meanwhile.
            connection.execute(header)


def summaries(connection: Connection) -> list[RankingSummary]:
    """Every ranking of the database, in order of game and preset."""
    key = (RANKINGS.c.game, RANKINGS.c.preset)
    rows = connection.execute(
        select(*key, func.count(RANKING_VALUES.c.state), RANKINGS.c.created_utc)
        .outerjoin(RANKING_VALUES)
        .group_by(*key, RANKINGS.c.created_utc)
    )
    return sorted((RankingSummary(*row) for row in rows), key=lambda summary: (summary.game, summary.preset))


class Database:
    """An open database of the current schema version.

    >>> with Database.open("sqlite://") as database:
    ...     database.rankings("tictactoe", "3x3x3").set("EEEEEEEEE", 4, 0.5)
    ...     database.rankings("tictactoe", "3x3x3").get("EEEEEEEEE", 4)
    0.5
    """

    def __init__(self, url: URL, busy_seconds: float = 5.0) -> None:
        faults, backend = Faults(url), backend_of(url)
        if "\0" in (url.database or ""):
            raise StoreUnavailable(f"{faults.name!r} has a null character in its name; {_FORMS}")
        try:
            engine = backend.engine(url, busy_seconds)
        except (ArgumentError, ValueError) as error:
            raise StoreUnavailable(f"{faults.name} is not a usable URL: {type(error).__name__}; {_FORMS}") from error
        except ModuleNotFoundError as error:
            raise MissingDependency(
                f"{faults.name} needs the package {error.name!r}; for PostgreSQL: pip install 'ludex[postgres]'"
            ) from error
        self._transactions, self._backend = Transactions(engine, backend, faults), backend
        try:
            require_known(self._transactions)
            with faults.translate_errors():
                backend.settle(engine, busy_seconds)
            migrate(self._transactions, backend)
            with faults.translate_errors():
                file = backend.file(engine)
            if file is not None:
                self._transactions.guard(file)
        except BaseException:
            self.close()
            raise
        self.matches = Matches(self._transactions)
        self.hostings = Hostings(self._transactions, self.matches)
        self.audit = Audit(self._transactions)
        self.nicknames = Nicknames(self._transactions)
        self.reviews = Reviews(self._transactions)
        self.puzzles, self.rounds = Puzzles(self._transactions), Rounds(self._transactions)
        self.ghosts, self.times = Ghosts(self._transactions), Times(self._transactions)
        self.personal = Personal(
            self._transactions, self.matches, self.hostings, self.nicknames, self.puzzles, self.rounds, self.times
        )

    @classmethod
    def open(cls, url: str | None = None, busy_seconds: float = 5.0, *, create: bool = True) -> Self:
        """Open the database at a SQLAlchemy URL, else at `LUDEX_DB`, else in the data folder; older ones are migrated.

        A write waits `busy_seconds` for another writer before it raises `StoreLocked`. Without `create` a file that
        does not exist raises `StoreUnavailable`.
        """
        if url is not None:
            location = _parse_url(url, "the database")
        elif from_environment := os.environ.get("LUDEX_DB"):
            location = _parse_url(from_environment, "LUDEX_DB")
        else:
            folder = make_folder(data_folder(), "LUDEX_DATA", private=True) if create else data_folder()
            location = URL.create("sqlite", database=str(folder / "ludex.db"))
        if not create and (file := backend_of(location).missing_file(location)) is not None:
            raise StoreUnavailable(
                f"{file} does not exist; a server that keeps its data elsewhere was started with LUDEX_DATA or "
                "LUDEX_DB: set the same here"
            )
        return cls(location, busy_seconds)

    @property
    def name(self) -> str:
        """The URL without its password."""
        return self._transactions.name

    def rankings(self, game: str, preset: str) -> DatabaseRankings:
        """The ranking of a game and preset; it may be empty."""
        return DatabaseRankings(self._transactions, game, preset)

    def list_rankings(self) -> list[RankingSummary]:
        """Every ranking, in order of game and preset."""
        with self._transactions.reading() as connection:
            return summaries(connection)

    def probe(self) -> None:
        """Write one row of the database, as a move does. Raises `StoreError`, also where no match would fit."""
        now = utc_now()
        with self._transactions.writing() as connection:
            if connection.execute(update(PROBES).values(at_utc=now)).rowcount == 0:
                connection.execute(insert(PROBES).values(id=1, at_utc=now))
        file = self._transactions.file
        if file is not None and (free := shutil.disk_usage(file.parent).free) < LEAST_FREE:
            # The row overwrote one of the write-ahead log, for which there is room on a full disk.
            raise StoreFull(f"{self.name}: its disk has {free:,} bytes left; make room")

    def back_up(self, path: Path, secret: str | None = None, agents: Iterable[tuple[str, str]] = ()) -> BackupSummary:
        """Write the database at one moment into a file, whole or not at all, and read that again; others may go on.

        `secret` is what signs the cookies of the database's people, `agents` are the kept ones (`backup.agent_rows`).
        """
        return write_backup(self._transactions, self._backend, path, secret, agents)

    def restore(self, path: Path, *, replace: bool = False) -> BackupSummary:
        """Fill the database from a backup in one transaction, with all ids and people.

        One that holds something is refused unless it is to be replaced.
        """
        return restore_backup(self._transactions, self._backend, path, replace)

    def close(self) -> None:
        self._transactions.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_FORMS = "expected sqlite:////folder/ludex.db or postgresql://user@host/database"


def _parse_url(text: str, source: str) -> URL:
    try:
        return make_url(text)
    except (ArgumentError, ValueError) as error:
        # A text that cannot be parsed may still hold a password before its last @.
        public_text = f"***@{text.rpartition('@')[2]}" if "@" in text else text
        raise StoreUnavailable(f"{source} is {public_text!r}, no URL of a database; {_FORMS}") from error
