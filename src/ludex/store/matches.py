"""Matches in the database: seed and actions, so that each can be replayed, and the reviews of those that are over."""

import base64
import binascii
import json
import re
import secrets
import zlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Self, TypeAlias

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    bindparam,
    delete,
    func,
    insert,
    select,
    tuple_,
    update,
)

from ludex.core.errors import BadRecord, StaleMatch, UnknownMatch
from ludex.core.game import Outcome
from ludex.core.record import Record, check_seed
from ludex.store.schema import MATCHES, REVIEWS
from ludex.store.timing import utc_now
from ludex.store.transactions import Part

KEPT: Final = ("id", "created_utc", "game", "position")
"""Columns that an update leaves alone: they never change, and SQLite would write their indexes again."""
# The statements of a move are built once: to build one costs more than to execute it.
ONE: Final = select(MATCHES).where(MATCHES.c.id == bindparam("match"))
UNLISTED: Final = ("game_version", "seed", "bytes", "position", "actions")
LISTED: Final[Select[Any]] = select(
    *(column for column in MATCHES.c if column.name not in UNLISTED),
    MATCHES.c.position.is_not(None).label("positioned"),
)
REPLACE: Final = (
    update(MATCHES)
    .where((MATCHES.c.id == bindparam("match")) & (MATCHES.c.version == bindparam("expected")))
    .values(
        {
            column.name: bindparam(f"new_{column.name}")
            for column in MATCHES.c
            if column.name not in (*KEPT, "begun_utc")
        }
    )
    # The first move of a match stays its first.
    .values(begun_utc=func.coalesce(MATCHES.c.begun_utc, bindparam("new_begun_utc")))
)

LONGEST_PLAIN: Final = 1_024
"""Characters of actions that are stored as they are."""
LONGEST_UNPACKED: Final = 64 << 20
PACKED: Final = "z:"

ID_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz234567"
ID_LENGTH: Final = 10
IDS: Final = re.compile(f"[{ID_ALPHABET}]{{{ID_LENGTH}}}")


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match with its id, version and times in the database."""

    id: str
    version: int
    """1 when created, one more with each update."""
    created_utc: str
    updated_utc: str
    record: Record
    begun_utc: str | None = None
    """The time of its first move after it was made; None before that."""


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match as lists have it: without its seed and actions, which are long and slow to read."""

    id: str
    version: int
    created_utc: str
    updated_utc: str
    game: str
    preset: str
    agents: tuple[str, ...]
    outcome: Outcome | None
    aborted: str | None
    plies: int
    begun_utc: str | None = None
    positioned: bool = False
    """Whether it begins with a given position."""

    @classmethod
    def of(cls, stored: StoredMatch) -> Self:
        record, times = stored.record, (stored.created_utc, stored.updated_utc)
        board, ended = (record.game, record.preset), (record.outcome, record.aborted)
        plies, begin = len(record.actions), stored.begun_utc
        positioned = record.position is not None
        return cls(stored.id, stored.version, *times, *board, record.agents, *ended, plies, begin, positioned)

    @property
    def live(self) -> bool:
        return self.outcome is None and self.aborted is None


Page: TypeAlias = list["ListedMatch | DamagedMatch"]


@dataclass(frozen=True, slots=True)
class DamagedMatch:
    """A row of the database that cannot be read as a match."""

    id: str
    created_utc: str
    updated_utc: str
    fault: str


class Matches(Part):
    """The matches of one database."""

    def create(self, record: Record) -> str:
        """Store a new match and return its id."""
        with self._transactions.writing() as connection:
            return self.insert(connection, record)

    def insert(self, connection: Connection, record: Record, now: str | None = None, version: int = 1) -> str:
        """Write a new match within a transaction."""
        now = now or utc_now()
        stored = StoredMatch(new_id(), version, now, now, record)
        self.put(connection, stored)
        return stored.id

    def put(self, connection: Connection, stored: StoredMatch) -> None:
        """Write a match that has its id, version and times already within a transaction."""
        columns = _columns(stored.record) | {"id": stored.id, "version": stored.version}
        columns |= {"created_utc": stored.created_utc, "updated_utc": stored.updated_utc, "begun_utc": stored.begun_utc}
        connection.execute(insert(MATCHES).values(columns))

    def update(self, match_id: str, record: Record, expected_version: int) -> int:
        """Replace the record if it has the expected version, and return the new version."""
        with self._transactions.writing() as connection:
            return self.replace(connection, match_id, record, expected_version)

    def replace(
        self, connection: Connection, match_id: str, record: Record, expected_version: int, now: str | None = None
    ) -> int:
        """Update within a transaction. Raises `StaleMatch`."""
        now = now or utc_now()
        columns = _columns(record) | {"version": expected_version + 1, "updated_utc": now}
        columns["begun_utc"] = now if record.actions else None
        values = {f"new_{name}": value for name, value in columns.items() if name not in KEPT}
        changed = connection.execute(REPLACE, {"match": match_id, "expected": expected_version, **values})
        if changed.rowcount == 0:
            raise self._stale(connection, match_id, expected_version)
        return expected_version + 1

    def get(self, match_id: str) -> StoredMatch:
        """The match. Raises `UnknownMatch`."""
        with self._transactions.reading() as connection:
            return self.read(connection, match_id)

    def read(self, connection: Connection, match_id: str) -> StoredMatch:
        """The match within a transaction."""
        return self.stored(self.row(connection, match_id))

    def touch(self, connection: Connection, match_id: str) -> int:
        """Increment the version within a transaction after a change outside the record, and return it."""
        changed = update(MATCHES).where(MATCHES.c.id == match_id)
        connection.execute(changed.values(version=MATCHES.c.version + 1, updated_utc=utc_now()))
        return int(self.row(connection, match_id)["version"])

    def bump(self, connection: Connection, match_id: str, expected_version: int) -> int:
        """Increment the expected version within a transaction and return it; the time of the turn is left alone."""
        is_expected = (MATCHES.c.id == match_id) & (MATCHES.c.version == expected_version)
        if connection.execute(update(MATCHES).where(is_expected).values(version=expected_version + 1)).rowcount == 0:
            raise self._stale(connection, match_id, expected_version)
        return expected_version + 1

    def list(
        self, limit: int, game: str | None = None, before: str | None = None, among: ColumnElement[bool] | None = None
    ) -> Page:
        """The newest matches first; `before` is the id of a match, and only older ones are listed."""
        if limit < 0:
            raise ValueError(f"limit must not be negative, got {limit}")
        age = tuple_(MATCHES.c.created_utc, MATCHES.c.id)
        query = LISTED.order_by(MATCHES.c.created_utc.desc(), MATCHES.c.id.desc()).limit(limit)
        if game is not None:
            query = query.where(MATCHES.c.game == game)
        if among is not None:
            query = query.where(among)
        with self._transactions.reading() as connection:
            if before is not None:
                query = query.where(age < (self.row(connection, before)["created_utc"], before))
            return [self._read_listed(row) for row in connection.execute(query)]

    def records(self) -> Iterator[Record]:
        """The records of all undamaged matches."""
        with self._transactions.reading() as connection:
            for row in connection.execute(select(MATCHES)).mappings():
                try:
                    yield self.stored(row).record
                except BadRecord:
                    # One damaged match must not hide all the others.
                    continue

    def delete(self, *match_ids: str) -> None:
        """Delete matches; if one is unknown, none is deleted. Raises `UnknownMatch`."""
        with self._transactions.writing() as connection:
            for match_id in match_ids:
                self.row(connection, match_id)
                connection.execute(delete(MATCHES).where(MATCHES.c.id == match_id))

    def _stale(self, connection: Connection, match_id: str, expected_version: int) -> StaleMatch:
        """The reason why a match was left as it is. Raises `UnknownMatch`."""
        current = self.row(connection, match_id)["version"]
        return StaleMatch(f"match {match_id!r} has version {current}, expected {expected_version}; read it again")

    def row(self, connection: Connection, match_id: str) -> RowMapping:
        """The row of a match within a transaction, for `stored`. Raises `UnknownMatch`."""
        row = connection.execute(ONE, {"match": match_id}).mappings().first()
        if row is None:
            raise UnknownMatch(f"no match has the id {match_id!r} in {self._transactions.name}")
        return row

    def _read_listed(self, row: Sequence[Any]) -> "ListedMatch | DamagedMatch":
        """A row of `LISTED`; by place, because a row's names are slow to look up."""
        match_id, version, created, updated, game, preset, plies, agents, *ended, begun_utc, positioned = row
        scores, reason, aborted = ended
        # One damaged match must not hide all the others.
        try:
            names, outcome = _parse_agents(agents), _parse_outcome(scores, reason)
        except (TypeError, ValueError) as error:
            fault = f"match {match_id!r} is damaged in {self._transactions.name}: {error}"
            return DamagedMatch(match_id, created, updated, fault)
        board = (version, created, updated, game, preset)
        return ListedMatch(match_id, *board, names, outcome, aborted, plies, begun_utc, bool(positioned))

    def stored(self, row: RowMapping) -> StoredMatch:
        """The match of a row. Raises `BadRecord` if it is damaged."""
        try:
            record = _record(row)
        except (TypeError, ValueError) as error:
            raise BadRecord(f"match {row['id']!r} is damaged in {self._transactions.name}: {error}") from error
        return StoredMatch(row["id"], row["version"], row["created_utc"], row["updated_utc"], record, row["begun_utc"])


def new_id() -> str:
    """An id for a new match."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


def _columns(record: Record) -> dict[str, Any]:
    check_seed(record.seed)
    outcome, actions = record.outcome, _pack(json_of(record.actions))
    position = None if record.position is None else json_of(record.position)
    return {
        "game": record.game,
        "game_version": record.version,
        "preset": record.preset,
        # Text, because a database's integers have 64 bits and a seed has 128.
        "seed": str(record.seed),
        "actions": actions,
        "plies": len(record.actions),
        "bytes": len(actions) + len(position or ""),
        "agents": json_of(record.agents),
        "scores": None if outcome is None else json_of(outcome.scores),
        "reason": None if outcome is None else outcome.reason,
        "aborted": record.aborted,
        "position": position,
    }


def json_of(values: Any) -> str:
    """Values as JSON for a text column."""
    return json.dumps(values, separators=(",", ":"), allow_nan=False)


def values_of(row: RowMapping, column: str, *kinds: type) -> tuple[Any, ...]:
    """The values of a text column. Raises `ValueError` if they are of another kind."""
    return parse_values(column, row[column], *kinds)


def parse_values(name: str, text: str, *kinds: type) -> tuple[Any, ...]:
    """The values that a text column holds. Raises `ValueError` if they are of another kind."""
    values = json.loads(unpack(text))
    if not isinstance(values, list) or not {*map(type, values)} <= {*kinds}:
        raise ValueError(f"{name} are {text[:1_000]!r}")
    return tuple(values)


def _pack(text: str) -> str:
    """A long text compressed, which JSON never begins like."""
    return text if len(text) <= LONGEST_PLAIN else PACKED + base64.b64encode(zlib.compress(text.encode())).decode()


def unpack(text: str) -> str:
    """The JSON of a column that may be compressed. Raises `ValueError`."""
    if not text.startswith(PACKED):
        return text
    try:
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(base64.b64decode(text.removeprefix(PACKED), validate=True), LONGEST_UNPACKED)
    except (binascii.Error, zlib.error) as error:
        raise ValueError(f"not compressed as it should be: {error}") from error
    if not unpacking.eof:
        raise ValueError(f"cut off, or longer than {LONGEST_UNPACKED} bytes")
    return data.decode()


# Most matches of a list share their agents and results.
@lru_cache(1_024)
def _parse_agents(text: str) -> tuple[str, ...]:
    return parse_values("agents", text, str)


@lru_cache(1_024)
def _parse_outcome(scores: str | None, reason: str) -> Outcome | None:
    return None if scores is None else Outcome(parse_values("scores", scores, int, float), reason)


def _record(row: RowMapping) -> Record:
    return Record(
        game=row["game"],
        version=row["game_version"],
        preset=row["preset"],
        seed=int(row["seed"]),
        actions=values_of(row, "actions", int),
        agents=_parse_agents(row["agents"]),
        outcome=_parse_outcome(row["scores"], row["reason"]),
        aborted=row["aborted"],
        position=None if row["position"] is None else json.loads(row["position"]),
    )


AMONG: Final[BindParameter[Any]] = bindparam("matches", expanding=True)


class Reviews(Part):
    """The reviews of one database, one per match."""

    def get(self, match_id: str, fingerprint: str) -> dict[str, Any] | None:
        """The review of a match, if it was made of the same moves by the same analyst, which the fingerprint names."""
        query = select(REVIEWS.c.document).where(
            (REVIEWS.c.match_id == match_id) & (REVIEWS.c.fingerprint == fingerprint)
        )
        with self._transactions.reading() as connection:
            document = connection.execute(query).scalar()
        return None if document is None else dict(json.loads(document))

    def of(self, match_ids: Collection[str]) -> dict[str, dict[str, Any]]:
        """The reviews of several matches, whichever analyst made them."""
        query = select(REVIEWS.c.match_id, REVIEWS.c.document).where(REVIEWS.c.match_id.in_(AMONG))
        rows = self._transactions.rows(query, {"matches": [*match_ids]})
        return {row.match_id: json.loads(row.document) for row in rows}

    def put(self, match_id: str, fingerprint: str, document: dict[str, Any]) -> None:
        """Keep a review in place of an older one. Raises `StoreError` if the match is gone."""
        text = json.dumps(document, separators=(",", ":"), allow_nan=False)
        values = {"match_id": match_id, "fingerprint": fingerprint, "made_utc": utc_now(), "document": text}
        with self._transactions.writing() as connection:
            connection.execute(delete(REVIEWS).where(REVIEWS.c.match_id == match_id))
            connection.execute(insert(REVIEWS).values(values))
