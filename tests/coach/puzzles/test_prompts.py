"""Puzzles as questions to language models."""

import pytest

from ludex.coach.puzzles.collection import games_with_puzzles, shipped
from ludex.coach.puzzles.prompts import prompt_of
from ludex.core.text import game_text


def test_there_are_as_many_as_ship() -> None:
    assert sum(len(shipped(game)) for game in games_with_puzzles()) == 2160


@pytest.mark.parametrize("game", ["tictactoe", "quoridor", "minesweeper"])
@pytest.mark.parametrize("naming", [None, 4])
def test_every_answer_is_a_right_move_in_its_own_words(game: str, naming: int | None) -> None:
    for puzzle in [*shipped(game).values()][::40]:
        document = prompt_of(puzzle, naming)
        names = document["names"]
        assert names is None or isinstance(names, int)
        text = game_text(puzzle.position.build(game).game, names)
        assert isinstance(document["answers"], list)
        assert [text.read(str(answer)) for answer in document["answers"]] == [*puzzle.proof.accept]
        assert game not in str(document["messages"]) or naming is None
