"""Attempts at puzzles, the ratings of people and puzzles that follow from them, and rounds, a rush or a streak."""

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, TypeAlias

from pydantic import TypeAdapter
from sqlalchemy import ColumnElement, Connection, RowMapping, Select, func, insert, select, update

from ludex.store.matches import new_id
from ludex.store.schema import PEOPLE, PUZZLE_ATTEMPTS, PUZZLE_PEOPLE, PUZZLE_RATINGS, PUZZLE_ROUNDS
from ludex.store.timing import utc_now
from ludex.store.transactions import Part

MOST_ATTEMPTS: Final = 2_000
"""The number of a person's newest attempts that are read."""


FIRST_RATING: Final = 1200.0
"""Of a person who has tried no puzzle."""
FIRST_DEVIATION: Final = 350.0


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating in Elo points, and how unsure it is."""

    points: float = FIRST_RATING
    deviation: float = FIRST_DEVIATION

    @property
    def provisional(self) -> bool:
        """Whether it is too unsure to be shown as a plain number."""
        return self.deviation > 110.0


@dataclass(frozen=True, slots=True)
class PuzzlePerson:
    """What is known of a person who has tried puzzles."""

    rating: Rating
    attempts: int
    """Puzzles tried."""
    solved: int
    """At the first attempt."""
    streak: int
    """Puzzles solved at the first attempt since the last that was not."""
    best_streak: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """A person's first move at a puzzle, which counts, or a later one, which does not."""

    at_utc: str
    game: str
    theme: str
    puzzle: str
    move: str | None
    """None: they looked at the solution."""
    solved: bool
    counted: bool
    points: float
    """The person's rating afterwards."""


_ATTEMPTS: Final = TypeAdapter(list[Attempt])
"""Rows hold 0 and 1 for what is true or false."""


@dataclass(frozen=True, slots=True)
class Written:
    """What an attempt changed."""

    before: Rating
    """The person's rating."""
    after: Rating
    counted: bool
    """Only the first attempt of a person at a rated puzzle does."""


Rate: TypeAlias = Callable[[Rating, Rating | None], tuple[Rating, Rating]]
"""Both ratings after an attempt, from the person's and the puzzle's before, None if the puzzle was never rated."""


class Puzzles(Part):
    """The puzzles' part of one database."""

    def person(self, person: str) -> PuzzlePerson | None:
        """What is known of a person; None if they have tried no puzzle."""
        with self._transactions.reading() as connection:
            return _person(connection, person)

    def attempts(self, person: str, limit: int | None = MOST_ATTEMPTS) -> list[Attempt]:
        """A person's attempts, the newest first; all of them if `limit` is None."""
        columns = [PUZZLE_ATTEMPTS.c[field.name] for field in fields(Attempt)]
        of_person = select(*columns).where(PUZZLE_ATTEMPTS.c.person == person)
        newest = of_person.order_by(PUZZLE_ATTEMPTS.c.at_utc.desc(), PUZZLE_ATTEMPTS.c.id.desc()).limit(limit)
        with self._transactions.reading() as connection:
            return _ATTEMPTS.validate_python([dict(row) for row in connection.execute(newest).mappings()])

    def ratings(self, puzzles: Collection[str]) -> dict[str, Rating]:
        """The ratings of the puzzles that were tried."""
        of_puzzles = select(PUZZLE_RATINGS).where(PUZZLE_RATINGS.c.puzzle.in_([*puzzles]))
        return {row.puzzle: Rating(row.points, row.deviation) for row in self._transactions.rows(of_puzzles)}

    def has_tried(self, person: str, puzzle: str) -> bool:
        """Whether a person has tried a puzzle."""
        with self._transactions.reading() as connection:
            return _has_tried(connection, person, puzzle)

    def add(
        self,
        person: str,
        game: str,
        theme: str,
        puzzle: str,
        move: str | None,
        solved: bool,
        first: Rating,
        rate: Rate | None,
    ) -> Written:
        """Write an attempt by a person whose rating begins with `first`; without `rate` it changes no rating.

        Ratings are computed from rows that this transaction holds: those of another attempt at once are not lost.
        """
        with self._transactions.writing() as connection:
            person_before = _held_person(connection, person, first)
            after = before = person_before.rating
            counted = rate is not None and not _has_tried(connection, person, puzzle)
            if rate is not None and counted:
                after, puzzle_after = rate(before, _held_puzzle(connection, puzzle))
                _count(connection, person, person_before, solved, after)
                _set_rating(connection, puzzle, puzzle_after)
            connection.execute(
                insert(PUZZLE_ATTEMPTS).values(
                    id=new_id(),
                    person=person,
                    at_utc=utc_now(),
                    game=game,
                    theme=theme,
                    puzzle=puzzle,
                    move=move,
                    solved=int(solved),
                    counted=int(counted),
                    points=after.points,
                )
            )
            return Written(before, after, counted)


def _person(connection: Connection, person: str) -> PuzzlePerson | None:
    row = connection.execute(select(PUZZLE_PEOPLE).where(PUZZLE_PEOPLE.c.person == person)).first()
    if row is None:
        return None
    rating = Rating(row.points, row.deviation)
    return PuzzlePerson(rating, row.attempts, row.solved, row.streak, row.best_streak)


def _has_tried(connection: Connection, person: str, puzzle: str) -> bool:
    of_both = (PUZZLE_ATTEMPTS.c.person == person) & (PUZZLE_ATTEMPTS.c.puzzle == puzzle)
    return bool(connection.execute(select(func.count()).select_from(PUZZLE_ATTEMPTS).where(of_both)).scalar_one())


def _held_person(connection: Connection, person: str, first: Rating) -> PuzzlePerson:
    """The person's row, held so that two requests at once do not both count as the first attempt; begun if missing."""
    same = update(PUZZLE_PEOPLE).where(PUZZLE_PEOPLE.c.person == person).values(person=person)
    if connection.execute(same).rowcount == 0:
        counts = {"attempts": 0, "solved": 0, "streak": 0, "best_streak": 0}
        rating = {"points": first.points, "deviation": first.deviation}
        connection.execute(insert(PUZZLE_PEOPLE).values(person=person, **rating, **counts, changed_utc=utc_now()))
    locked = _person(connection, person)
    assert locked is not None, "the row was written in this transaction"
    return locked


def _held_puzzle(connection: Connection, puzzle: str) -> Rating | None:
    """The puzzle's rating, held so that two people's attempts at once both change it; None if it has none."""
    of_puzzle = PUZZLE_RATINGS.c.puzzle == puzzle
    connection.execute(update(PUZZLE_RATINGS).where(of_puzzle).values(puzzle=puzzle))
    row = connection.execute(select(PUZZLE_RATINGS).where(of_puzzle)).first()
    return None if row is None else Rating(row.points, row.deviation)


def _count(connection: Connection, person: str, before: PuzzlePerson, solved: bool, after: Rating) -> None:
    streak = before.streak + 1 if solved else 0
    connection.execute(
        update(PUZZLE_PEOPLE)
        .where(PUZZLE_PEOPLE.c.person == person)
        .values(
            points=after.points,
            deviation=after.deviation,
            attempts=PUZZLE_PEOPLE.c.attempts + 1,
            solved=PUZZLE_PEOPLE.c.solved + int(solved),
            streak=streak,
            best_streak=max(streak, before.best_streak),
            changed_utc=utc_now(),
        )
    )


def _set_rating(connection: Connection, puzzle: str, after: Rating) -> None:
    values = {"points": after.points, "deviation": after.deviation}
    changed = update(PUZZLE_RATINGS).where(PUZZLE_RATINGS.c.puzzle == puzzle)
    if connection.execute(changed.values(**values, attempts=PUZZLE_RATINGS.c.attempts + 1)).rowcount == 0:
        connection.execute(insert(PUZZLE_RATINGS).values(puzzle=puzzle, **values, attempts=1))


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
        "puzzles": _dump_ids(state.puzzles),
        "missed": _dump_ids(state.missed),
    }


def _dump_ids(ids: Sequence[str]) -> str:
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
