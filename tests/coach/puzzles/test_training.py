"""A person's training: what counts, how ratings move, the puzzle of the day."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest

from ludex.coach.puzzles.collection import shipped_puzzles
from ludex.coach.puzzles.training import (
    LEAST_DEVIATION,
    ThemeResult,
    Training,
    after_attempt,
    daily,
    daily_streak,
    weak_themes,
)
from ludex.core.errors import IllegalAction, UnknownPuzzle, UsageError
from ludex.core.puzzle import Puzzle
from ludex.store.database import Database
from ludex.store.puzzles import FIRST_RATING, Attempt, Rating, Written

DAY = date(2026, 3, 1)


@pytest.fixture
def database() -> Iterator[Database]:
    with Database.open("sqlite://") as opened:
        yield opened


def wrong_move(puzzle: Puzzle) -> str:
    return puzzle.proof.reasons[0].moves[0]


def test_only_the_first_attempt_counts(database: Database) -> None:
    training = Training(database)
    puzzle = training.next("ann", "tictactoe", "fork")
    first = training.attempt("ann", puzzle, wrong_move(puzzle))
    assert (first.answer.solved, first.counted) == (False, True)
    assert first.after.points < first.before.points == FIRST_RATING
    again = training.attempt("ann", puzzle, puzzle.proof.accept[0])
    assert (again.answer.solved, again.counted) == (True, False)
    assert again.after == again.before == first.after
    assert training.rating(puzzle).points > puzzle.proof.difficulty
    standing = training.standing("ann")
    assert (standing.attempts, standing.solved, standing.streak) == (1, 0, 0)
    assert training.standing("bob").attempts == 0


@pytest.mark.parametrize(("other", "same"), [("bob", True), ("ann", False)])
def test_attempts_that_interleave_both_change_the_ratings(
    database: Database, monkeypatch: pytest.MonkeyPatch, other: str, same: bool
) -> None:
    """Two people try one puzzle, or one person two: the second attempt comes before the first is written."""
    training, add = Training(database), database.puzzles.add
    puzzle, another = [*shipped_puzzles("tictactoe").values()][:2]
    second = puzzle if same else another

    def add_late(*arguments: Any, **terms: Any) -> Written:
        monkeypatch.setattr(database.puzzles, "add", add)
        training.attempt(other, second, second.proof.accept[0])
        return add(*arguments, **terms)

    monkeypatch.setattr(database.puzzles, "add", add_late)
    training.attempt("ann", puzzle, puzzle.proof.accept[0])
    with Database.open("sqlite://") as one_by_one:
        expected = Training(one_by_one)
        expected.attempt(other, second, second.proof.accept[0])
        expected.attempt("ann", puzzle, puzzle.proof.accept[0])
        assert training.rating(puzzle) == expected.rating(puzzle)
        assert training.standing("ann") == expected.standing("ann")


def test_streaks_grow_and_break(database: Database) -> None:
    training = Training(database)
    for expected in (1, 2, 3):
        puzzle = training.next("ann", "tictactoe", "fork")
        training.attempt("ann", puzzle, puzzle.proof.accept[0])
        assert training.standing("ann").streak == expected
    training.give_up("ann", training.next("ann", "tictactoe", "fork"))
    standing = training.standing("ann")
    assert (standing.streak, standing.best_streak, standing.attempts, standing.solved) == (0, 3, 4, 3)


def test_a_person_gets_other_puzzles_near_their_rating(database: Database) -> None:
    training = Training(database)
    ids = set()
    for _ in range(4):
        puzzle = training.next("ann", "minesweeper", "risk")
        assert puzzle.theme == "risk"
        ids.add(puzzle.id)
        training.attempt("ann", puzzle, puzzle.proof.accept[0])
    assert len(ids) == 4
    with pytest.raises(UsageError, match="its themes are"):
        training.next("ann", "minesweeper", "fork")


def test_notes_and_illegal_moves_are_no_attempts(database: Database) -> None:
    training = Training(database)
    puzzle = training.next("ann", "minesweeper", "safe")
    noted = training.attempt("ann", puzzle, f"{puzzle.proof.accept[0]}!")
    assert noted.kind == "note"
    marked = training.attempt("ann", puzzle, f"{puzzle.proof.accept[0]}!", [f"{puzzle.proof.accept[0]}!"])
    assert marked.kind == "note"
    with pytest.raises(UsageError, match="is no note"):
        training.attempt("ann", puzzle, f"{wrong_move(puzzle)}!", [puzzle.proof.accept[0]])
    revealed = next(
        f"{'abcdefghi'[col]}{row + 1}"
        for row in range(8)
        for col in range(8)
        if f"{'abcdefghi'[col]}{row + 1}" not in puzzle.position.build("minesweeper").legal_texts()
    )
    with pytest.raises(IllegalAction):
        training.attempt("ann", puzzle, revealed)
    assert training.standing("ann").attempts == 0


def test_ratings_move_towards_the_truth() -> None:
    person, puzzle = Rating(), Rating(1500.0, 120.0)
    for _ in range(40):
        person, _ = after_attempt(person, puzzle, solved=True)
    assert person.points > 1700
    assert person.deviation >= LEAST_DEVIATION
    weaker, harder = after_attempt(Rating(1500.0, 80.0), puzzle, solved=False)
    assert weaker.points < 1500.0 < harder.points


def test_the_puzzle_of_the_day_changes_daily_and_is_the_same_for_everybody() -> None:
    days = [DAY + timedelta(days=number) for number in range(8)]
    assert [daily(day).id for day in days] == [daily(day).id for day in days]
    assert len({daily(day).id for day in days}) == 8
    assert len({daily(day).game for day in days}) > 1
    assert daily(DAY, "quoridor").id in shipped_puzzles("quoridor")
    with pytest.raises(UnknownPuzzle):
        daily(DAY, "chess")


def test_days_in_a_row_count_up_to_yesterday() -> None:
    def solved(day: date) -> Attempt:
        puzzle = daily(day)
        return Attempt(f"{day}T12:00:00.000000Z", puzzle.game, puzzle.theme, puzzle.id, "x", True, True, 1500.0)

    yesterday, before = DAY - timedelta(days=1), DAY - timedelta(days=2)
    assert daily_streak([solved(yesterday), solved(before)], DAY) == 2
    assert daily_streak([solved(DAY), solved(yesterday)], DAY) == 2
    assert daily_streak([solved(before)], DAY) == 0
    # The puzzle of another day does not count.
    late = solved(yesterday)
    assert daily_streak([Attempt(f"{DAY}T01:00:00.000000Z", *_rest(late))], DAY) == 0


def _rest(attempt: Attempt) -> tuple[str, str, str, str | None, bool, bool, float]:
    return (
        attempt.game,
        attempt.theme,
        attempt.puzzle,
        attempt.move,
        attempt.solved,
        attempt.counted,
        attempt.points,
    )


def test_weak_themes_need_attempts() -> None:
    results = [ThemeResult("a", "x", 10, 9), ThemeResult("a", "y", 10, 2), ThemeResult("b", "z", 2, 0)]
    assert [result.theme for result in weak_themes(results)] == ["y", "x"]


def test_everything_of_a_person_is_deleted(database: Database) -> None:
    training = Training(database)
    puzzle = training.next("ann", "tictactoe", "fork")
    training.attempt("ann", puzzle, puzzle.proof.accept[0])
    training.attempt("bob", puzzle, puzzle.proof.accept[0])
    assert database.personal.delete("ann").attempts == 1
    assert training.standing("ann").attempts == 0
    assert not database.puzzles.attempts("ann")
    assert training.standing("bob").attempts == 1
