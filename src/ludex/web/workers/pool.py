"""The worker processes, and the queue of searches."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable

from ludex.web.schemas import Thought
from ludex.web.settings import Settings
from ludex.web.workers.search import Search
from ludex.web.workers.slot import WorkerSlot
from ludex.web.workers.task import Abandoned, Task, TooBusy
from ludex.web.workers.worker import Terms

__all__ = ["Abandoned", "Search", "Task", "TooBusy", "WorkerPool"]


class WorkerPool:
    """A few workers and a queue before them. Belongs to the event loop that started it."""

    def __init__(self, settings: Settings, prepare: Callable[[], None] | None = None) -> None:
        """`prepare` is called first in each worker, for instance to set up its log."""
        self._settings = settings
        self._terms = Terms(settings.database, settings.report_ms / 1000, settings.thought_ms, prepare)
        self._slots: list[WorkerSlot] = []
        self._waiting: deque[Search] = deque()
        self._editions: Counter[str] = Counter()
        self._closing = False
        self.replaced = 0
        """How many workers have died or were killed."""

    @property
    def running(self) -> int:
        """Searches that run."""
        return sum(slot.search is not None for slot in self._slots)

    @property
    def waiting(self) -> int:
        """Searches without a worker."""
        self._forget_done()
        return len(self._waiting)

    @property
    def pids(self) -> list[int]:
        """The workers' processes."""
        return [slot.pid for slot in self._slots]

    async def start(self) -> None:
        """Start the workers; searches may be begun at once and wait until one is ready."""
        self._slots = [
            WorkerSlot(self._settings, self._terms, freed=self._serve, lost=self._count_lost)
            for _ in range(self._settings.workers)
        ]

    def abandon(self) -> None:
        """Abandon every search and begin no more: their results raise `Abandoned`."""
        self._closing = True
        for search in [*self._waiting, *(slot.search for slot in self._slots)]:
            if search is not None:
                search.abandon()

    async def close(self) -> None:
        """Abandon every search and end every worker."""
        self.abandon()
        slots, self._slots = self._slots, []
        await asyncio.gather(*(slot.close() for slot in slots))

    def begin(
        self,
        task: Task,
        person: str | None,
        on_report: Callable[[Thought], None],
        on_start: Callable[[], None] | None = None,
    ) -> Search:
        """Search a task as soon as a worker is free. Raises `TooBusy`.

        `on_start` is called when the agent begins, `on_report` with the best so far as it improves; what
        they raise is their own fault and reaches the log.
        """
        if self._closing:
            raise Abandoned("the server is closing")
        self._forget_done()
        held = [slot.search for slot in self._slots if slot.search is not None]
        if person is not None:
            own = sum(search.person == person for search in [*held, *self._waiting])
            if own >= self._settings.thinking_per_person:
                raise TooBusy(f"you have {own} searches running or waiting already; stop one or wait", retry_after=2)
        if len(self._waiting) >= self._settings.thinking_waiting and not any(slot.free for slot in self._slots):
            raise TooBusy(f"{len(self._waiting)} searches wait for a worker already; try again", retry_after=5)
        search = Search(task, person, on_report, on_start)
        self._waiting.append(search)
        self._serve()
        return search

    def forget(self, game: str) -> None:
        """What the game's agents have learned was replaced: no search from now on uses the old values."""
        self._editions[game] += 1

    def _serve(self) -> None:
        """Give searches to free workers, in the order in which they came."""
        self._forget_done()
        for slot in self._slots:
            if slot.free and self._waiting:
                search = self._waiting.popleft()
                slot.give(search, self._editions[search.task.game])

    def _forget_done(self) -> None:
        """An abandoned search leaves the queue."""
        self._waiting = deque(search for search in self._waiting if not search.done)

    def _count_lost(self) -> None:
        self.replaced += 1
