"""One slot of the pool: a worker, replaced when it dies, and the search it runs."""

import asyncio
import ctypes
import multiprocessing
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final

from ludex.core.errors import AgentFault
from ludex.core.log import logger
from ludex.web.schemas.analyses import Analysis
from ludex.web.settings import Settings
from ludex.web.workers.search import Search
from ludex.web.workers.task import Failed, Message, Signal, Task
from ludex.web.workers.worker import FLAGS, Order, Terms, work

ENDING_SECONDS: Final = 5.0


class WorkerProcess:
    """One spawned process. `on_message` is called from a thread, at last with None when the process is gone."""

    def __init__(self, terms: Terms, on_message: "Callable[[WorkerProcess, Message | None], None]") -> None:
        # Spawn, never fork: forked threads of Numba and of databases hang.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._connection: Connection = ours
        self._flags = context.RawArray(ctypes.c_uint8, FLAGS)
        self._tasks = 0
        self._on_message = on_message
        self._process = context.Process(target=work, args=(theirs, self._flags, terms), daemon=True)
        self._process.start()
        # Else the pipe would not end when the worker does.
        theirs.close()
        self._reader = threading.Thread(target=self._read, name=f"worker {self.pid}", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def send(self, task: Task, edition: int) -> Callable[[], None]:
        """Give it a task; the answer stops that task and no other."""
        # A flag for each task in turn: a watchdog of the last one, late by a moment, must not stop the next.
        flag = self._tasks % FLAGS
        self._tasks += 1
        self._flags[flag] = 0
        # If it has just died, the reading thread reports it.
        with suppress(OSError):
            self._connection.send(Order(task, flag, edition))
        return lambda: self._flags.__setitem__(flag, 1)

    def kill(self) -> None:
        self._process.kill()

    def end(self) -> str:
        """A description of how it ended."""
        self._process.join(ENDING_SECONDS)
        code = self._process.exitcode
        if code is not None and code < 0:
            return f"its process was ended by {signal.Signals(-code).name}"
        return f"its process ended with code {code}"

    def close(self) -> None:
        """End it and wait until it is gone."""
        self._process.kill()
        self._process.join()
        self._reader.join()
        self._connection.close()

    def _read(self) -> None:
        while True:
            try:
                message: Message = self._connection.recv()
            except (EOFError, OSError):
                break
            self._on_message(self, message)
        self._on_message(self, None)


LONGEST_PAUSE: Final = 10.0
"""Seconds before a worker is replaced that keeps dying at its start."""
REVIEW_SHARE: Final = 6
"""Times the longest search that a position of a review may take: its nodes are counted, so only load makes it long."""

log = logger("search")


class WorkerSlot:
    """Belongs to the event loop; only `_on_message` is called from elsewhere."""

    def __init__(self, settings: Settings, terms: Terms, freed: Callable[[], None], lost: Callable[[], None]) -> None:
        """`freed` is called when the worker can take a search, `lost` when the worker died."""
        self._settings = settings
        self._terms = terms
        self._freed = freed
        self._lost = lost
        self._loop = asyncio.get_running_loop()
        self._alarm: asyncio.TimerHandle | None = None
        self._killed_because = ""
        self._early_deaths = 0
        self._closed = False
        self._ready = False
        self.search: Search | None = None
        self._process = WorkerProcess(terms, self._on_message)

    @property
    def free(self) -> bool:
        return self._ready and self.search is None

    @property
    def pid(self) -> int:
        return self._process.pid

    def give(self, search: Search, edition: int) -> None:
        """Let the worker run it."""
        self.search = search
        self._alarm_in(self._settings.preparing_ms, lambda: self._kill("it was not ready to search in time"))
        raise_flag = self._process.send(search.task, edition)

        def stop() -> None:
            raise_flag()
            if self.search is search:
                self._alarm_in(self._settings.grace_ms, lambda: self._kill("it did not stop on request"))

        search.began(stop)

    async def close(self) -> None:
        """End the worker; the search it runs is abandoned."""
        self._closed = True
        if self.search is not None:
            self.search.abandon()
        self._over()
        await asyncio.to_thread(self._process.close)

    def _on_message(self, process: WorkerProcess, message: Message | None) -> None:
        """In the thread that reads the worker's pipe."""
        try:
            self._loop.call_soon_threadsafe(self._handle, process, message)
        except RuntimeError:
            # The loop is gone without having closed the pool: no caller is left.
            process.kill()

    def _handle(self, process: WorkerProcess, message: Message | None) -> None:
        if self._closed or process is not self._process:
            return
        match message, self.search:
            case None, search:
                self._on_death(search)
            case Signal.READY, _:
                self._ready, self._early_deaths = True, 0
                self._freed()
            case Signal.STARTED, Search() as search:
                search.start()
                if search.stopped:
                    return
                limit, longest = search.task.longest_ms, self._settings.search_ms
                # The worker keeps the match's own limit to the millisecond; this alarm is only a safeguard.
                late = longest if limit is None else min(limit, longest) + self._settings.grace_ms
                if search.task.review is not None:
                    late = REVIEW_SHARE * longest
                self._alarm_in(late, search.cancel)
            case Analysis(final=False) as analysis, Search() as search:
                search.report(analysis)
            case (Analysis() | dict()) as result, Search() as search:
                self._over()
                search.finish(result)
                self._freed()
            case Failed() as failed, Search() as search:
                self._over()
                search.fail(failed.error())
                self._freed()

    def _over(self) -> None:
        self.search = None
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _alarm_in(self, milliseconds: float, ring: Callable[[], None]) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._loop.call_later(milliseconds / 1000, ring)

    def _kill(self, why: str) -> None:
        self._killed_because = why
        self._process.kill()

    def _on_death(self, search: Search | None) -> None:
        why, self._killed_because = self._killed_because or self._process.end(), ""
        log.error("worker died", pid=self.pid, why=why)
        self._over()
        if search is not None:
            task = search.task
            search.fail(AgentFault(f"agent {task.agent!r} of {task.game} gave no move: {why}"))
        pause = 0.0
        if not self._ready:
            self._early_deaths += 1
            pause = min(LONGEST_PAUSE, 0.1 * 2**self._early_deaths)
        self._ready = False
        self._lost()
        self._loop.call_later(pause, self._replace)

    def _replace(self) -> None:
        if not self._closed:
            self._process = WorkerProcess(self._terms, self._on_message)
