"""Proving puzzles again, from their positions alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ludex.coach.puzzles.making import proven, theme_of
from ludex.core.errors import BadPuzzle, LudexError
from ludex.core.executor import Executor
from ludex.core.messages import Message
from ludex.core.puzzle import EASIEST, HARDEST, Puzzle, check_legal


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of one puzzle."""

    puzzle: str
    """Its id."""
    problem: str | None
    """None: it is proven again, with the same answer and the same proof."""


def check(puzzle: Puzzle) -> None:
    """Prove a puzzle again. Raises `BadPuzzle` where its moves, proof or sentences do not hold."""
    check_legal(puzzle)
    shown = puzzle.position.build(puzzle.game)
    proof = proven(shown.game, theme_of(puzzle.game, puzzle.theme), shown.state)
    if proof is None:
        raise BadPuzzle("the position is no puzzle of this theme")
    if set(proof.accept) != set(puzzle.proof.accept):
        raise BadPuzzle(f"it accepts {_listed(puzzle.proof.accept)}, the proof {_listed(proof.accept)}")
    if proof != puzzle.proof:
        raise BadPuzzle("the right moves are the same, but their proof differs")
    if not EASIEST <= proof.difficulty <= HARDEST:
        raise BadPuzzle(f"difficulty {proof.difficulty}, expected {EASIEST}..{HARDEST}")
    for message in sentences(puzzle):
        message.texts()


def sentences(puzzle: Puzzle) -> Iterator[Message]:
    """Everything that a person may read of a puzzle."""
    yield puzzle.title
    yield puzzle.task
    yield puzzle.reason("?")
    yield from puzzle.proof.explanation
    yield from (puzzle.reason(reason.moves[0]) for reason in puzzle.proof.reasons)


def check_all(puzzles: Sequence[Puzzle], executor: Executor) -> Iterator[Checked]:
    """Prove puzzles again, in parallel, in the order in which they are done."""
    results = executor.run(_checked, puzzles)
    try:
        for _, found in results:
            yield found
    finally:
        results.close()


def _checked(puzzle: Puzzle) -> Checked:
    try:
        check(puzzle)
    except LudexError as error:
        return Checked(puzzle.id, error.message)
    return Checked(puzzle.id, None)


def _listed(moves: Sequence[str]) -> str:
    return ", ".join(sorted(moves)) or "nothing"
