"""Training data made by executors: a folder of files, each the deterministic result of one task.

A journal lies beside them: its header is the recipe, what determines all of them, and it has an entry per finished
file. An interrupted folder is resumed, and only one process fills it.
"""

from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, Final, Self, TypeVar, cast

import numpy as np

from ludex.core.documents import read_arrays, read_bytes, write_bytes
from ludex.core.errors import BadRun
from ludex.core.executor import Executor
from ludex.core.folders import make_folder
from ludex.core.journal import JournalReader, ReadEntry, hold_journal, read_header
from ludex.learn.runs import Row

T = TypeVar("T")
R = TypeVar("R")
Arrays = TypeVar("Arrays", bound=tuple[Any, ...])
"""A named tuple of arrays, whose first axis counts what they hold."""

JOURNAL: Final = "shards.jsonl"
FORMAT: Final = "ludex shards"
VERSION: Final = 1


class Shards:
    """Files `00000000.npz`, `00000001.npz` and so on of one recipe."""

    def __init__(self, folder: Path, recipe: Row) -> None:
        self.folder, self.recipe = folder, recipe
        self._header: Row = {"format": FORMAT, "formatVersion": VERSION, "recipe": recipe}

    @classmethod
    def begin(cls, folder: Path, recipe: Row) -> Self:
        """A folder to fill, new or half full. Raises `BadRun` if what it holds was made by another recipe."""
        header = read_header(folder / JOURNAL)
        if header is not None:
            other = cls._of(folder, header).recipe
            keys = sorted(key for key in {*recipe, *other} if recipe.get(key) != other.get(key))
            if keys:
                raise BadRun(f"{folder}: made by another recipe, which differs in {', '.join(keys)}")
        elif not (folder / JOURNAL).exists() and next(make_folder(folder, "FOLDER").iterdir(), None) is not None:
            raise BadRun(f"{folder}: neither empty nor a folder of shards: it has no {JOURNAL}")
        return cls(folder, recipe)

    @classmethod
    def read(cls, folder: Path) -> Self:
        """A folder to read from. Raises `BadRun` if it is none."""
        header = read_header(folder / JOURNAL)
        if header is None:
            raise BadRun(f"{folder / JOURNAL}: no shards there yet")
        return cls._of(folder, header)

    @classmethod
    def _of(cls, folder: Path, header: dict[str, Any]) -> Self:
        if header.get("format") != FORMAT or not isinstance(header.get("recipe"), dict):
            raise BadRun(f"{folder / JOURNAL}: line 1: not a journal of shards")
        return cls(folder, header["recipe"])

    def path(self, number: int) -> Path:
        return self.folder / f"{number:08d}.npz"

    def count(self) -> int:
        """How many there are. Raises `BadRun` if there is none, or if one before the last is missing."""
        numbers: set[int] = set()
        JournalReader(self.folder / JOURNAL, self._header, _adder(numbers)).read_on()
        for number in range(max(numbers, default=-1) + 1):
            if number not in numbers or not self.path(number).exists():
                raise BadRun(f"{self.path(number)} is missing: make the rest of this folder first")
        if not numbers:
            raise BadRun(f"{self.folder}: no shard there yet")
        return len(numbers)

    def fill(
        self,
        count: int,
        task_of: Callable[[int], T],
        make: Callable[[T], R],
        dump: Callable[[R], bytes],
        executor: Executor,
    ) -> Iterator[tuple[int, bool]]:
        """Make those of the first `count` shards that are missing; yields each one's number, and whether it is new.

        Raises `BadJournal` if another process fills the folder.
        """
        entries: set[int] = set()
        with hold_journal(self.folder / JOURNAL, self._header, _adder(entries), work="making these shards") as journal:
            finished = {number for number in entries if self.path(number).exists()}
            missing = [number for number in range(count) if number not in finished]
            yield from ((number, False) for number in range(count) if number in finished)
            results = executor.run(make, map(task_of, missing))
            try:
                for done, result in results:
                    number = missing[done]
                    write_bytes(self.path(number), dump(result))
                    journal.append([{"shard": number}])
                    yield number, True
            finally:
                results.close()


def concatenate(parts: Sequence[Arrays]) -> Arrays:
    """All that some parts hold, one part after the other."""
    columns = (np.concatenate(column) for column in zip(*parts, strict=True))
    return cast(Arrays, cast(Any, type(parts[0]))(*columns))


def dump_arrays(arrays: Arrays) -> bytes:
    """Arrays as the bytes of a file."""
    file = BytesIO()
    np.savez_compressed(file, **cast(Any, arrays)._asdict())
    return file.getvalue()


def load_arrays(kind: type[Arrays], path: Path) -> Arrays:
    """Read what `dump_arrays` wrote. Raises `BadRun`."""
    named = cast(Any, kind)
    return cast(Arrays, named(**read_arrays(read_bytes(path, BadRun), named._fields, str(path), BadRun)))


def _adder(numbers: set[int]) -> ReadEntry:
    """Adds the number of an entry's file; the files themselves, archives with checksums, are checked when read."""
    return lambda entry: numbers.add(int(entry["shard"]))
