"""The worker processes, and the queue of searches."""

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial

from ludex.web.schemas.analyses import Analysis
from ludex.web.settings import Settings
from ludex.web.workers.queue import FairQueue, SearchTimes
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
        self._terms = Terms(settings.database, settings.report_ms / 1000, settings.search_ms, prepare, settings.preload)
        self._slots: list[WorkerSlot] = []
        self._waiting = FairQueue()
        self._impatient: set[Search] = set()
        """Of the waiting ones those that count against the length of the queue."""
        self._times = SearchTimes(settings.search_ms)
        self._most_per_address = settings.workers_per_address or max(1, settings.workers - 1)
        self._listeners: list[Callable[[], None]] = []
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
        self._waiting.drop_done()
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

    def listen(self, listener: Callable[[], None]) -> None:
        """Call a function whenever a search joins the queue or leaves it."""
        self._listeners.append(listener)

    def place(self, search: Search) -> int | None:
        """The place of a search in line, 1 for the next; None if it does not wait."""
        self._waiting.drop_done()
        order = self._waiting.order(self._held)
        return order.index(search) + 1 if search in order else None

    def begin(
        self,
        task: Task,
        person: str | None,
        on_report: Callable[[Analysis], None],
        on_start: Callable[[], None] | None = None,
        *,
        address: str | None = None,
        patient: bool = False,
    ) -> Search:
        """Search a task as soon as a worker is free. Raises `TooBusy`, unless it is patient and waits for any time.

        `on_start` is called when the agent begins, `on_report` with the best so far as it improves; what
        they raise is their own fault and reaches the log.
        """
        if self._closing:
            raise Abandoned("the server is closing")
        self._waiting.drop_done()
        if not patient:
            self._require_room(person, address)
        search = Search(task, person, on_report, on_start, address, self._times.expected(task))
        self._waiting.add(search)
        if not patient:
            self._impatient.add(search)
        self._serve()
        return search

    def _require_room(self, person: str | None, address: str | None) -> None:
        searches = [*self._held, *self._waiting]
        own = sum(search.person == person for search in searches)
        if person is not None and own >= self._settings.searches_per_person:
            raise TooBusy(f"you have {own} searches running or waiting already; stop one or wait", retry_after=2)
        near = sum(search.address == address for search in searches if search in self._impatient)
        if address is not None and near >= self._settings.searches_per_address:
            raise TooBusy(f"your address has {near} searches running or waiting already; wait", retry_after=5)
        waiting = sum(search in self._impatient for search in self._waiting)
        if waiting >= self._settings.searches_waiting and not any(slot.free for slot in self._slots):
            raise TooBusy(f"{waiting} searches wait for a worker already; try again", retry_after=5)

    def forget(self, game: str) -> None:
        """What the game's agents have learned was replaced: no search from now on uses the old values."""
        self._editions[game] += 1

    @property
    def _held(self) -> list[Search]:
        """The searches that run."""
        return [slot.search for slot in self._slots if slot.search is not None]

    def _serve(self) -> None:
        """Give searches to free workers, in the queue's order."""
        self._waiting.drop_done()
        self._waiting.reorder()
        for slot in self._slots:
            search = self._waiting.pop(self._held, self._most_per_address) if slot.free else None
            if search is not None:
                search.when_decided(partial(self._times.measured, search.task))
                slot.give(search, self._editions[search.task.game])
        self._impatient.intersection_update([*self._held, *self._waiting])
        for listener in self._listeners:
            listener()

    def _count_lost(self) -> None:
        self.replaced += 1
