"""People outside the database: everything of one person, to take away or delete, and those of exported matches.

A match file names nobody. What it leaves out of a match, its id, times and people, goes into `people.json` beside it.
"""

import json
import secrets
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy import Connection, delete, select, update

from ludex.core.clock import Clock
from ludex.core.documents import digest, read_json
from ludex.core.errors import BadRecord
from ludex.core.game import Json
from ludex.core.options import complaint
from ludex.core.record import PERSON, Record
from ludex.store.hosting import HostedMatch, Hosting, Hostings, MatchId
from ludex.store.hosting import Person as PersonId
from ludex.store.matches import DamagedMatch, Matches, StoredMatch
from ludex.store.nicknames import BadNickname, Nicknames, checked_nickname
from ludex.store.puzzles import Puzzles
from ludex.store.schema import HOSTINGS, MATCHES, PEOPLE, PUZZLE_ATTEMPTS, PUZZLE_PEOPLE, SEATS
from ludex.store.timing import Timing, utc_now
from ludex.store.transactions import Transactions

FORMAT: Final = "ludex-person"
FORMAT_VERSION: Final = 1
AT_ONCE: Final = 500
"""Matches that are read at once."""
PEOPLE_FILE: Final = "people.json"

Time: TypeAlias = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$")]


def _in_milliseconds(timing: Timing) -> Timing:
    """The clocks with whole numbers, as the database has them."""
    initial, increment = timing.clock.remaining_ms, timing.clock.increment_ms
    if not all(value >= 0 and float(value).is_integer() for value in (initial, increment)):
        raise ValueError("a clock needs whole milliseconds, none of them negative")
    return replace(timing, clock=Clock(round(initial), round(increment)))


class ExportedMatch(BaseModel):
    """What a match file leaves out of a match."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Annotated[int, Field(ge=1)]
    created_utc: Time
    updated_utc: Time
    hosting: Hosting | None
    timing: Annotated[Timing, AfterValidator(_in_milliseconds)] | None

    @classmethod
    def of(cls, match: HostedMatch) -> Self:
        stored = match.stored
        return cls(
            version=stored.version,
            created_utc=stored.created_utc,
            updated_utc=stored.updated_utc,
            hosting=match.hosting,
            timing=match.timing,
        )

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
        stored = StoredMatch(match_id, self.version, self.created_utc, updated, record)
        return HostedMatch(stored, self.hosting, self.timing)


class People(BaseModel):
    """The people of the match files in a folder, as `people.json` holds them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

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
        return json.dumps({**body, "digest": digest(body)}, indent=1) + "\n"

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


class Personal:
    """The people of one database, one at a time."""

    def __init__(
        self, transactions: Transactions, matches: Matches, hostings: Hostings, nicknames: Nicknames, puzzles: Puzzles
    ) -> None:
        self._transactions = transactions
        self._matches = matches
        self._hostings = hostings
        self._nicknames = nicknames
        self._puzzles = puzzles

    def export(self, person: str) -> dict[str, Json]:
        """Everything of a person as one document. Seeds of live matches are not in it: they would reveal secrets."""
        standing = self._puzzles.person(person)
        matches: list[Json] = [self._match(match, hosting, person) for match, hosting in self._all_matches(person)]
        attempts: list[Json] = [asdict(attempt) for attempt in self._puzzles.attempts(person, limit=None)]
        return {
            "format": FORMAT,
            "formatVersion": FORMAT_VERSION,
            "exported_utc": utc_now(),
            "nickname": self._nicknames.of([person]).get(person),
            "matches": matches,
            "puzzles": {"standing": None if standing is None else asdict(standing), "attempts": attempts},
        }

    def live_with_others(self, person: str) -> list[str]:
        """The live matches of a person in which another person waits for their moves."""
        live = MATCHES.c.scores.is_(None) & MATCHES.c.aborted.is_(None)
        seated = select(SEATS.c.match_id).where(SEATS.c.holder == person)
        with self._transactions.reading() as connection:
            ids = connection.execute(select(MATCHES.c.id).where(live & MATCHES.c.id.in_(seated))).scalars().all()
            return [match for match in ids if _others(connection, match, person)]

    def delete(self, person: str) -> Deleted:
        """Delete everything of a person, in one transaction. Matches of other people too stay, with an unknown seat."""
        with self._transactions.writing() as connection:
            theirs = _matches_of(connection, person)
            shared = {match for match in theirs if _others(connection, match, person)}
            gone = [match for match in theirs if match not in shared]
            unknown = secrets.token_hex(16)
            for match in gone:
                connection.execute(delete(MATCHES).where(MATCHES.c.id == match))
            connection.execute(update(HOSTINGS).where(HOSTINGS.c.creator == person).values(creator=unknown))
            connection.execute(update(SEATS).where(SEATS.c.holder == person).values(holder=unknown))
            for match in shared:
                self._matches.touch(connection, match)
            connection.execute(delete(PEOPLE).where(PEOPLE.c.person == person))
            connection.execute(delete(PUZZLE_PEOPLE).where(PUZZLE_PEOPLE.c.person == person))
            attempts = connection.execute(delete(PUZZLE_ATTEMPTS).where(PUZZLE_ATTEMPTS.c.person == person)).rowcount
            return Deleted(tuple(gone), tuple(sorted(shared)), int(attempts))

    def _all_matches(self, person: str) -> list[tuple[StoredMatch, Hosting | None]]:
        matches: list[tuple[StoredMatch, Hosting | None]] = []
        before: str | None = None
        while True:
            page, hostings = self._hostings.list(AT_ONCE, before=before, person=person)
            matches += [(match, hostings.get(match.id)) for match in page if not isinstance(match, DamagedMatch)]
            if len(page) < AT_ONCE:
                return matches
            before = page[-1].id

    @staticmethod
    def _match(match: StoredMatch, hosting: Hosting | None, person: str) -> dict[str, Json]:
        record = match.record
        over = record.outcome is not None or record.aborted is not None
        seats = {} if hosting is None else hosting.seats
        document: dict[str, Any] = {
            "id": match.id,
            "created_utc": match.created_utc,
            "updated_utc": match.updated_utc,
            "game": record.game,
            "game_version": record.version,
            "preset": record.preset,
            "seed": str(record.seed) if over else None,
            "actions": [*record.actions],
            "agents": [*record.agents],
            "yours": [player for player, holder in seats.items() if holder == person],
            "practice": hosting is not None and hosting.practice,
            "scores": None if record.outcome is None else [*record.outcome.scores],
            "reason": None if record.outcome is None else record.outcome.reason,
            "aborted": record.aborted,
        }
        return document


def _matches_of(connection: Connection, person: str) -> list[str]:
    """The ids of the matches that a person began or holds a seat in."""
    begun = select(HOSTINGS.c.match_id).where(HOSTINGS.c.creator == person)
    seated = select(SEATS.c.match_id).where(SEATS.c.holder == person)
    return sorted({*connection.execute(begun).scalars(), *connection.execute(seated).scalars()})


def _others(connection: Connection, match: str, person: str) -> bool:
    """Whether another person holds a seat of a match."""
    seated = select(SEATS.c.holder).where(SEATS.c.match_id == match, SEATS.c.holder.is_not(None))
    return any(holder != person for holder in connection.execute(seated).scalars())
