"""The times of people on timed boards, each layout once."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, func, insert, select

from ludex.store.schema import MATCH_TIMES, PEOPLE
from ludex.store.transactions import Part

SOONEST: Final = (MATCH_TIMES.c.ms, MATCH_TIMES.c.at_utc, MATCH_TIMES.c.match_id)
COLUMNS: Final = tuple(column.name for column in MATCH_TIMES.c)


@dataclass(frozen=True, slots=True)
class MatchTime:
    """How long a match took, from its first move to its end."""

    person: str
    game: str
    preset: str
    seed: str
    match_id: str
    at_utc: str
    ms: int
    counts: bool
    """Not where the match was lost, or the person had help."""
    figures: Mapping[str, float]


class Times(Part):
    """The times of one database."""

    def of(self, person: str) -> list[MatchTime]:
        """Every end of a person on a timed board, the newest first."""
        query = select(MATCH_TIMES).where(MATCH_TIMES.c.person == person).order_by(MATCH_TIMES.c.at_utc.desc())
        return [_time(*row) for row in self._transactions.rows(query)]

    def best_of(self, person: str) -> list[MatchTime]:
        """The shortest time of a person on each board."""
        return [_time(*row) for row in self._transactions.rows(_best(MATCH_TIMES.c.person == person))]

    def best_before(self, time: MatchTime) -> int | None:
        """The shortest time of a person on a board, in milliseconds, without the match of this time."""
        same = [MATCH_TIMES.c[name] == getattr(time, name) for name in ("person", "game", "preset")]
        others = (MATCH_TIMES.c.counts == 1) & (MATCH_TIMES.c.match_id != time.match_id)
        query = select(func.min(MATCH_TIMES.c.ms)).where(*same, others)
        with self._transactions.reading() as connection:
            return connection.execute(query).scalar()

    def find(self, match_id: str, person: str) -> MatchTime | None:
        """The time of a match; None where it has none, and where it was not the first on its layout."""
        of_match = (MATCH_TIMES.c.person == person) & (MATCH_TIMES.c.match_id == match_id)
        with self._transactions.reading() as connection:
            row = connection.execute(select(MATCH_TIMES).where(of_match)).first()
        return None if row is None else _time(*row)

    def table(self, limit: int) -> list[tuple[str, MatchTime]]:
        """By board, the shortest times of those who have a nickname, beside that name, the shortest first."""
        best = _best().subquery()
        place = func.row_number().over(partition_by=(best.c.game, best.c.preset), order_by=(best.c.ms, best.c.at_utc))
        named = select(PEOPLE.c.nickname, best, place.label("rank")).join(PEOPLE, PEOPLE.c.person == best.c.person)
        rows = named.subquery()
        query = select(rows).where(rows.c.rank <= limit).order_by(rows.c.game, rows.c.preset, rows.c.rank)
        return [(name, _time(*row[:-1])) for name, *row in self._transactions.rows(query)]


def insert_time(connection: Connection, time: MatchTime) -> None:
    """Write a time within a transaction, unless the person has ended a match on the same layout before."""
    keys = [MATCH_TIMES.c[name] == getattr(time, name) for name in ("person", "game", "preset", "seed")]
    if connection.execute(select(MATCH_TIMES.c.match_id).where(*keys)).first() is None:
        figures = json.dumps(dict(time.figures), separators=(",", ":"), allow_nan=False)
        columns = {name: getattr(time, name) for name in COLUMNS}
        connection.execute(insert(MATCH_TIMES).values({**columns, "counts": int(time.counts), "figures": figures}))


def _best(*conditions: ColumnElement[bool]) -> Select[Any]:
    """The shortest time of each person on each board."""
    columns = MATCH_TIMES.c
    place = func.row_number().over(partition_by=(columns.person, columns.game, columns.preset), order_by=SOONEST)
    ranked = select(MATCH_TIMES, place.label("place")).where(columns.counts == 1, *conditions).subquery()
    return (
        select(*(ranked.c[name] for name in COLUMNS))
        .where(ranked.c.place == 1)
        .order_by(ranked.c.game, ranked.c.preset)
    )


def _time(*row: Any) -> MatchTime:
    columns = dict(zip(COLUMNS, row, strict=True))
    return MatchTime(**columns | {"counts": bool(columns["counts"]), "figures": json.loads(columns["figures"])})
