"""Running many independent tasks: here, or in local processes. A cluster implements the same protocol elsewhere."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from typing import Protocol, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Executor(Protocol):
    """Runs a module-level function over tasks that can be pickled."""

    def run(self, call: Callable[[T], R], tasks: Iterable[T]) -> Generator[tuple[int, R], None, None]:
        """Yield (index, result) as tasks finish. Closing the iterator early abandons the rest."""
        ...


class InProcess:
    """One task after the other, in this process."""

    def run(self, call: Callable[[T], R], tasks: Iterable[T]) -> Generator[tuple[int, R], None, None]:
        for index, task in enumerate(tasks):
            yield index, call(task)


class LocalProcesses:
    """A pool of spawned processes. Ctrl-C reaches the parent alone, which then ends the pool; none outlives it."""

    def __init__(self, workers: int, prepare: Callable[[], None] | None = None) -> None:
        """`prepare` is called once in each process, for instance to set up its log."""
        if workers < 1:
            raise ValueError(f"workers must be at least 1, got {workers}")
        self.workers = workers
        self._prepare = prepare

    def run(self, call: Callable[[T], R], tasks: Iterable[T]) -> Generator[tuple[int, R], None, None]:
        # Spawn, never fork: forked threads of Numba and of databases hang.
        others = set(multiprocessing.active_children())
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(self.workers, context, initializer=_begin, initargs=(self._prepare,))
        waiting: dict[Future[R], int] = {}
        numbered = enumerate(tasks)
        finished = False
        try:
            # A few tasks ahead of the workers, so that a million tasks are not pickled at once.
            for index, task in islice(numbered, 2 * self.workers):
                waiting[pool.submit(call, task)] = index
            while waiting:
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    index = waiting.pop(future)
                    for next_index, task in islice(numbered, 1):
                        waiting[pool.submit(call, task)] = next_index
                    yield index, future.result()
            finished = True
        finally:
            if not finished:
                # Nobody wants the rest: a task may be long, and shutting down alone would wait for it.
                for worker in set(multiprocessing.active_children()) - others:
                    worker.terminate()
            pool.shutdown(wait=True, cancel_futures=True)


def executor_for(workers: int, prepare: Callable[[], None] | None = None) -> Executor:
    """One worker needs no process of its own."""
    return InProcess() if workers == 1 else LocalProcesses(workers, prepare)


def _begin(prepare: Callable[[], None] | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if prepare is not None:
        prepare()


def _end_with_parent() -> None:
    """A parent that was killed cannot end its pool, and a worker would wait for its next task for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
