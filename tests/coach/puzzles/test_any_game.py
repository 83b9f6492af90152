"""A game brings puzzles by naming a maker and a prover; nothing else knows of them."""

from dataclasses import replace
from typing import Any

import pytest

from ludex.coach.puzzles.making import Journal, check, make_puzzles
from ludex.core import registry
from ludex.core.errors import BrokenGame
from ludex.core.executor import InProcess
from ludex.core.messages import Message
from ludex.core.puzzle import Candidate, Proof, judge
from ludex.core.spec import PuzzlesSpec, ThemeSpec

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
    found = registry.spec
    monkeypatch.setattr(registry, "spec", lambda game: changed if game == "tictactoe" else found(game))


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
