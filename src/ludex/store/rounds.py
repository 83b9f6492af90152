"""Rounds of puzzles, a rush or a streak, and the best of each person."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from sqlalchemy import ColumnElement, RowMapping, Select, func, insert, select, update

from ludex.store.schema import PEOPLE, PUZZLE_ROUNDS
from ludex.store.transactions import Part

Mode: TypeAlias = Literal["rush", "streak"]

BEST_FIRST: Final = (PUZZLE_ROUNDS.c.solved.desc(), PUZZLE_ROUNDS.c.spent_ms, PUZZLE_ROUNDS.c.id)


@dataclass(frozen=True, slots=True)
class PuzzleRound:
    """One round of a person."""

    id: str
    person: str
    game: str
    mode: Mode
    begun_utc: str
    puzzles: tuple[str, ...]
    """The ids of those that were given; the last one is asked unless the round is over."""
    missed: tuple[str, ...] = ()
    """Those that were answered wrongly."""
    spent_ms: int = 0
    """From the beginning to the last right answer."""
    over: bool = False

    @property
    def solved(self) -> int:
        answered = len(self.puzzles) - (not self.over)
        return answered - len(self.missed)

    @property
    def day(self) -> str:
        """In UTC."""
        return self.begun_utc[:10]


@dataclass(frozen=True, slots=True)
class BestRound:
    """The best round of a person, of a game and mode."""

    person: str
    game: str
    mode: Mode
    day: str
    solved: int
    spent_ms: int


class Rounds(Part):
    """The rounds of one database."""

    def create(self, begun: PuzzleRound) -> None:
        with self._transactions.writing() as connection:
            fixed = {"id": begun.id, "person": begun.person, "game": begun.game, "mode": begun.mode}
            times = {"day": begun.day, "begun_utc": begun.begun_utc}
            connection.execute(insert(PUZZLE_ROUNDS).values(**fixed, **times, **_progress(begun)))

    def get(self, round_id: str, person: str) -> PuzzleRound | None:
        """A round of a person; None if there is none."""
        query = select(PUZZLE_ROUNDS).where((PUZZLE_ROUNDS.c.id == round_id) & (PUZZLE_ROUNDS.c.person == person))
        with self._transactions.reading() as connection:
            row = connection.execute(query).mappings().first()
        return None if row is None else _round(row)

    def of(self, person: str) -> list[PuzzleRound]:
        """Every round of a person, the newest first."""
        query = select(PUZZLE_ROUNDS).where(PUZZLE_ROUNDS.c.person == person).order_by(PUZZLE_ROUNDS.c.begun_utc.desc())
        with self._transactions.reading() as connection:
            return [_round(row) for row in connection.execute(query).mappings()]

    def advance(self, before: PuzzleRound, after: PuzzleRound) -> bool:
        """Write the next state of a round; False, and nothing changes, if it has had an answer since `before`."""
        same = (PUZZLE_ROUNDS.c.id == before.id) & (PUZZLE_ROUNDS.c.answers == _answers(before))
        with self._transactions.writing() as connection:
            return connection.execute(update(PUZZLE_ROUNDS).where(same).values(**_progress(after))).rowcount == 1

    def best_of(self, person: str, *, day: str | None = None) -> list[BestRound]:
        """The best rounds of a person, by game and mode: of all days, or of one."""
        query = _best(PUZZLE_ROUNDS.c.person == person, *([] if day is None else [PUZZLE_ROUNDS.c.day == day]))
        return [BestRound(*row) for row in self._transactions.rows(query)]

    def table(self, game: str, mode: Mode, day: str, limit: int) -> list[tuple[str, BestRound]]:
        """The best round of a day of each person who has a nickname, beside that name, the best first."""
        of_day = _best(
            PUZZLE_ROUNDS.c.game == game, PUZZLE_ROUNDS.c.mode == mode, PUZZLE_ROUNDS.c.day == day
        ).subquery()
        query = (
            select(PEOPLE.c.nickname, of_day)
            .join(PEOPLE, PEOPLE.c.person == of_day.c.person)
            .order_by(of_day.c.solved.desc(), of_day.c.spent_ms, of_day.c.person)
            .limit(limit)
        )
        return [(name, BestRound(*row)) for name, *row in self._transactions.rows(query)]


def _best(*conditions: ColumnElement[bool]) -> Select[Any]:
    """The best round of each person, game and mode in which something was solved: the sooner of equal ones."""
    columns = PUZZLE_ROUNDS.c
    place = func.row_number().over(partition_by=(columns.person, columns.game, columns.mode), order_by=BEST_FIRST)
    named = (columns.person, columns.game, columns.mode, columns.day, columns.solved, columns.spent_ms)
    ranked = select(*named, place.label("place")).where(columns.solved > 0, *conditions).subquery()
    return select(*(ranked.c[column.name] for column in named)).where(ranked.c.place == 1)


def _answers(state: PuzzleRound) -> int:
    """How many answers a round has: its version."""
    return state.solved + len(state.missed)


def _progress(state: PuzzleRound) -> dict[str, Any]:
    return {
        "answers": _answers(state),
        "solved": state.solved,
        "spent_ms": state.spent_ms,
        "over": int(state.over),
        "puzzles": _joined(state.puzzles),
        "missed": _joined(state.missed),
    }


def _joined(ids: Sequence[str]) -> str:
    return json.dumps([*ids], separators=(",", ":"))


def _round(row: RowMapping) -> PuzzleRound:
    return PuzzleRound(
        id=row["id"],
        person=row["person"],
        game=row["game"],
        mode=row["mode"],
        begun_utc=row["begun_utc"],
        puzzles=tuple(json.loads(row["puzzles"])),
        missed=tuple(json.loads(row["missed"])),
        spent_ms=row["spent_ms"],
        over=bool(row["over"]),
    )
