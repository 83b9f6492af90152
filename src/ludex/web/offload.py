"""Runs a game's rules where they delay no other request."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

T = TypeVar("T")

THREADS: Final = 4
FAST_SECONDS: Final = 0.003
"""Work of less CPU time runs in the event loop: a thread would cost as much, and then wait for the loop."""
MOST_KINDS: Final = 1_000
"""Kinds of work whose cost is remembered."""


class Offload:
    """Threads for slow work. Fast work, as measured the last time, runs at once in the event loop."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, "ludex-reader")
        self._seconds: OrderedDict[Hashable, float] = OrderedDict()

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """Run work of unknown cost, such as a query, in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)

    async def run_rules(self, kind: Hashable, function: Callable[..., T], *arguments: Any) -> T:
        """Run work of one kind: in a thread the first time and whenever its last run was slow, else in the loop."""
        if self._seconds.get(kind, FAST_SECONDS) < FAST_SECONDS:
            return self._timed(kind, function, *arguments)
        return await self.run(self._timed, kind, function, *arguments)

    def close(self) -> None:
        """Wait for what runs; what waits is cancelled."""
        self._threads.shutdown(cancel_futures=True)

    def _timed(self, kind: Hashable, function: Callable[..., T], *arguments: Any) -> T:
        begin = time.thread_time()
        try:
            return function(*arguments)
        finally:
            self._seconds[kind] = time.thread_time() - begin
            while len(self._seconds) > MOST_KINDS:
                self._seconds.popitem(last=False)
