"""Executors that a test can steer."""

from collections.abc import Callable, Generator, Iterable
from itertools import islice
from typing import Any


class Backwards:
    """Of every few tasks the last is finished first, and Ctrl-C comes after some; counts what was asked of it."""

    def __init__(self, few: int, after: int | None = None) -> None:
        self.few = few
        self.after = after
        self.calls = 0

    def run(
        self, call: Callable[[Any], Any], tasks: Iterable[Any], alone: Any = None
    ) -> Generator[tuple[int, Any], None, None]:
        numbered = enumerate(tasks)
        while block := list(islice(numbered, self.few)):
            for index, task in reversed(block):
                if self.calls == self.after:
                    raise KeyboardInterrupt
                self.calls += 1
                yield index, call(task)
