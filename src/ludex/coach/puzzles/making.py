"""Making puzzles: many independent tasks, each of which draws positions until one is proven to be a puzzle.

What a task finds follows from the seed and its number alone, and the result is the first puzzles in the order of these
numbers. So neither the number of workers nor an interruption changes it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

from ludex.coach.puzzles.collection import Collection
from ludex.core import registry
from ludex.core.errors import BadPuzzle, LudexError, UsageError
from ludex.core.executor import Executor
from ludex.core.game import AnyGame
from ludex.core.illustration import PositionSpec
from ludex.core.journal import JournalFile, header_with, hold_journal
from ludex.core.messages import Message
from ludex.core.puzzle import EASIEST, HARDEST, Candidate, Proof, Puzzle, check_legal
from ludex.core.seeding import generator
from ludex.core.spec import ThemeSpec

FORMAT: Final = "ludex-puzzle-journal"
STREAM: Final = 66
"""The stream of puzzle makers, beside those of `ludex.core.seeding`."""
TRIES: Final = 40
"""Positions that a task tries before it ends without a puzzle."""
BARREN: Final = 400
"""Tasks in a row without a new puzzle after which making ends."""


@dataclass(frozen=True, slots=True)
class Journal:
    """The finished tasks of a file, from which making goes on; without a file they are kept nowhere."""

    _file: JournalFile | None = None
    finished: Mapping[int, Puzzle | None] = field(default_factory=dict)
    """By number, the results of the tasks that were there when the file was opened."""

    def append(self, number: int, puzzle: Puzzle | None) -> None:
        """Add a finished task and wait until the disk has it."""
        if self._file is not None:
            self._file.append([{"task": number, "puzzle": None if puzzle is None else puzzle.document()}])


@contextmanager
def open_journal(path: Path, game: str, theme: str, seed: int) -> Iterator[Journal]:
    """Hold the journal of these puzzles; see `hold_journal`."""
    version = registry.make(game).info.version
    finished: dict[int, Puzzle | None] = {}

    def add(body: dict[str, Any]) -> None:
        puzzle = body["puzzle"]
        finished[body["task"]] = None if puzzle is None else Puzzle.of(puzzle, game, version, theme)

    header = header_with(FORMAT, 1, {"game": game, "version": version, "theme": theme, "seed": str(seed)})
    with hold_journal(path, header, add, work="making these puzzles") as file:
        yield Journal(file, finished)


@dataclass(frozen=True, slots=True)
class PuzzleTask:
    """One search for a puzzle."""

    game: str
    theme: str
    seed: int
    number: int


def theme_of(game: str, theme: str) -> ThemeSpec:
    """A theme of a game. Raises `UsageError` if there is none."""
    themes = registry.spec(game).puzzles.themes
    if theme not in themes:
        known = ", ".join(themes) or "none"
        raise UsageError(f"{game} has no puzzles of theme {theme!r}; its themes are: {known}")
    return themes[theme]


def attempt(task: PuzzleTask) -> Puzzle | None:
    """The puzzle of a task; None if none of its positions is one. Raises `BadPuzzle` where maker and prover differ."""
    spec = theme_of(task.game, task.theme)
    board = spec.boards[task.number % len(spec.boards)]
    game, make = registry.make(task.game, board), registry.resolve(spec.make)
    rng = generator(task.seed, task.number, STREAM)
    for _ in range(TRIES):
        candidate: Candidate | None = make(game, rng)
        if candidate is None:
            continue
        position = PositionSpec(board=game.info.preset, position=game.dump(candidate.state), show_legal=True)
        proof = proven(game, spec, candidate.state)
        if proof is None:
            continue
        accepted = {game.parse_action(candidate.state, text) for text in proof.accept}
        if accepted != candidate.accept:
            raise BadPuzzle(
                f"{task.game}, theme {task.theme!r}, seed {task.seed}, task {task.number}: the maker accepts "
                f"{sorted(candidate.accept)}, the proof {sorted(accepted)}"
            )
        return Puzzle(game=task.game, version=game.info.version, theme=task.theme, position=position, proof=proof)
    return None


def proven(game: AnyGame, spec: ThemeSpec, state: object) -> Proof | None:
    """The proof of a position, without its maker."""
    proof: Proof | None = registry.resolve(spec.prove)(game, state)
    return proof


def make_puzzles(
    game: str,
    theme: str,
    *,
    wanted: int,
    seed: int,
    executor: Executor,
    journal: Journal,
    advance: Callable[[int], None] = lambda amount: None,
) -> Collection:
    """The first `wanted` puzzles of a seed; fewer where many tasks in a row find none that is new.

    Finished tasks are read from the journal, and new ones appended to it.
    """
    theme_of(game, theme)
    puzzles: dict[str, Puzzle] = {}
    barren = 0
    for puzzle in _in_order(game, theme, seed, executor, journal):
        if puzzle is not None and puzzle.id not in puzzles:
            puzzles[puzzle.id], barren = puzzle, 0
            advance(1)
        else:
            barren += 1
        if len(puzzles) == wanted or barren == BARREN:
            break
    version = registry.make(game).info.version
    return Collection(game=game, version=version, theme=theme, seed=seed, puzzles=tuple(puzzles.values()))


def _in_order(game: str, theme: str, seed: int, executor: Executor, journal: Journal) -> Iterator[Puzzle | None]:
    """The result of every task from the first on, in the order of their numbers."""
    done: dict[int, Puzzle | None] = dict(journal.finished)
    missing = (number for number in count() if number not in journal.finished)
    numbers: list[int] = []

    def tasks() -> Iterator[PuzzleTask]:
        for number in missing:
            numbers.append(number)
            yield PuzzleTask(game, theme, seed, number)

    next_number = 0
    while next_number in done:
        yield done.pop(next_number)
        next_number += 1
    results = executor.run(attempt, tasks())
    try:
        for index, puzzle in results:
            journal.append(numbers[index], puzzle)
            done[numbers[index]] = puzzle
            while next_number in done:
                yield done.pop(next_number)
                next_number += 1
    finally:
        results.close()


def check(puzzle: Puzzle) -> None:
    """Prove a puzzle again. Raises `BadPuzzle` where its moves, proof or sentences do not hold."""
    check_legal(puzzle)
    position = puzzle.position.build(puzzle.game)
    proof = proven(position.game, theme_of(puzzle.game, puzzle.theme), position.state)
    if proof is None:
        raise BadPuzzle("the position is no puzzle of this theme")
    if set(proof.accept) != set(puzzle.proof.accept):
        raise BadPuzzle(f"it accepts {_list_moves(puzzle.proof.accept)}, the proof {_list_moves(proof.accept)}")
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
    for turn in range(puzzle.turns):
        yield from (puzzle.reason(reason.moves[0], turn) for reason in puzzle.at(turn).reasons)


def check_all(puzzles: Sequence[Puzzle], executor: Executor) -> Iterator[tuple[str, str | None]]:
    """Prove puzzles again, in parallel: each one's id and what is wrong, in the order in which they are done."""
    results = executor.run(_problem_of, puzzles)
    try:
        for index, problem in results:
            yield puzzles[index].id, problem
    finally:
        results.close()


def _problem_of(puzzle: Puzzle) -> str | None:
    try:
        check(puzzle)
    except LudexError as error:
        return error.message
    return None


def _list_moves(moves: Sequence[str]) -> str:
    return ", ".join(sorted(moves)) or "nothing"
