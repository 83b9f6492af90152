"""A rush and a streak: what ends them, how hard their puzzles are, whose time counts."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from ludex.coach.puzzles.collection import games_with_puzzles, shipped_puzzles
from ludex.coach.puzzles.rounds import RUSH_MS, STEPS, Answered, RoundService
from ludex.coach.puzzles.training import Training
from ludex.core.errors import IllegalAction, StaleRound, UnknownPuzzle, UnknownRound
from ludex.store.database import Database
from ludex.store.puzzles import Mode, PuzzleRound


class Clock:
    """A clock that goes on when told to."""

    def __init__(self) -> None:
        self.time = datetime(2026, 3, 1, 23, 59, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def wait(self, ms: int) -> None:
        self.time += timedelta(milliseconds=ms)


@pytest.fixture
def database() -> Iterator[Database]:
    with Database.open("sqlite://") as opened:
        yield opened


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def rounds(database: Database, clock: Clock) -> RoundService:
    return RoundService(database, clock)


def answer(rounds: RoundService, state: PuzzleRound, *, right: bool, person: str = "ann") -> Answered:
    puzzle = rounds.current_puzzle(state)
    assert puzzle is not None
    *made, move = puzzle.moves if right else (puzzle.proof.reasons[0].moves[0],)
    answered = rounds.answer(person, state.id, len(state.puzzles), move, made=made)
    assert answered is not None
    return answered


def play(rounds: RoundService, mode: Mode, *answers: bool, person: str = "ann", game: str = "tictactoe") -> PuzzleRound:
    state = rounds.begin(person, game, mode)
    for right in answers:
        state = answer(rounds, state, right=right, person=person).round
    return state


@pytest.mark.parametrize("game", games_with_puzzles())
def test_the_third_error_ends_a_rush_and_the_first_a_streak(rounds: RoundService, game: str) -> None:
    rush = play(rounds, "rush", True, False, False, True, game=game)
    assert (rush.over, rush.solved, len(rush.missed), len({*rush.puzzles})) == (False, 2, 2, 5)
    rush = answer(rounds, rush, right=False).round
    assert (rush.over, rush.solved, len(rush.missed), len(rush.puzzles)) == (True, 2, 3, 5)
    assert rounds.current_puzzle(rush) is None
    assert rounds.read("ann", rush.id) == rush
    assert rounds.answer("ann", rush.id, 5, "b2") is None
    streak = play(rounds, "streak", True, True, False, game=game)
    assert (streak.over, streak.solved, rounds.left_ms(streak)) == (True, 2, None)


def test_time_is_the_servers_and_ends_a_rush(rounds: RoundService, clock: Clock) -> None:
    rush = play(rounds, "rush", True)
    clock.wait(RUSH_MS - 1)
    assert rounds.left_ms(rush) == 1
    rush = answer(rounds, rush, right=True).round
    assert (rush.solved, rush.spent_ms) == (2, RUSH_MS - 1)
    clock.wait(1)
    ended = rounds.read("ann", rush.id)
    assert (ended.over, ended.solved, rounds.left_ms(ended)) == (True, 2, 0)
    puzzle = shipped_puzzles("tictactoe")[rush.puzzles[-1]]
    assert rounds.answer("ann", rush.id, 3, puzzle.moves[0]) is None
    assert rounds.read("ann", rush.id).solved == 2
    streak = play(rounds, "streak", True)
    clock.wait(10 * RUSH_MS)
    assert answer(rounds, streak, right=True).round.solved == 2


def test_a_puzzle_is_answered_once_by_its_person_and_what_the_rules_refuse_is_no_answer(rounds: RoundService) -> None:
    rush = play(rounds, "rush", True)
    with pytest.raises(StaleRound):
        rounds.answer("ann", rush.id, 1, "b2")
    with pytest.raises(UnknownRound):
        rounds.answer("bob", rush.id, 2, "b2")
    puzzle = rounds.current_puzzle(rush)
    assert puzzle is not None
    position = puzzle.position.build("tictactoe")
    taken = position.game.action_text(position.state, int(np.flatnonzero(~position.game.legal(position.state))[0]))
    with pytest.raises(IllegalAction):
        rounds.answer("ann", rush.id, 2, taken)
    assert rounds.read("ann", rush.id) == rush
    with pytest.raises(UnknownPuzzle):
        rounds.begin("ann", "chess", "rush")


def test_two_answers_at_once_are_one(database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = RoundService(database, clock), RoundService(database, clock)
    rush = play(first, "rush")
    monkeypatch.setattr(second, "read", lambda person, round_id: rush)
    assert answer(first, rush, right=True).round.solved == 1
    with pytest.raises(StaleRound):
        answer(second, rush, right=True)
    assert first.read("ann", rush.id).solved == 1


@pytest.mark.parametrize("game", games_with_puzzles())
def test_puzzles_get_harder_and_none_comes_twice(rounds: RoundService, game: str) -> None:
    state = play(rounds, "streak", *[True] * STEPS, game=game)
    assert len({*state.puzzles}) == STEPS + 1
    ratings = [shipped_puzzles(game)[puzzle].proof.difficulty for puzzle in state.puzzles]
    quarters = [sum(ratings[begin : begin + 10]) for begin in range(0, STEPS, 10)]
    assert quarters == sorted(quarters)
    assert quarters[0] < quarters[-1]


def test_a_streak_ends_when_every_puzzle_was_solved(rounds: RoundService, monkeypatch: pytest.MonkeyPatch) -> None:
    few = dict([*shipped_puzzles("tictactoe").items()][:3])
    monkeypatch.setattr("ludex.coach.puzzles.rounds.shipped_puzzles", lambda game: few)
    state = play(rounds, "streak", True, True, True)
    assert (state.over, state.solved, {*state.puzzles}) == (True, 3, {*few})


def test_the_best_of_each_person_and_day(database: Database, rounds: RoundService, clock: Clock) -> None:
    database.nicknames.set("ann", "Ann")
    database.nicknames.set("bob", "Bob")
    play(rounds, "rush", True, False, False, False)
    play(rounds, "rush", False, False, False)
    play(rounds, "streak", True, True)
    clock.wait(30_000)
    bob = rounds.begin("bob", "tictactoe", "rush")
    clock.wait(9_000)
    answer(rounds, bob, right=True, person="bob")
    play(rounds, "rush", True, True, person="nameless")
    table = database.rounds.table("tictactoe", "rush", rounds.today, 10)
    assert [(name, best.solved, best.spent_ms) for name, best in table] == [("Ann", 1, 0), ("Bob", 1, 9_000)]
    day = rounds.today
    clock.wait(60_000)
    assert rounds.today != day
    assert database.rounds.table("tictactoe", "rush", rounds.today, 10) == []
    play(rounds, "rush", True, True)
    best = {result.mode: (result.day, result.solved) for result in database.rounds.best_of("ann")}
    assert best == {"rush": (rounds.today, 2), "streak": (day, 2)}
    assert [result.solved for result in database.rounds.best_of("ann", day=day) if result.mode == "rush"] == [1]


def test_a_puzzle_of_a_round_is_not_rated_afterwards(database: Database, rounds: RoundService) -> None:
    rush = play(rounds, "rush", True)
    training, puzzle = Training(database), shipped_puzzles("tictactoe")[rush.puzzles[0]]
    assert not training.attempt("ann", puzzle, puzzle.proof.accept[0]).counted
    assert training.standing("ann").attempts == 0


def test_an_export_has_the_rounds_and_a_deletion_takes_them(database: Database, rounds: RoundService) -> None:
    rush = play(rounds, "rush", True)
    assert rush.id in "".join(database.personal.export("ann"))
    database.personal.delete("ann")
    assert database.rounds.of("ann") == []
