"""A worker as the server sees it: a process, a pipe, and flags in shared memory."""

import ctypes
import multiprocessing
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final

from ludex.web.workers.messages import Message
from ludex.web.workers.task import Task
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
