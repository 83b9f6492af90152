"""Rounds of puzzles: a rush, as many as possible in three minutes, and a streak, until the first error.

The next puzzle is chosen after the answer to the last one, and time is the server's: no person can look ahead.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from ludex.coach.puzzles.collection import games_with_puzzles, shipped_puzzles
from ludex.coach.puzzles.collection import puzzle as find_puzzle
from ludex.coach.puzzles.training import AMONG, Kind, Training, grade, key_number
from ludex.core.errors import StaleRound, UnknownPuzzle, UnknownRound
from ludex.core.puzzle import JudgedAnswer, Puzzle
from ludex.store.database import Database
from ludex.store.matches import new_id
from ludex.store.puzzles import Mode, PuzzleRound
from ludex.store.timing import format_utc

RUSH_MS: Final = 180_000
MOST_ERRORS: Final[dict[Mode, int]] = {"rush": 3, "streak": 1}
"""The errors that end a round."""
STEPS: Final = 40
"""Puzzles from the easiest to the hardest of a game."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of a move, and the round after it."""

    answer: JudgedAnswer
    kind: Kind
    round: PuzzleRound


def current_time() -> datetime:
    """Now, in UTC."""
    return datetime.now(UTC)


class RoundService:
    """The rounds of the people of one database, by one clock."""

    def __init__(self, database: Database, now: Callable[[], datetime] = current_time) -> None:
        self._rounds, self._training = database.rounds, Training(database)
        self.now = now

    @property
    def today(self) -> str:
        """The day in UTC, as rounds have it."""
        return format_utc(self.now())[:10]

    def begin(self, person: str, game: str, mode: Mode) -> PuzzleRound:
        """A new round with its first puzzle. Raises `UnknownPuzzle` for a game without puzzles."""
        if game not in games_with_puzzles():
            raise UnknownPuzzle(f"{game} ships no puzzles")
        new_round = PuzzleRound(new_id(), person, game, mode, format_utc(self.now()), ())
        first = self._next(new_round)
        assert first is not None, "a game with puzzles has a first one"
        new_round = replace(new_round, puzzles=(first.id,))
        self._rounds.create(new_round)
        return new_round

    def read(self, person: str, round_id: str) -> PuzzleRound:
        """A round of a person, over if its time is. Raises `UnknownRound`."""
        state = self._rounds.get(round_id, person)
        if state is None:
            raise UnknownRound(f"you have no round {round_id[:32]!r}")
        if not state.over and self.left_ms(state) == 0:
            # The last puzzle was given and not answered.
            return replace(state, puzzles=state.puzzles[:-1], over=True)
        return state

    def find_unfinished(self, person: str, game: str, mode: Mode) -> PuzzleRound | None:
        """The newest round of a person of this kind, if it is not over: they can go on with it."""
        newest = next((state for state in self._rounds.of(person) if (state.game, state.mode) == (game, mode)), None)
        state = None if newest is None else self.read(person, newest.id)
        return None if state is None or state.over else state

    def left_ms(self, state: PuzzleRound) -> int | None:
        """The remaining time; None for a streak, which has no limit."""
        return max(0, RUSH_MS - self._spent_ms(state)) if state.mode == "rush" else None

    def current_puzzle(self, state: PuzzleRound) -> Puzzle | None:
        """The puzzle that waits for an answer; None once the round is over."""
        return None if state.over else find_puzzle(state.game, state.puzzles[-1])

    def answer(
        self,
        person: str,
        round_id: str,
        number: int,
        move: str,
        notes: Sequence[str] = (),
        made: Sequence[str] = (),
    ) -> Answered | None:
        """Judge a move in the puzzle of this number, the first being 1; None if the round was over before.

        Notes and earlier moves are those of `grade`.

        Raises `MoveError` for what the rules refuse, and `StaleRound` if that puzzle has its answer.
        """
        before = self.read(person, round_id)
        puzzle = self.current_puzzle(before)
        if puzzle is None:
            return None
        if number != len(before.puzzles):
            raise StaleRound(f"puzzle {number} has its answer: the round is at puzzle {len(before.puzzles)}")
        answer, kind = grade(puzzle, move, notes, made)
        if kind != "attempt":
            return Answered(answer, kind, before)
        after = self._after(before, puzzle, answer.solved)
        if not self._rounds.advance(before, after):
            raise StaleRound(f"puzzle {number} has its answer")
        # A person who has met a puzzle here is not rated by it any more.
        self._training.note(person, puzzle.game, puzzle.theme, puzzle.id, answer.move, answer.solved)
        return Answered(answer, kind, after)

    def _after(self, before: PuzzleRound, puzzle: Puzzle, solved: bool) -> PuzzleRound:
        missed = before.missed if solved else (*before.missed, puzzle.id)
        spent_ms = self._spent_ms(before) if solved else before.spent_ms
        after = replace(before, missed=missed, spent_ms=spent_ms)
        following = None if len(missed) == MOST_ERRORS[before.mode] else self._next(before)
        if following is None:
            return replace(after, over=True)
        return replace(after, puzzles=(*before.puzzles, following.id))

    def _spent_ms(self, state: PuzzleRound) -> int:
        spent = self.now() - datetime.fromisoformat(state.begun_utc)
        return max(0, round(1000 * spent.total_seconds()))

    def _next(self, state: PuzzleRound) -> Puzzle | None:
        """A puzzle that the round has not given, harder with every one it has; None once it has given all."""
        puzzles, ratings = shipped_puzzles(state.game), self._training.points_of(state.game)
        by_rating = sorted(puzzles, key=lambda puzzle_id: (ratings[puzzle_id], puzzle_id))
        place = min(len(state.puzzles) * len(puzzles) // STEPS, max(0, len(puzzles) - AMONG))
        earlier = {*state.puzzles}
        near = [puzzle_id for puzzle_id in by_rating[place : place + AMONG] if puzzle_id not in earlier]
        fresh = near or [puzzle_id for puzzle_id in by_rating if puzzle_id not in earlier][-AMONG:]
        return puzzles[fresh[key_number(f"{state.id} {len(earlier)}") % len(fresh)]] if fresh else None
