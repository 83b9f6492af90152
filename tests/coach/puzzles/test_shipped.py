"""The puzzles that ship: enough of them, each solvable, and a sample proven again by prover and oracle."""

from typing import Any

import pytest

from ludex.coach.puzzles.collection import games_with_puzzles, of_theme, shipped_puzzles
from ludex.coach.puzzles.making import check, sentences
from ludex.core import registry
from ludex.core.errors import BadPuzzle, UsageError
from ludex.core.puzzle import Puzzle, check_legal, judge
from tests.reference.puzzle_answers import ORACLES, same_answers

THEMES = [(game, theme) for game in games_with_puzzles() for theme in registry.spec(game).puzzles.themes]
LEAST = 200


def of(game: str, theme: str) -> list[Puzzle]:
    return of_theme([*shipped_puzzles(game).values()], theme)


def test_every_theme_of_the_issue_ships() -> None:
    assert {f"{game} {theme}" for game, theme in THEMES} == set(ORACLES)


@pytest.mark.parametrize(("game", "theme"), THEMES)
def test_hundreds_of_puzzles_ship_and_can_be_read(game: str, theme: str) -> None:
    puzzles = of(game, theme)
    assert len(puzzles) >= LEAST
    for puzzle in puzzles[::10]:
        check_legal(puzzle)
        for message in sentences(puzzle):
            english, french = message.texts().values()
            assert english != french or message.id == "ludex.text"


@pytest.mark.parametrize(("game", "theme"), THEMES)
def test_a_sample_is_proven_again(game: str, theme: str) -> None:
    for puzzle in of(game, theme)[:2]:
        check(puzzle)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "theme"), THEMES)
def test_a_sample_has_the_answers_of_the_oracle(game: str, theme: str) -> None:
    answers = [same for same in map(same_answers, of(game, theme)[:12]) if same is not None]
    assert len(answers) >= 2
    assert all(answers)


@pytest.mark.parametrize("game", ["quoridor", "tictactoe"])
def test_puzzles_of_several_moves_have_one_right_move_in_each_turn(game: str) -> None:
    puzzles = of(game, "combination")
    assert len(puzzles) >= 240
    for puzzle in puzzles:
        assert 2 <= puzzle.turns == puzzle.proof.parameters["count"]
        assert all(len(puzzle.at(turn).accept) == 1 for turn in range(puzzle.turns))
        assert puzzle.proof.reasons
    puzzle = puzzles[0]
    first = judge(puzzle, puzzle.moves[0])
    assert (first.right, first.solved, first.reply) == (True, False, puzzle.proof.turns[0].reply)
    with pytest.raises(UsageError, match="is not the right move of turn 1"):
        judge(puzzle, puzzle.moves[1], made=[puzzle.proof.turns[0].reply])
    last = judge(puzzle, puzzle.moves[-1], made=puzzle.moves[:-1])
    assert (last.right, last.solved, last.reply) == (True, True, None)


def test_a_changed_answer_of_a_later_turn_does_not_pass_the_check() -> None:
    puzzle = of("tictactoe", "combination")[0]
    document: Any = puzzle.document()
    reply, _, wrong = document["turns"][0]
    document["turns"][0] = [reply, [wrong[0][3][0]], wrong]
    with pytest.raises(BadPuzzle, match="differs"):
        check(Puzzle.of(document, puzzle.game, puzzle.version, puzzle.theme))


def test_a_move_is_judged_with_its_reason() -> None:
    puzzle = of("tictactoe", "fork")[0]
    right = judge(puzzle, puzzle.proof.accept[0])
    assert right.solved
    assert right.reason is None
    reason = puzzle.proof.reasons[0]
    wrong = judge(puzzle, reason.moves[0])
    assert not wrong.solved
    assert wrong.reason is not None
    assert reason.moves[0] in wrong.reason.text("fr")


def test_a_wrong_answer_does_not_pass_the_check() -> None:
    puzzle = of("minesweeper", "safe")[0]
    document = puzzle.document()
    document["accept"] = [*puzzle.proof.reasons[0].moves[:1]]
    with pytest.raises(BadPuzzle, match="the proof"):
        check(Puzzle.of(document, puzzle.game, puzzle.version, puzzle.theme))
