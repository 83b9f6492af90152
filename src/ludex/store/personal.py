"""Everything that a database holds of one person: to take away as a document, or to delete."""

import secrets
from dataclasses import asdict, dataclass
from typing import Any, Final

from sqlalchemy import Connection, delete, select, update

from ludex.core.game import Json
from ludex.store.clock import utc_now
from ludex.store.hosting import Hosting, Hostings
from ludex.store.matches import DamagedMatch, Matches, StoredMatch
from ludex.store.nicknames import Nicknames
from ludex.store.puzzles import Puzzles
from ludex.store.schema import HOSTINGS, MATCHES, PEOPLE, PUZZLE_ATTEMPTS, PUZZLE_PEOPLE, SEATS
from ludex.store.transactions import Transactions

FORMAT: Final = "ludex-person"
FORMAT_VERSION: Final = 1
AT_ONCE: Final = 500
"""Matches that are read at once."""


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
        found = self._puzzles.person(person)
        matches: list[Json] = [self._match(match, hosting, person) for match, hosting in self._all_matches(person)]
        attempts: list[Json] = [asdict(attempt) for attempt in self._puzzles.attempts(person, limit=None)]
        return {
            "format": FORMAT,
            "formatVersion": FORMAT_VERSION,
            "exported_utc": utc_now(),
            "nickname": self._nicknames.of([person]).get(person),
            "matches": matches,
            "puzzles": {"standing": None if found is None else asdict(found), "attempts": attempts},
        }

    def live_with_others(self, person: str) -> list[str]:
        """The live matches of a person in which another person waits for their moves."""
        live = MATCHES.c.scores.is_(None) & MATCHES.c.aborted.is_(None)
        held = select(SEATS.c.match_id).where(SEATS.c.holder == person)
        with self._transactions.reading() as connection:
            found = connection.execute(select(MATCHES.c.id).where(live & MATCHES.c.id.in_(held))).scalars().all()
            return [match for match in found if _others(connection, match, person)]

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
        found: list[tuple[StoredMatch, Hosting | None]] = []
        before: str | None = None
        while True:
            page, hostings = self._hostings.list(AT_ONCE, before=before, person=person)
            found += [(match, hostings.get(match.id)) for match in page if not isinstance(match, DamagedMatch)]
            if len(page) < AT_ONCE:
                return found
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
            "seeding": record.seeding,
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
    held = select(SEATS.c.match_id).where(SEATS.c.holder == person)
    return sorted({*connection.execute(begun).scalars(), *connection.execute(held).scalars()})


def _others(connection: Connection, match: str, person: str) -> bool:
    """Whether another person holds a seat of a match."""
    seated = select(SEATS.c.holder).where(SEATS.c.match_id == match, SEATS.c.holder.is_not(None))
    return any(holder != person for holder in connection.execute(seated).scalars())
