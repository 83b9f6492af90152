"""Runs a game's rules where they delay no other request."""

import asyncio
import time
from collections.abc import Callable, Generator, Hashable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from ludex.web.recent import Recent

T = TypeVar("T")

THREADS: Final = 4
FAST_SECONDS: Final = 0.003
"""Work of less CPU time runs in the event loop: a thread would cost as much, and then wait for the loop."""
SLICE_SECONDS: Final = 0.02
"""CPU time of long work before other work has its turn."""
MOST_KINDS: Final = 1_000
"""Kinds of work whose cost is remembered."""


async def cancel_all(tasks: "Iterable[asyncio.Task[Any]]") -> None:
    """Cancel tasks and wait for their ends, whatever these are."""
    for task in (tasks := [*tasks]):
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class TooLong(Exception):
    """Work that takes longer than its caller allows."""


@dataclass(frozen=True, slots=True)
class _Done(Generic[T]):
    value: T


class Offload:
    """Threads for slow work. Fast work, as measured the last time, runs at once in the event loop.

    Long work, such as the replay of thousands of plies, has one thread: the others stay free for queries, and the event
    loop waits for the interpreter's lock behind one thread of it at most.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, "ludex-reader")
        self._long = ThreadPoolExecutor(1, "ludex-long")
        self._seconds = Recent[Hashable, float](MOST_KINDS)

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """Run work of unknown cost, such as a query, in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)

    async def run_long(self, function: Callable[..., T], *arguments: Any) -> T:
        """Run work that is known to be long, after other such work."""
        return await asyncio.get_running_loop().run_in_executor(self._long, function, *arguments)

    async def run_rules(self, kind: Hashable, function: Callable[..., T], *arguments: Any) -> T:
        """Run work of one kind: in a thread the first time and whenever its last run was slow, else in the loop."""
        if self._seconds.get(kind, FAST_SECONDS) < FAST_SECONDS:
            return self._time(kind, function, *arguments)
        return await self.run(self._time, kind, function, *arguments)

    async def run_steps(
        self, steps: Generator[None, None, T], most_seconds: float | None = None, *, long: bool = False
    ) -> T:
        """Run work that may be long, and return what it returns: a slice at once, then a slice in turn with others.

        What is known to be `long` takes turns from the beginning.
        Raises `TooLong` if it takes more CPU time than `most_seconds`.
        """
        loop, threads, spent = asyncio.get_running_loop(), self._long if long else self._threads, 0.0
        while True:
            done, seconds = await loop.run_in_executor(threads, _slice, steps)
            if done is not None:
                return done.value
            spent += seconds
            if most_seconds is not None and spent > most_seconds:
                steps.close()
                raise TooLong
            threads = self._long

    def close(self) -> None:
        """Wait for what runs; what waits is cancelled."""
        self._threads.shutdown(cancel_futures=True)
        self._long.shutdown(cancel_futures=True)

    def _time(self, kind: Hashable, function: Callable[..., T], *arguments: Any) -> T:
        begin = time.thread_time()
        try:
            return function(*arguments)
        finally:
            self._seconds[kind] = time.thread_time() - begin


def _slice(steps: Generator[None, None, T]) -> tuple[_Done[T] | None, float]:
    """Run steps for some time: their result if they ended, and the CPU time they took."""
    begin = now = time.thread_time()
    while now - begin < SLICE_SECONDS:
        try:
            next(steps)
        except StopIteration as end:
            return _Done(end.value), time.thread_time() - begin
        now = time.thread_time()
    return None, now - begin
