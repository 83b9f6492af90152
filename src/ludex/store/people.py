"""The document beside exported match files that holds what they leave out: ids, times and the people of matches."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from ludex.core.clock import Clock
from ludex.core.documents import digest, read_json
from ludex.core.errors import BadRecord
from ludex.core.options import complaint
from ludex.core.record import PERSON, Record
from ludex.store.clock import utc_now
from ludex.store.hosting import DrawOffer, EngineHelp, HelpKind, HostedMatch, Hosting
from ludex.store.matches import ID_ALPHABET, ID_LENGTH, StoredMatch
from ludex.store.nicknames import BadNickname, checked_nickname
from ludex.store.timing import Timing

FILE: Final = "people.json"

MatchId = Annotated[str, StringConstraints(pattern=rf"^[{ID_ALPHABET}]{{{ID_LENGTH}}}$")]
Time = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$")]
Person = Annotated[str, StringConstraints(min_length=1, max_length=256)]
Milliseconds = Annotated[int, Field(ge=0)]


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ExportedClocks(_Document):
    """`Timing` as a document."""

    initial_ms: Milliseconds
    increment_ms: Milliseconds
    left_ms: tuple[Milliseconds, ...]


class ExportedHelp(_Document):
    """`EngineHelp` as a document."""

    player: Annotated[int, Field(ge=0)]
    ply: Annotated[int, Field(ge=0)]
    kind: HelpKind


class ExportedDraw(_Document):
    """`DrawOffer` as a document."""

    player: Annotated[int, Field(ge=0)]
    ply: Annotated[int, Field(ge=0)]
    version: Annotated[int, Field(ge=1)]


class ExportedHosting(_Document):
    """`Hosting` as a document, with the clocks of the match."""

    creator: Person
    seats: dict[int, Person | None]
    practice: bool
    movetime_ms: Annotated[int, Field(ge=1)] | None
    clocks: ExportedClocks | None
    rematch: MatchId | None = None
    paused: bool = False
    pace_ms: Milliseconds | None = None
    help: tuple[ExportedHelp, ...] = ()
    draw: ExportedDraw | None = None


class ExportedMatch(_Document):
    """One match without its record, which its own file holds."""

    version: Annotated[int, Field(ge=1)]
    created_utc: Time
    updated_utc: Time
    hosting: ExportedHosting | None

    @classmethod
    def of(cls, match: HostedMatch) -> "ExportedMatch":
        stored, hosting, timing = match.stored, match.hosting, match.timing
        clocks = None
        if timing is not None:
            clocks = {
                "initial_ms": timing.clock.remaining_ms,
                "increment_ms": timing.clock.increment_ms,
                "left_ms": timing.left_ms,
            }
        return cls.model_validate(
            {
                "version": stored.version,
                "created_utc": stored.created_utc,
                "updated_utc": stored.updated_utc,
                "hosting": None
                if hosting is None
                else {
                    "creator": hosting.creator,
                    "seats": hosting.seats,
                    "practice": hosting.practice,
                    "movetime_ms": hosting.movetime_ms,
                    "clocks": clocks,
                    "rematch": hosting.rematch,
                    "paused": hosting.paused,
                    "pace_ms": hosting.pace_ms,
                    "help": [asdict(used) for used in hosting.help],
                    "draw": None if hosting.draw is None else asdict(hosting.draw),
                },
            }
        )

    def restored(self, match_id: str, record: Record) -> HostedMatch:
        """The match with its record. Raises `BadRecord` if the two do not fit."""
        if self.hosting is None:
            return HostedMatch(StoredMatch(match_id, self.version, self.created_utc, self.updated_utc, record), None)
        people = {player for player, name in enumerate(record.agents) if name == PERSON}
        if set(self.hosting.seats) != people:
            raise BadRecord(f"people sit at {sorted(people)}, {FILE} names holders of {sorted(self.hosting.seats)}")
        clocks, plies, timing = self.hosting.clocks, len(record.actions), None
        if clocks is not None:
            if len(clocks.left_ms) not in (plies, plies + 1):
                raise BadRecord(f"the match has {plies} plies, {FILE} has clocks of {len(clocks.left_ms)} turns")
            timing = Timing(Clock(clocks.initial_ms, clocks.increment_ms), clocks.left_ms)
        live = record.outcome is None and record.aborted is None
        # A turn with clocks began at the last change: the time between export and import counts for no player.
        updated = utc_now() if live and timing is not None else self.updated_utc
        return HostedMatch(
            StoredMatch(match_id, self.version, self.created_utc, updated, record),
            Hosting(
                self.hosting.creator,
                dict(self.hosting.seats),
                self.hosting.practice,
                self.hosting.movetime_ms,
                self.hosting.rematch,
                self.hosting.paused,
                self.hosting.pace_ms,
                tuple(EngineHelp(used.player, used.ply, used.kind) for used in self.hosting.help),
                None if self.hosting.draw is None else DrawOffer(**self.hosting.draw.model_dump()),
            ),
            timing,
        )


class _PeopleFile(_Document):
    format: Literal["ludex-people"]
    formatVersion: Literal[1]  # noqa: N815 - the key of all our documents
    matches: dict[MatchId, ExportedMatch]
    nicknames: dict[Person, str] = Field(default_factory=dict)


def people_of(matches: Mapping[str, ExportedMatch]) -> set[str]:
    """The people who began these matches or hold a seat."""
    hostings = [match.hosting for match in matches.values() if match.hosting is not None]
    return {person for one in hostings for person in (one.creator, *one.seats.values()) if person is not None}


def people_file(matches: Mapping[str, ExportedMatch], nicknames: Mapping[str, str] | None = None) -> str:
    """The text of the document, sealed with a digest: matches, and the nicknames of their people."""
    body: dict[str, Any] = {
        "format": "ludex-people",
        "formatVersion": 1,
        "matches": {match_id: match.model_dump(mode="json") for match_id, match in matches.items()},
    }
    if nicknames:
        body["nicknames"] = {**nicknames}
    body["digest"] = digest(body)
    return json.dumps(body, indent=1) + "\n"


def read_people(folder: Path) -> dict[str, ExportedMatch]:
    """The exported matches of a folder by id; none if it has no such document. Raises `BadRecord`."""
    return {} if (found := _read(folder)) is None else found.matches


def read_nicknames(folder: Path) -> dict[str, str]:
    """The exported nicknames of a folder by person. Raises `BadRecord`."""
    found = _read(folder)
    try:
        return {} if found is None else {person: checked_nickname(name) for person, name in found.nicknames.items()}
    except BadNickname as error:
        raise BadRecord(f"{folder / FILE}: nicknames: {error.message}") from error


def _read(folder: Path) -> _PeopleFile | None:
    path = folder / FILE
    if not path.exists():
        return None
    body = read_json(path, BadRecord)
    if not isinstance(body, dict) or body.pop("digest", None) != digest(body):
        raise BadRecord(f"{path}: the digest does not fit the content: the file was changed after it was written")
    try:
        return _PeopleFile.model_validate(body)
    except ValidationError as error:
        raise BadRecord(f"{path}: {complaint(error, _PeopleFile)}") from error
