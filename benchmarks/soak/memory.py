"""How much memory a server and the processes it has started hold, again and again."""

import threading
import time
from dataclasses import dataclass
from statistics import median
from typing import Self

from benchmarks.serving import family, resident

WINDOW = 5
"""Growth is from the first to the last of so many parts of the time after the warm-up."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Resident bytes at one moment."""

    seconds: float
    server: int
    workers: int


class Watch(threading.Thread):
    """Takes a sample every so often until it is stopped."""

    def __init__(self, process: int, every_seconds: float) -> None:
        super().__init__(daemon=True)
        self.samples: list[Sample] = []
        self._process = process
        self._every = every_seconds
        self._begin = time.monotonic()
        self._ended = threading.Event()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self.join()

    def run(self) -> None:
        while not self._ended.wait(self._every):
            try:
                server = resident(self._process)
            except FileNotFoundError:
                # The server is gone: who plays with it notices.
                return
            workers = sum(map(_resident_or_gone, family(self._process)[1:]))
            self.samples.append(Sample(time.monotonic() - self._begin, server, workers))


def _resident_or_gone(process: int) -> int:
    try:
        return resident(process)
    except (FileNotFoundError, ProcessLookupError):
        return 0


def growth(sizes: list[int]) -> float | None:
    """By which share memory grew from the first fifth to the last; None for too few samples to tell.

    >>> growth([100, 101, 100, 100, 102, 103, 110, 111, 110, 110])
    0.09452736318407962
    """
    part = len(sizes) // WINDOW
    return median(sizes[-part:]) / median(sizes[:part]) - 1 if part else None
