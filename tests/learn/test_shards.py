"""A folder of shards: filled once, resumed, never mixed with another recipe's."""

from pathlib import Path

import pytest

from ludex.core.errors import BadJournal, BadRun
from ludex.core.executor import Executor, InProcess, LocalProcesses
from ludex.learn.shards import Shards
from tests.arena.executors import Backwards
from tests.core.tasks import square


def dump(number: int) -> bytes:
    return str(number).encode()


def filled(shards: Shards, count: int, executor: Executor) -> list[tuple[int, bool]]:
    return list(shards.fill(count, int, square, dump, executor))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.npz")}


@pytest.mark.parametrize("executor", [InProcess(), LocalProcesses(2), Backwards(3)], ids=["here", "apart", "backwards"])
def test_any_executor_fills_the_same_folder(tmp_path: Path, executor: Executor) -> None:
    shards = Shards.begin(tmp_path / "new" / "folder", {"seed": 1})
    assert sorted(filled(shards, 7, executor)) == [(number, True) for number in range(7)]
    assert shards.count() == 7
    expected = {f"0000000{number}.npz": dump(number**2) for number in range(7)}
    assert contents(shards.folder) == expected
    assert Shards.read(shards.folder).recipe == {"seed": 1}


def test_what_is_there_is_not_made_again(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        filled(Shards.begin(tmp_path, {"seed": 1}), 6, Backwards(1, after=2))
    counting = Backwards(2)
    again = Shards.begin(tmp_path, {"seed": 1})
    assert filled(again, 6, counting) == [(0, False), (1, False), (3, True), (2, True), (5, True), (4, True)]
    assert counting.calls == 4
    assert filled(again, 6, counting) == [(number, False) for number in range(6)]


def test_another_recipe_is_refused(tmp_path: Path) -> None:
    filled(Shards.begin(tmp_path, {"seed": 1, "boards": [8, 8], "games": 3}), 1, InProcess())
    with pytest.raises(BadRun, match="made by another recipe, which differs in boards, nodes, seed"):
        Shards.begin(tmp_path, {"seed": 2, "boards": [9, 9], "games": 3, "nodes": 4})


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(BadRun, match=r"neither empty nor a folder of shards: it has no shards\.jsonl"):
        Shards.begin(tmp_path, {})
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_holes_and_strangers_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadRun, match=r"shards\.jsonl"):
        Shards.read(tmp_path)
    shards = Shards.begin(tmp_path, {})
    filled(shards, 0, InProcess())
    with pytest.raises(BadRun, match=r"shards\.jsonl: no shards there yet"):
        Shards.read(tmp_path)
    filled(shards, 3, InProcess())
    shards.path(1).unlink()
    with pytest.raises(BadRun, match=r"00000001\.npz is missing: make the rest"):
        shards.count()


def test_a_folder_is_filled_by_one_process(tmp_path: Path) -> None:
    first = Shards.begin(tmp_path, {}).fill(2, int, square, dump, InProcess())
    next(first)
    with pytest.raises(BadJournal, match="another process is making these shards"):
        filled(Shards.begin(tmp_path, {}), 2, InProcess())
    assert [*first] == [(1, True)]


def test_a_file_without_its_entry_is_made_again(tmp_path: Path) -> None:
    shards = Shards.begin(tmp_path, {})
    filled(shards, 1, InProcess())
    shards.path(1).write_bytes(b"of a process that was killed before its entry was written")
    assert filled(shards, 2, InProcess()) == [(0, False), (1, True)]
    assert contents(tmp_path)["00000001.npz"] == dump(1)
