"""Finished tasks of a long measurement, one per line: what was interrupted is resumed, without playing again."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from ludex.core.executor import Executor

T = TypeVar("T", bound=tuple[Any, ...])
R = TypeVar("R")

REPORTS = 20
"""Lines of progress that a measurement prints."""


@dataclass
class Journal:
    """The results of tasks by their text, in a file that grows."""

    path: Path
    until: float = float("inf")
    """On the clock of `time.monotonic`: what is not finished then is left out."""
    results: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        self.results = {entry["task"]: entry["result"] for entry in map(json.loads, lines)}

    def run(self, executor: Executor, call: Callable[[T], R], tasks: Sequence[T]) -> None:
        """Run the tasks that are not finished yet, until the time is over."""
        missing = [task for task in tasks if self._key(task) not in self.results]
        if time.monotonic() >= self.until:
            return
        begin, every = time.monotonic(), max(1, len(missing) // REPORTS)
        results = executor.run(call, missing)
        with self.path.open("a") as file:
            for count, (index, result) in enumerate(results, 1):
                self.results[self._key(missing[index])] = result
                print(json.dumps({"task": self._key(missing[index]), "result": result}), file=file, flush=True)
                if count % every == 0 or count == len(missing):
                    print(f"{self.path.stem}: {count} of {len(missing)}, {time.monotonic() - begin:.0f} s", flush=True)
                if time.monotonic() > self.until:
                    print(f"{self.path.stem}: out of time after {count} of {len(missing)} tasks", flush=True)
                    results.close()
                    return

    def of(self, tasks: Sequence[T]) -> list[Any]:
        """The results of those of the tasks that are finished, in the order of the tasks."""
        return [self.results[self._key(task)] for task in tasks if self._key(task) in self.results]

    @staticmethod
    def _key(task: tuple[Any, ...]) -> str:
        return json.dumps(task)
