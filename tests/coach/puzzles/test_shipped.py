"""The puzzles that ship: enough of them, each solvable, and a sample proven again by prover and oracle."""

import pytest

from ludex.coach.puzzles.collection import games_with_puzzles, of_theme, shipped
from ludex.coach.puzzles.making import check, sentences
from ludex.core import registry
from ludex.core.errors import BadPuzzle
from ludex.core.puzzle import Puzzle, check_legal, judge
from tests.reference.puzzle_answers import ORACLES

THEMES = [(game, theme) for game in games_with_puzzles() for theme in registry.spec(game).puzzles.themes]
LEAST = 200


def of(game: str, theme: str) -> list[Puzzle]:
    return of_theme([*shipped(game).values()], theme)


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
    answers = [(puzzle, ORACLES[f"{game} {theme}"](puzzle)) for puzzle in of(game, theme)[:12]]
    compared = [(set(puzzle.proof.accept), found) for puzzle, found in answers if found is not None]
    assert len(compared) >= 2
    assert all(accepted == found for accepted, found in compared)


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
