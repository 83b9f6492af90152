"""Puzzles follow from their seed, whoever makes them and however often that is interrupted."""

from collections.abc import Callable, Generator, Iterable
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import pytest

from ludex.coach.puzzles.collection import Collection
from ludex.coach.puzzles.making import Journal, PuzzleTask, attempt, make_puzzles, open_journal, theme_of
from ludex.core.errors import BadJournal, BadPuzzle, UsageError
from ludex.core.executor import InProcess
from ludex.games.minesweeper.tools import puzzles as minesweeper_puzzles

T = TypeVar("T")
R = TypeVar("R")
WANTED = 6


class OutOfOrder:
    """Runs tasks in fours, the last of each four first, as processes of unequal speed would."""

    def run(
        self, call: Callable[[T], R], tasks: Iterable[T], alone: Any = None
    ) -> Generator[tuple[int, R], None, None]:
        waiting = enumerate(tasks)
        while batch := [*islice(waiting, 4)]:
            yield from ((index, call(task)) for index, task in reversed(batch))


def made(journal: Journal | None = None, executor: Any = None, seed: int = 3) -> Collection:
    return make_puzzles(
        "minesweeper", "safe", wanted=WANTED, seed=seed, executor=executor or InProcess(), journal=journal or Journal()
    )


def test_the_order_of_completion_changes_nothing() -> None:
    collection = made()
    assert len(collection.puzzles) == WANTED
    assert made(executor=OutOfOrder()) == collection
    assert made(seed=4) != collection


def test_an_interrupted_journal_is_resumed(tmp_path: Path) -> None:
    whole, path = made(), tmp_path / "journal"
    with open_journal(path, "minesweeper", "safe", 3) as journal:
        assert made(journal) == whole
    lines = path.read_bytes().splitlines(keepends=True)
    # Killed in the middle of the third line.
    path.write_bytes(b"".join(lines[:2]) + lines[2][:25])
    with open_journal(path, "minesweeper", "safe", 3) as journal:
        assert [*journal.finished] == [0]
        assert made(journal) == whole
    with open_journal(path, "minesweeper", "safe", 3) as journal:
        assert made(journal, executor=None) == whole


def test_a_journal_of_other_puzzles_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with open_journal(path, "minesweeper", "safe", 3) as journal:
        journal.append(0, None)
        with pytest.raises(BadJournal, match="another process is making these puzzles"):
            open_journal(path, "minesweeper", "safe", 3).__enter__()
    with (
        pytest.raises(BadJournal, match="seed is '3' there and '4' here"),
        open_journal(path, "minesweeper", "safe", 4),
    ):
        pass
    path.write_text("something else\n")
    with pytest.raises(BadJournal, match="line 1 is damaged"), open_journal(path, "minesweeper", "safe", 3):
        pass


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    collection = made()
    collection.write(tmp_path / "puzzles_safe.json")
    assert Collection.read(tmp_path / "puzzles_safe.json") == collection
    changed = collection.text().replace('"plies":', '"plies": ', 1).replace('"difficulty":', '"difficulty":1', 1)
    with pytest.raises(BadPuzzle, match="digest"):
        Collection.parse(changed, "changed")


def test_a_maker_that_is_wrong_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    right = minesweeper_puzzles.make_safe

    def wrong(game: Any, rng: Any) -> Any:
        answers = right(game, rng)
        return None if answers is None else type(answers)(answers.state, answers.accept ^ {0})

    monkeypatch.setattr(minesweeper_puzzles, "make_safe", wrong)
    with pytest.raises(BadPuzzle, match="the maker accepts"):
        attempt(PuzzleTask("minesweeper", "safe", 3, 0))


def test_a_theme_that_does_not_exist_is_named() -> None:
    with pytest.raises(UsageError, match="its themes are: safe, risk"):
        theme_of("minesweeper", "sale")
