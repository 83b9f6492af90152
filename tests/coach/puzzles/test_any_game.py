"""A game brings puzzles by naming a maker and a prover; and puzzles are questions to language models."""

from dataclasses import replace
from typing import Any

import pytest

from ludex.coach.puzzles.collection import games_with_puzzles, shipped_puzzles
from ludex.coach.puzzles.making import Journal, check, make_puzzles
from ludex.coach.puzzles.prompts import prompt_of
from ludex.core import registry
from ludex.core.errors import BrokenGame
from ludex.core.executor import InProcess
from ludex.core.messages import Message
from ludex.core.puzzle import Candidate, Proof, judge
from ludex.core.spec import PuzzlesSpec, ThemeSpec
from ludex.core.text import game_text

HERE = "tests.coach.puzzles.test_any_game"


def make_first(game: Any, rng: Any) -> Candidate:
    """After one random mark: the first free cell."""
    state = game.apply(game.initial(rng), rng.below(9), rng)
    return Candidate(state, frozenset({int(game.legal(state).argmax())}))


def prove_first(game: Any, state: Any) -> Proof | None:
    if state.taken.bit_count() != 1:
        return None
    first = min(cell for cell in range(9) if not state.taken >> cell & 1)
    return Proof(accept=(game.board.names[first],), difficulty=700, explanation=(Message.plain("first"),))


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> None:
    theme = ThemeSpec(boards=("3x3x3",), make=f"{HERE}:make_first", prove=f"{HERE}:prove_first")
    changed = replace(registry.spec("tictactoe"), puzzles=PuzzlesSpec(themes={"fork": theme}))
    read_spec = registry.spec
    monkeypatch.setattr(registry, "spec", lambda game: changed if game == "tictactoe" else read_spec(game))


@pytest.mark.usefixtures("own")
def test_a_game_brings_its_own_puzzles() -> None:
    made = make_puzzles("tictactoe", "fork", wanted=5, seed=1, executor=InProcess(), journal=Journal())
    assert len(made.puzzles) == 5
    for puzzle in made.puzzles:
        assert judge(puzzle, puzzle.proof.accept[0]).solved
        legal = puzzle.position.build("tictactoe").legal_texts()
        assert not judge(puzzle, next(move for move in legal if move not in puzzle.proof.accept)).solved
    with pytest.raises(BrokenGame, match="no parameter"):
        # Its own task lacks what the catalogue's sentence of the same name needs.
        check(made.puzzles[0])


def test_there_are_as_many_as_ship() -> None:
    assert sum(len(shipped_puzzles(game)) for game in games_with_puzzles()) == 2160


@pytest.mark.parametrize("game", ["tictactoe", "quoridor", "minesweeper"])
@pytest.mark.parametrize("naming", [None, 4])
def test_every_answer_is_a_right_move_in_its_own_words(game: str, naming: int | None) -> None:
    for puzzle in [*shipped_puzzles(game).values()][::40]:
        document = prompt_of(puzzle, naming)
        names = document["names"]
        assert names is None or isinstance(names, int)
        text = game_text(puzzle.position.build(game).game, names)
        assert isinstance(document["answers"], list)
        assert [text.read(str(answer)) for answer in document["answers"]] == [*puzzle.proof.accept]
        assert game not in str(document["messages"]) or naming is None
