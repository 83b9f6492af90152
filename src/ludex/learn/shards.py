"""Training data made by executors: a folder of files, each the deterministic result of one task.

`recipe.json` holds what determines all of them. An interrupted folder is resumed.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self, TypeVar

from ludex.core.documents import read_json, write_bytes, write_text
from ludex.core.errors import BadRun
from ludex.core.executor import Executor
from ludex.core.folders import make_folder
from ludex.learn.runs import Row

T = TypeVar("T")
R = TypeVar("R")

RECIPE = "recipe.json"


class Shards:
    """Files `00000000.npz`, `00000001.npz` and so on of one recipe."""

    def __init__(self, folder: Path, recipe: Row) -> None:
        self.folder = folder
        self.recipe = recipe

    @classmethod
    def begun(cls, folder: Path, recipe: Row) -> Self:
        """A folder to fill, new or half full. Raises `BadRun` if what it holds was made by another recipe."""
        if (folder / RECIPE).exists():
            shards = cls.read(folder)
            if shards.recipe != recipe:
                keys = sorted(key for key in {*recipe, *shards.recipe} if recipe.get(key) != shards.recipe.get(key))
                raise BadRun(f"{folder}: made by another recipe, which differs in {', '.join(keys)}")
            return shards
        if next(make_folder(folder, "FOLDER").iterdir(), None) is not None:
            raise BadRun(f"{folder}: neither empty nor a folder of shards: it has no {RECIPE}")
        write_text(folder / RECIPE, json.dumps(recipe, indent=1) + "\n")
        return cls(folder, recipe)

    @classmethod
    def read(cls, folder: Path) -> Self:
        """A folder to read from. Raises `BadRun` if it is none."""
        recipe = read_json(folder / RECIPE, BadRun)
        if not isinstance(recipe, dict):
            raise BadRun(f"{folder / RECIPE}: expected an object")
        return cls(folder, recipe)

    def path(self, number: int) -> Path:
        return self.folder / f"{number:08d}.npz"

    def count(self) -> int:
        """How many there are. Raises `BadRun` if there is none, or if one before the last is missing."""
        paths = sorted(self.folder.glob("*.npz"))
        for number, path in enumerate(paths):
            if path != self.path(number):
                raise BadRun(f"{self.path(number)} is missing: make the rest of this folder first")
        if not paths:
            raise BadRun(f"{self.folder}: no shard there yet")
        return len(paths)

    def fill(
        self,
        count: int,
        task_of: Callable[[int], T],
        make: Callable[[T], R],
        dump: Callable[[R], bytes],
        executor: Executor,
    ) -> Iterator[tuple[int, bool]]:
        """Make those of the first `count` shards that are missing; yields each one's number, and whether it is new."""
        missing = [number for number in range(count) if not self.path(number).exists()]
        yield from ((number, False) for number in sorted(set(range(count)) - set(missing)))
        results = executor.run(make, map(task_of, missing))
        try:
            for done, result in results:
                write_bytes(self.path(missing[done]), dump(result))
                yield missing[done], True
        finally:
            results.close()
