"""Running many independent tasks: here, or in local processes. A cluster implements the same protocol elsewhere."""

import multiprocessing
import os
import queue
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Generic, Protocol, Self, TypeVar

from ludex.core.errors import WorkerLost

T = TypeVar("T")
R = TypeVar("R")

MOST_DEATHS = 5
"""A task under which so many workers died is not begun again: it may be what kills them."""


Prepare = Callable[[], None]
"""Called once in each process, for instance to set up its log."""
Alone = Callable[[T, Prepare | None], R]
"""Runs a task in a process of its own, so that the caller can name what killed the process."""


class Executor(Protocol):
    """Runs a module-level function over tasks that can be pickled."""

    def run(
        self, call: Callable[[T], R], tasks: Iterable[T], alone: Alone[T, R] | None = None
    ) -> Generator[tuple[int, R], None, None]:
        """Yield (index, result) as tasks finish. Closing the iterator early abandons the rest.

        A task whose worker died is done by `alone`, which is called in this process. Without it the task is begun
        again, and a task under which workers die again and again is an error.
        """
        ...


class InProcess:
    """One task after the other, in this process, which a task may end."""

    def run(
        self, call: Callable[[T], R], tasks: Iterable[T], alone: Alone[T, R] | None = None
    ) -> Generator[tuple[int, R], None, None]:
        for index, task in enumerate(tasks):
            yield index, call(task)


class LocalProcesses:
    """A pool of spawned processes. Ctrl-C reaches the parent alone, which then ends the pool; none outlives it.

    A worker that is killed costs time and nothing else: what was under way is begun again.
    """

    def __init__(self, workers: int, prepare: Prepare | None = None) -> None:
        if workers < 1:
            raise ValueError(f"workers must be at least 1, got {workers}")
        self.workers = workers
        self._prepare = prepare

    def run(
        self, call: Callable[[T], R], tasks: Iterable[T], alone: Alone[T, R] | None = None
    ) -> Generator[tuple[int, R], None, None]:
        others = set(multiprocessing.active_children())
        pool = self._pool()
        waiting: dict[Future[R], _Numbered[T]] = {}
        numbered = (_Numbered(index, task) for index, task in enumerate(tasks))
        again: list[_Numbered[T]] = []
        finished = False
        try:
            while True:
                broken = False
                # A few tasks ahead of the workers, so that a million tasks are not pickled at once.
                for entry in islice(chain(_take_all(again), numbered), 2 * self.workers - len(waiting)):
                    try:
                        waiting[pool.submit(call, entry.task)] = entry
                    except BrokenProcessPool:
                        again.insert(0, entry)
                        broken = True
                        break
                if not waiting and not broken:
                    break
                if not broken:
                    done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                    broken = any(isinstance(future.exception(), BrokenProcessPool) for future in done)
                if broken:
                    # It is unknown in which task the worker died: all that were under way are suspect, and lost.
                    suspects = sorted(waiting.values(), key=lambda entry: entry.index)
                    waiting.clear()
                    pool.shutdown(wait=True)
                    pool = self._pool()
                    if alone is None:
                        repeated = (entry.once_more() for entry in suspects)
                        again = sorted([*again, *repeated], key=lambda entry: entry.index)
                        continue
                    for entry in suspects:
                        yield entry.index, alone(entry.task, self._prepare)
                    continue
                for future in done:
                    yield waiting.pop(future).index, future.result()
            finished = True
        finally:
            if not finished:
                # The rest is not wanted: a task may be long, and a plain shutdown would wait for it.
                for worker in set(multiprocessing.active_children()) - others:
                    worker.terminate()
            pool.shutdown(wait=True, cancel_futures=True)

    def _pool(self) -> ProcessPoolExecutor:
        # Spawn, never fork: forked threads of Numba and of databases hang.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.workers, context, initializer=begin_worker, initargs=(self._prepare,))


class Feed(Generic[R]):
    """Results of tasks that an executor works on in a thread, taken as they are ready, until it is closed."""

    def __init__(self, executor: Executor, call: Callable[[T], R], tasks: Iterable[T], most: int) -> None:
        """The executor waits while `most` results are not taken."""
        self._ready: queue.Queue[tuple[int, R] | BaseException] = queue.Queue(most)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._work, args=(executor.run(call, tasks),), daemon=True)
        self._thread.start()

    def take(self, wait: bool, seconds: float | None = None) -> tuple[int, R] | None:
        """The number of a task and its result; None if none is ready, with `wait` not even after these seconds.

        Raises what a task has raised.
        """
        try:
            ready = self._ready.get(wait, seconds)
        except queue.Empty:
            return None
        if isinstance(ready, BaseException):
            raise ready
        return ready

    def close(self) -> None:
        """End the executor's work; results that were not taken are lost."""
        self._closed.set()
        while self._thread.is_alive():
            while not self._ready.empty():
                self._ready.get()
            self._thread.join(timeout=0.05)

    def _work(self, results: Generator[tuple[int, R], None, None]) -> None:
        try:
            for result in results:
                self._ready.put(result)
                if self._closed.is_set():
                    return
        except BaseException as error:
            self._ready.put(error)
        finally:
            results.close()


@dataclass(frozen=True, slots=True)
class _Numbered(Generic[T]):
    """A task that may be begun more than once."""

    index: int
    task: T
    deaths: int = 0
    """How often a worker died while it was under way."""

    def once_more(self) -> Self:
        if self.deaths + 1 == MOST_DEATHS:
            raise WorkerLost(f"a worker process died {MOST_DEATHS} times while this was under way: {self.task!r:.500}")
        return replace(self, deaths=self.deaths + 1)


def _take_all(items: list[T]) -> Iterator[T]:
    while items:
        yield items.pop(0)


def executor_for(workers: int, prepare: Prepare | None = None) -> Executor:
    """One worker needs no process of its own."""
    return InProcess() if workers == 1 else LocalProcesses(workers, prepare)


def begin_worker(prepare: Prepare | None) -> None:
    """In a spawned process, first of all: leave Ctrl-C to the parent, and do not outlive it."""
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
