"""People outside the database: everything of one person, to take away or delete, and those of exported matches.

A match file names no people. What it leaves out of a match, id, times and people, goes into `people.json` beside it.
"""

import json
import secrets
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, ValidationError
from sqlalchemy import Connection, RowMapping, delete, select, update

from ludex.core.clock import Clock
from ludex.core.documents import digest, json_parts, read_json
from ludex.core.errors import BadRecord
from ludex.core.game import Json
from ludex.core.options import StrictModel, complaint
from ludex.core.record import PERSON, Record
from ludex.store.hosting import HostedMatch, Hosting, MatchId
from ludex.store.hosting import Person as PersonId
from ludex.store.hostings import LIVE, Hostings
from ludex.store.matches import Matches, StoredMatch, values_of
from ludex.store.nicknames import BadNickname, Nicknames, checked_nickname
from ludex.store.puzzles import Puzzles, Rounds
from ludex.store.rows import TABLES, belongs_to, matches_of, read_rows
from ludex.store.schema import HOSTINGS, MATCHES, PUZZLE_ATTEMPTS, SEATS
from ludex.store.times import Times
from ludex.store.timing import Timing, utc_now
from ludex.store.transactions import Transactions

FORMAT: Final = "ludex-person"
FORMAT_VERSION: Final = 1
AT_ONCE: Final = 20
"""Matches that are read at once."""
PEOPLE_FILE: Final = "people.json"
TIMES: Final = ("version", "created_utc", "updated_utc", "begun_utc")
"""What `people.json` keeps of a stored match besides its record."""

Time: TypeAlias = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$")]


def _in_milliseconds(timing: Timing) -> Timing:
    """The clocks with whole numbers, as the database has them."""
    initial, increment = timing.clock.remaining_ms, timing.clock.increment_ms
    if not all(value >= 0 and float(value).is_integer() for value in (initial, increment)):
        raise ValueError("a clock needs whole milliseconds, none of them negative")
    return replace(timing, clock=Clock(round(initial), round(increment)))


class ExportedMatch(StrictModel):
    """What a match file leaves out of a match."""

    version: Annotated[int, Field(ge=1)]
    created_utc: Time
    updated_utc: Time
    begun_utc: Time | None = None
    hosting: Hosting | None
    timing: Annotated[Timing, AfterValidator(_in_milliseconds)] | None

    @classmethod
    def of(cls, match: HostedMatch) -> Self:
        times: dict[str, Any] = {name: getattr(match.stored, name) for name in TIMES}
        return cls(**times, hosting=match.hosting, timing=match.timing)

    def with_record(self, match_id: str, record: Record) -> HostedMatch:
        """The match with its record. Raises `BadRecord` if the two do not fit."""
        people = {player for player, name in enumerate(record.agents) if name == PERSON}
        if self.hosting is not None and self.hosting.seats.keys() != people:
            raise BadRecord(
                f"people sit at {sorted(people)}, {PEOPLE_FILE} names holders of {sorted(self.hosting.seats)}"
            )
        plies = len(record.actions)
        if self.timing is not None and len(self.timing.left_ms) not in (plies, plies + 1):
            turns = len(self.timing.left_ms)
            raise BadRecord(f"the match has {plies} plies, {PEOPLE_FILE} has clocks of {turns} turns")
        live = record.outcome is None and record.aborted is None
        # A turn with clocks began at the last change: the time between export and import counts for no player.
        updated = utc_now() if live and self.timing is not None else self.updated_utc
        stored = StoredMatch(match_id, self.version, self.created_utc, updated, record, self.begun_utc)
        return HostedMatch(stored, self.hosting, self.timing)


class People(StrictModel):
    """The people of the match files in a folder, as `people.json` holds them."""

    format: Literal["ludex-people"] = "ludex-people"
    formatVersion: Literal[1] = 1  # noqa: N815 - the key of all our documents
    matches: dict[MatchId, ExportedMatch] = Field(default_factory=dict)
    nicknames: dict[PersonId, str] = Field(default_factory=dict)

    @property
    def ids(self) -> set[str]:
        """The people who began these matches or hold a seat."""
        hostings = [match.hosting for match in self.matches.values() if match.hosting is not None]
        return {person for hosting in hostings for person in (hosting.creator, *hosting.seats.values()) if person}

    def document(self) -> str:
        """The text of the file, sealed with a digest."""
        body = self.model_dump(mode="json")
        return "".join(json_parts({**body, "digest": digest(body)}))

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Those of a folder; none if it has no such file. Raises `BadRecord`."""
        path = folder / PEOPLE_FILE
        if not path.exists():
            return cls()
        body = read_json(path, BadRecord)
        if not isinstance(body, dict) or body.pop("digest", None) != digest(body):
            raise BadRecord(f"{path}: the digest does not fit the content: the file was changed after it was written")
        try:
            people = cls.model_validate(body)
            nicknames = {person: checked_nickname(name) for person, name in people.nicknames.items()}
        except ValidationError as error:
            raise BadRecord(f"{path}: {complaint(error, cls)}") from error
        except BadNickname as error:
            raise BadRecord(f"{path}: nicknames: {error.message}") from error
        return people.model_copy(update={"nicknames": nicknames})


@dataclass(frozen=True, slots=True)
class Deleted:
    """What was deleted of a person."""

    matches: tuple[str, ...]
    """Those in which no other person took part."""
    left: tuple[str, ...]
    """Those of other people too: they stay, without this person."""
    attempts: int


@dataclass(frozen=True, slots=True)
class Personal:
    """The people of one database, one at a time."""

    _transactions: Transactions
    _matches: Matches
    _hostings: Hostings
    _nicknames: Nicknames
    _puzzles: Puzzles
    _rounds: Rounds
    _times: Times

    def export(self, person: str) -> Iterator[str]:
        """Everything of a person as one document, in parts of JSON that are read from the database as they are taken.

        Seeds of live matches are not in it: they would reveal secrets.
        """
        standing = self._puzzles.person(person)
        yield from json_parts(
            {
                "format": FORMAT,
                "formatVersion": FORMAT_VERSION,
                "exported_utc": utc_now(),
                "nickname": self._nicknames.of([person]).get(person),
                "matches": self._matches_of(person),
                "puzzles": {
                    "standing": None if standing is None else asdict(standing),
                    "attempts": map(asdict, self._puzzles.attempts(person, limit=None)),
                    "rounds": map(asdict, self._rounds.of(person)),
                },
                "times": map(asdict, self._times.of(person)),
            }
        )

    def live_with_others(self, person: str) -> list[str]:
        """The live matches of a person in which another person waits for their moves."""
        seated = select(SEATS.c.match_id).where(SEATS.c.holder == person)
        with self._transactions.reading() as connection:
            ids = connection.execute(select(MATCHES.c.id).where(LIVE & MATCHES.c.id.in_(seated))).scalars().all()
            return [match for match in ids if _has_others(connection, match, person)]

    def delete(self, person: str) -> Deleted:
        """Delete everything of a person, in one transaction. Matches of other people too stay, with an unknown seat."""
        with self._transactions.writing() as connection:
            theirs = sorted(connection.execute(matches_of(person)).scalars())
            shared = {match for match in theirs if _has_others(connection, match, person)}
            gone = [match for match in theirs if match not in shared]
            unknown = secrets.token_hex(16)
            for match in gone:
                connection.execute(delete(MATCHES).where(MATCHES.c.id == match))
            connection.execute(update(HOSTINGS).where(HOSTINGS.c.creator == person).values(creator=unknown))
            connection.execute(update(SEATS).where(SEATS.c.holder == person).values(holder=unknown))
            for match in shared:
                self._matches.touch(connection, match)
            counts = {
                table: connection.execute(delete(table).where(belongs_to(table, person))).rowcount
                for table in TABLES
                if "person" in table.c
            }
            deleted = Deleted(tuple(gone), tuple(sorted(shared)), int(counts[PUZZLE_ATTEMPTS]))
        # Else the person's id could still be read in the log of changes.
        self._transactions.truncate_log()
        return deleted

    def _matches_of(self, person: str) -> Iterator[Json]:
        """Each match, the newest first; damaged ones are left out."""
        by_age = select(MATCHES.c.id).where(belongs_to(MATCHES, person)).order_by(MATCHES.c.created_utc.desc())
        with self._transactions.reading() as connection:
            ids = connection.execute(by_age).scalars().all()
        # Not in one transaction: a client that reads slowly would keep the database's log from being emptied.
        for begin in range(0, len(ids), AT_ONCE):
            page = ids[begin : begin + AT_ONCE]
            with self._transactions.reading() as connection:
                rows = {row["id"]: row for row in read_rows(connection, MATCHES, MATCHES.c.id.in_(page))}
                hostings = self._hostings.read(connection, page)
            for match_id in page:
                try:
                    yield _export_match(rows[match_id], hostings.get(match_id), person)
                except (KeyError, ValueError):
                    # Deleted a moment ago, or damaged.
                    continue


def _export_match(row: RowMapping, hosting: Hosting | None, person: str) -> Json:
    """A match as a person takes it away. Raises `ValueError` for a damaged one."""
    seats = {} if hosting is None else hosting.seats
    over = row["scores"] is not None or row["aborted"] is not None
    return {
        **{name: row[name] for name in ("id", "created_utc", "updated_utc", "game", "game_version", "preset")},
        "seed": row["seed"] if over else None,
        "position": json.loads(row["position"]) if over and row["position"] is not None else None,
        "agents": [*values_of(row, "agents", str)],
        "yours": [player for player, holder in seats.items() if holder == person],
        "practice": hosting is not None and hosting.practice,
        "scores": None if row["scores"] is None else [*values_of(row, "scores", int, float)],
        "reason": row["reason"],
        "aborted": row["aborted"],
        "actions": [*values_of(row, "actions", int)],
    }


def _has_others(connection: Connection, match: str, person: str) -> bool:
    """Whether another person holds a seat of a match."""
    seated = select(SEATS.c.holder).where(SEATS.c.match_id == match, SEATS.c.holder.is_not(None))
    return any(holder != person for holder in connection.execute(seated).scalars())
