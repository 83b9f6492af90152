"""`ludex puzzles play`: its keys, and the end of what is typed."""

import pytest

from ludex.coach.puzzles.collection import shipped_puzzles
from tests.cli.conftest import Ludex


@pytest.mark.parametrize("said", ["q\n", "quit\n", "?\n\n", ""])
def test_a_person_may_leave_and_sees_the_keys(ludex: Ludex, said: str) -> None:
    result = ludex("puzzles", "play", "tictactoe", said=said)
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("h solution · q quit · ? help") == 1 + (said == "?\n\n") * 2
    assert result.stdout.rstrip().endswith("0/0")


def test_the_solution_is_shown_on_request_alone(ludex: Ludex) -> None:
    result = ludex("puzzles", "play", "tictactoe", "--count", "1", said="\nh\n")
    solutions = {puzzle.proof.explanation[0].text() for puzzle in shipped_puzzles("tictactoe").values()}
    assert sum(text in result.stdout for text in solutions) >= 1
    assert result.stdout.rstrip().endswith("0/1")
