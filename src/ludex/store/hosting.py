"""The seats and terms of a match on the web, and the match with them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, NamedTuple, Self, TypeAlias

from pydantic import ConfigDict, Field

from ludex.core.record import Record
from ludex.store.matches import IDS, StoredMatch
from ludex.store.times import MatchTime
from ludex.store.timing import Timing

HelpKind: TypeAlias = Literal["hint", "analysis", "fork"]
# Exports of people are checked by these bounds when they are read.
Count: TypeAlias = Annotated[int, Field(ge=0)]
Person: TypeAlias = Annotated[str, Field(min_length=1, max_length=256)]
MatchId: TypeAlias = Annotated[str, Field(pattern=rf"^{IDS.pattern}$")]


@dataclass(frozen=True, slots=True)
class EngineHelp:
    """Engine help that a player of a live match has used."""

    player: Count
    ply: Count
    """The number of plies that were played then."""
    kind: HelpKind
    """A hint, an analysis (overlays need one), or a fork, in which every help is open."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The last offer in a match between two people: of a draw, or to take moves back."""

    player: Count
    ply: Count
    """A draw: the number of plies that were played then; moves taken back: those that remain."""
    version: Annotated[int, Field(ge=1)]
    """Of the match with the offer: every later change withdraws it."""


@dataclass(frozen=True, slots=True)
class Hosting:
    """The data of a match on the web beyond its record. People are known by a keyed hash only."""

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")

    creator: Person
    """The person who began it."""
    seats: dict[int, Person | None]
    """The holder of each person's seat, by player; None for an open seat. Agents' seats are not in it."""
    practice: bool = False
    movetime_ms: Annotated[int, Field(ge=1)] | None = None
    """The time limit of agents per move."""
    rematch: MatchId | None = None
    """The id of the match that continues this one with swapped seats."""
    paused: bool = False
    """Whether agents that play each other wait."""
    pace_ms: Count | None = None
    """The shortest time between their moves; the server's if None."""
    help: tuple[EngineHelp, ...] = ()
    """By ply."""
    draw: Offer | None = None
    """The last offer, of either player and kind."""


@dataclass(frozen=True, slots=True)
class Seating:
    """The people of a match in a list."""

    creator: str
    seats: dict[int, str | None]
    """As in `Hosting`."""


@dataclass(frozen=True, slots=True)
class HostedMatch:
    """A match with its hosting; None if it was not begun on the web."""

    stored: StoredMatch
    hosting: Hosting | None
    timing: Timing | None = None
    """Its clocks; None without time control. The turn began when the match was last updated."""


@dataclass(frozen=True, slots=True)
class UnreadMatch:
    """A match with its hosting whose plies are not parsed yet, which takes milliseconds if it is long."""

    id: str
    version: int
    game: str
    preset: str
    plies: int
    read: Callable[[], HostedMatch]
    """Raises `BadRecord`."""

    @classmethod
    def of(cls, stored: StoredMatch) -> Self:
        """A match that is not in the database."""
        record = stored.record
        hosted = HostedMatch(stored, None)
        return cls(stored.id, stored.version, record.game, record.preset, len(record.actions), lambda: hosted)


@dataclass(frozen=True, slots=True)
class MatchUpdate:
    """The next state of a match, to be written if it still has the expected version."""

    match_id: str
    record: Record
    expected_version: int
    timing: Timing | None
    now: str | None = None
    """The time of the update as the database writes it; that of the write if None."""
    time: MatchTime | None = None
    """Of a match of a timed game that is over now."""


class Usage(NamedTuple):
    """What a person has of the database."""

    live: int
    """Live matches that they began or hold a seat in."""
    begun: int
    """Matches begun lately."""
    stored_bytes: int
    """Of all matches that they began, about."""


@dataclass(frozen=True, slots=True)
class Restored:
    """Ids of matches that were to be restored."""

    restored: list[str]
    known: list[str]
    """Stored already, with the same record."""
    different: list[str]
    """Stored already, with another record, which was left as it is."""


def first_version(record: Record) -> int:
    """The version a match begins with: 1, and where it begins with plies, as a fork does, more than it has plies.

    A move, a resignation and a move taken back add one version each, so a match with more versions than those of its
    plies was not played from its first ply to its end, and no number of moves taken back hides that.
    """
    return 1 if not record.actions else len(record.actions) + 2
