"""A person's training with puzzles: the next one, what an attempt changes, the streaks, what they are weak at."""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from fnmatch import fnmatchcase
from typing import Annotated, Final, Literal, Self

from pydantic import PlainSerializer

from ludex.arena.ratings import ELO
from ludex.coach.puzzles.collection import games_with_puzzles, of_theme, shipped_puzzles
from ludex.coach.puzzles.making import theme_of
from ludex.core import registry
from ludex.core.documents import digest
from ludex.core.errors import UnknownPuzzle, UsageError
from ludex.core.options import StrictModel
from ludex.core.puzzle import JudgedAnswer, Puzzle, judge
from ludex.store.database import Database
from ludex.store.puzzles import Attempt, PuzzlePerson, Rating, Written

LEAST_ATTEMPTS: Final = 5
"""Attempts at a theme before it can be called weak."""
Kind = Literal["attempt", "part", "note", "other"]
"""A move that decides a puzzle, a right one before the last, one that only marks the board, or one that a task does not
ask for."""
AMONG: Final = 12
"""The puzzles nearest to a person's rating, of which one is chosen."""
PUZZLE_DEVIATION: Final = 120.0
"""Of a puzzle that was never tried."""
LEAST_DEVIATION: Final = 45.0
"""The smallest deviation of a rating, so that it can follow a person who learns."""


class PuzzleRating(StrictModel):
    """A rating as people read it."""

    points: int
    provisional: bool
    """Whether it is still too unsure to mean much."""

    @classmethod
    def of(cls, rating: Rating) -> Self:
        return cls(points=round(rating.points), provisional=rating.provisional)


@dataclass(frozen=True, slots=True)
class PuzzleStanding(PuzzlePerson):
    """Where a person stands."""

    rating: Annotated[Rating, PlainSerializer(PuzzleRating.of, return_type=PuzzleRating)]
    days: int
    """Days in a row, up to today or yesterday, on which the puzzle of the day was solved."""


@dataclass(frozen=True, slots=True)
class Graded:
    """What became of a move, and what it changed."""

    answer: JudgedAnswer
    kind: Kind
    counted: bool
    """Whether it was the person's first attempt at the puzzle, which is rated."""
    before: Rating
    after: Rating


@dataclass(frozen=True, slots=True)
class ThemeResult:
    """A person's first attempts at one theme."""

    game: str
    theme: str
    attempts: int
    solved: int

    @property
    def share(self) -> float:
        return self.solved / self.attempts if self.attempts else 0.0


class Training:
    """Puzzles for the people of one database. `today` is the day in UTC."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._puzzles = database.puzzles

    def standing(self, person: str, today: date | None = None) -> PuzzleStanding:
        """A person's rating and streaks."""
        known = self._puzzles.person(person)
        if known is None:
            return PuzzleStanding(Rating(), attempts=0, solved=0, streak=0, best_streak=0, days=0)
        days = daily_streak(self._puzzles.attempts(person), today or utc_today())
        return PuzzleStanding(known.rating, known.attempts, known.solved, known.streak, known.best_streak, days)

    def next(self, person: str, game: str, theme: str | None) -> Puzzle:
        """A puzzle that the person has not tried, near their rating. Raises `LudexError` if there is none."""
        if theme is not None:
            theme_of(game, theme)
        puzzles = of_theme([*shipped_puzzles(game).values()], theme)
        attempts = self._puzzles.attempts(person)
        tried = {attempt.puzzle for attempt in attempts}
        ratings, points = self.points_of(game), self.standing(person).rating.points
        return next_puzzle(puzzles, tried, points, lambda puzzle: ratings[puzzle.id], f"{person} {len(attempts)}")

    def points_of(self, game: str) -> dict[str, float]:
        """The ratings of all puzzles of a game, by their ids."""
        puzzles = shipped_puzzles(game)
        ratings = self._puzzles.ratings(puzzles)
        return {
            name: ratings[name].points if name in ratings else puzzle.proof.difficulty
            for name, puzzle in puzzles.items()
        }

    def rating(self, puzzle: Puzzle) -> Rating:
        """The rating of a puzzle."""
        known = self._puzzles.ratings([puzzle.id]).get(puzzle.id)
        return of_puzzle(puzzle.proof.difficulty) if known is None else known

    def has_tried(self, person: str, puzzle: Puzzle) -> bool:
        """Whether a person has tried a puzzle, so that nothing is at stake any more."""
        return self._puzzles.has_tried(person, puzzle.id)

    def attempt(
        self, person: str, puzzle: Puzzle, text: str, notes: Sequence[str] = (), made: Sequence[str] = ()
    ) -> Graded:
        """Judge a move as `grade` does; the first attempt of a person at a puzzle is rated, once it is decided."""
        answer, kind = grade(puzzle, text, notes, made)
        if kind != "attempt":
            rating = self.standing(person).rating
            return Graded(answer, kind, False, rating, rating)
        written = self._write(person, puzzle, answer.move, answer.solved)
        return Graded(answer, kind, written.counted, written.before, written.after)

    def note(self, person: str, game: str, theme: str, puzzle: str, move: str, solved: bool) -> None:
        """Write an attempt at a puzzle that is not rated, such as one from a person's own match."""
        self._puzzles.add(person, game, theme, puzzle, move, solved, Rating(), rate=None)

    def give_up(self, person: str, puzzle: Puzzle) -> None:
        """A look at the solution: a failed attempt, unless the puzzle was tried before."""
        if not self.has_tried(person, puzzle):
            self._write(person, puzzle, None, False)

    def _write(self, person: str, puzzle: Puzzle, move: str | None, solved: bool) -> Written:
        def rate(before: Rating, known: Rating | None) -> tuple[Rating, Rating]:
            rated = of_puzzle(puzzle.proof.difficulty) if known is None else known
            return after_attempt(before, rated, solved)

        return self._puzzles.add(person, puzzle.game, puzzle.theme, puzzle.id, move, solved, Rating(), rate)

    def themes(self, person: str) -> list[ThemeResult]:
        """A person's first attempts by theme, of every theme that ships."""
        counted = [attempt for attempt in self._puzzles.attempts(person) if attempt.counted]
        return [
            _theme_result(game, theme, counted)
            for game in games_with_puzzles()
            for theme in registry.spec(game).puzzles.themes
        ]


def grade(puzzle: Puzzle, text: str, notes: Sequence[str] = (), made: Sequence[str] = ()) -> tuple[JudgedAnswer, Kind]:
    """What became of a move, made after the right moves of earlier turns and some notes, and its kind.

    Raises `MoveError` for what the rules refuse, and `UsageError` for a note or an earlier move that is none.
    """
    answer = judge(puzzle, text, notes, made)
    begin = 2 * len(made)
    for note in answer.position.moves[begin : begin + len(notes)]:
        if kind_of(puzzle, note.text) != "note":
            raise UsageError(f"{note.text} is no note: make it the move")
    kind = kind_of(puzzle, answer.move)
    return answer, "part" if kind == "attempt" and answer.right and not answer.solved else kind


def kind_of(puzzle: Puzzle, move: str) -> Kind:
    """What a move is for a puzzle's theme."""
    theme = registry.spec(puzzle.game).puzzles.themes.get(puzzle.theme)
    if theme is None or fnmatchcase(move, theme.answers):
        return "attempt"
    return "note" if fnmatchcase(move, theme.notes) else "other"


def _theme_result(game: str, theme: str, counted: Sequence[Attempt]) -> ThemeResult:
    of_both = [attempt for attempt in counted if (attempt.game, attempt.theme) == (game, theme)]
    return ThemeResult(game, theme, len(of_both), sum(attempt.solved for attempt in of_both))


def weak_themes(results: Sequence[ThemeResult]) -> list[ThemeResult]:
    """The themes that a person has tried often enough and solves least, the weakest first."""
    known = [result for result in results if result.attempts >= LEAST_ATTEMPTS and result.share < 1.0]
    return sorted(known, key=lambda result: result.share)[:3]


def daily_streak(attempts: Sequence[Attempt], today: date) -> int:
    """The days in a row, up to today or yesterday, on which a person solved the puzzle of the day on that day."""
    solved = {(attempt.at_utc[:10], attempt.puzzle) for attempt in attempts if attempt.solved}
    day = today if _solved_daily(solved, today) else today - timedelta(days=1)
    count = 0
    while _solved_daily(solved, day):
        count += 1
        day -= timedelta(days=1)
    return count


def _solved_daily(solved: set[tuple[str, str]], day: date) -> bool:
    return (day.isoformat(), daily(day).id) in solved


def utc_today() -> date:
    """The day in UTC, by which the puzzle of the day changes everywhere at once."""
    return datetime.now(UTC).date()


def next_puzzle(
    puzzles: Sequence[Puzzle], tried: Collection[str], points: float, rating_of: Callable[[Puzzle], float], key: str
) -> Puzzle:
    """A puzzle near a rating, those that were never tried first; `key` decides between equals.

    Raises `UnknownPuzzle` if there is none at all.
    """
    if not puzzles:
        raise UnknownPuzzle("there are no puzzles of this kind")
    fresh = [puzzle for puzzle in puzzles if puzzle.id not in tried] or [*puzzles]
    nearest = sorted(fresh, key=lambda puzzle: (abs(rating_of(puzzle) - points), puzzle.id))[:AMONG]
    return nearest[key_number(key) % len(nearest)]


def daily(day: date, game: str | None = None) -> Puzzle:
    """The puzzle of a day, the same on every server: of a game, or of the game whose turn it is.

    Raises `UnknownPuzzle` if there is none.
    """
    games = games_with_puzzles()
    if not games or (game is not None and game not in games):
        raise UnknownPuzzle("no game ships puzzles" if game is None else f"{game} ships no puzzles")
    game_id = games[day.toordinal() % len(games)] if game is None else game
    ids = sorted(shipped_puzzles(game_id))
    return shipped_puzzles(game_id)[ids[key_number(f"{day.isoformat()} {game_id}") % len(ids)]]


def key_number(key: str) -> int:
    """A number that follows from a text, to choose by."""
    return int(digest(key)[:12], 16)


def of_puzzle(difficulty: float) -> Rating:
    """The rating of a puzzle that was never tried."""
    return Rating(difficulty, PUZZLE_DEVIATION)


def after_attempt(person: Rating, puzzle: Rating, solved: bool) -> tuple[Rating, Rating]:
    """Both ratings after an attempt.

    >>> before = Rating(1500, 200), Rating(1500, 120)
    >>> person, puzzle = after_attempt(*before, solved=True)
    >>> person.points > 1500 > puzzle.points, person.deviation < 200
    (True, True)
    """
    return _after(person, puzzle, float(solved)), _after(puzzle, person, float(not solved))


def _after(one: Rating, other: Rating, score: float) -> Rating:
    weight = _weight(other.deviation)
    expected = 1.0 / (1.0 + math.exp(-weight * (one.points - other.points) / ELO))
    information = (weight / ELO) ** 2 * expected * (1.0 - expected)
    precision = 1.0 / one.deviation**2 + information
    moved = weight / ELO * (score - expected) / precision
    return Rating(one.points + moved, max(LEAST_DEVIATION, math.sqrt(1.0 / precision)))


def _weight(deviation: float) -> float:
    """How much a result against an opponent of this deviation says."""
    return 1.0 / math.sqrt(1.0 + 3.0 * (deviation / (math.pi * ELO)) ** 2)
