"""Compiling the kernels of one game in a process of its own."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Final

from ludex.core.errors import KernelsFailed, LudexError
from ludex.core.log import logger
from ludex.core.system import lower_priority
from ludex.kernels.warmup import GROUPS, KernelGroup

NICENESS: Final = 15
"""Searches, which are less nice, come first."""
LOWEST: Final = 19

log = logger("compiler")


@dataclass(frozen=True, slots=True)
class Progress:
    """How many kernels of a game are compiled."""

    done: int
    total: int
    kernel: str
    """The last one; empty before the first."""


class KernelCompiler:
    """A spawned process that compiles kernels of one game, and ends with this process."""

    def __init__(
        self,
        game: str,
        initializer: Callable[[], None] | None = None,
        groups: tuple[KernelGroup, ...] = GROUPS,
    ) -> None:
        """`initializer` is called first in the process, for instance to set up its log."""
        self.game = game
        # Spawn, never fork: forked threads of Numba hang.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._connection: Connection = ours
        self._process = context.Process(target=_compile, args=(theirs, game, initializer, groups), daemon=True)
        self._process.start()
        # Otherwise the pipe would not end when the process does.
        theirs.close()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def wait(self, on_progress: Callable[[Progress], None]) -> None:
        """Block until all kernels are compiled. Raises `KernelsFailed`."""
        failure = ""
        try:
            while True:
                message: Progress | str = self._connection.recv()
                if isinstance(message, str):
                    failure = message
                else:
                    on_progress(message)
        except (EOFError, OSError):
            self._process.join()
        finally:
            self._connection.close()
        code = self._process.exitcode
        if failure:
            raise KernelsFailed(f"the kernels of {self.game} cannot be compiled: {failure}")
        if code:
            end = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
            raise KernelsFailed(f"the kernels of {self.game} cannot be compiled: the process {end}")

    def kill(self) -> None:
        """End it now; `wait` raises."""
        self._process.kill()

    def lower_priority(self) -> None:
        """Have the other processes of the machine come first."""
        try:
            lower_priority(LOWEST, self.pid)
        except ProcessLookupError:
            log.info("it has ended already", game=self.game)


def _compile(
    connection: Connection, game: str, initializer: Callable[[], None] | None, groups: tuple[KernelGroup, ...]
) -> None:
    """The life of the process: it sends its progress, and at the end why it failed."""
    # Ctrl-C reaches the whole group of processes: the parent alone decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    lower_priority(NICENESS)
    threading.Thread(target=_end_with_parent, args=(connection,), daemon=True).start()
    try:
        if initializer is not None:
            initializer()
        _report(connection, game, groups)
    except LudexError as error:
        connection.send(error.message)
    except Exception as error:
        # Kernels of another package may fail in any way.
        log.exception("kernels failed", game=game)
        connection.send(f"{type(error).__name__}: {error}")


def _report(connection: Connection, game: str, groups: tuple[KernelGroup, ...]) -> None:
    """Compile, and send each kernel's name as it is done."""
    from ludex.kernels.warmup import kernel_names, prepare

    done, total = 0, sum(len(kernel_names(game, group)) for group in groups)
    connection.send(Progress(0, total, ""))

    def on_kernel(name: str) -> None:
        nonlocal done
        done += 1
        connection.send(Progress(done, total, name))

    for group in groups:
        prepare(game, group, on_kernel)


def _end_with_parent(connection: Connection) -> None:
    """Nothing is ever received: the pipe ends when the parent does."""
    try:
        connection.recv()
    except (EOFError, OSError):
        os._exit(0)
