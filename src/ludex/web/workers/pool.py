"""The worker processes, and the queue of searches."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import zip_longest
from operator import attrgetter
from typing import Final

from ludex.web.recent import Recent
from ludex.web.schemas.analyses import Analysis
from ludex.web.security.address import AddressBook
from ludex.web.settings import Settings
from ludex.web.workers.search import Search
from ludex.web.workers.slot import WorkerSlot
from ludex.web.workers.task import Abandoned, Task, TooBusy
from ludex.web.workers.worker import Terms

MOST_KINDS: Final = 1_000
"""Kinds of searches whose time is remembered."""


class FairQueue:
    """Addresses take turns, then the people of an address, and a person's shortest search comes first.

    People alone would be no measure: a request without a cookie is a new person.
    """

    def __init__(self) -> None:
        self._waiting: list[Search] = []
        self._turns: Counter[tuple[str | None, ...]] = Counter()
        """By address, and by address and person: when it was last served, or came."""
        self._served = 0
        self._order: list[Search] | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    def __iter__(self) -> Iterator[Search]:
        return iter(self._waiting)

    def add(self, search: Search) -> None:
        for key in _keys(search):
            # A person who comes back after a while has not saved up turns.
            if not any(key in _keys(other) for other in self._waiting):
                self._turns[key] = max(self._turns[key], self._served)
        self._waiting.append(search)
        self._order = None

    def pop(self, running: Sequence[Search], most_per_address: int) -> Search | None:
        """Take the next search whose address has fewer than so many running ones."""
        busy = Counter(search.address for search in running)
        for search in self.order(running):
            if search.address is None or busy[search.address] < most_per_address:
                self._waiting.remove(search)
                self._served += 1
                for key in _keys(search):
                    self._turns[key] = self._served
                self._order = None
                self._forget_idle(running)
                return search
        return None

    def order(self, running: Sequence[Search]) -> list[Search]:
        """The searches as they would be served now."""
        if self._order is None:
            self._order = self._sort(running)
        return self._order

    def reorder(self) -> None:
        """Which searches run has changed."""
        self._order = None

    def drop_done(self) -> None:
        """An abandoned search leaves the queue."""
        if any(search.done for search in self._waiting):
            self._waiting = [search for search in self._waiting if not search.done]
            self._order = None

    def _sort(self, running: Sequence[Search]) -> list[Search]:
        busy: Counter[tuple[str | None, ...]] = Counter(key for search in running for key in _keys(search))
        groups: dict[tuple[str | None], dict[tuple[str | None, str | None], list[Search]]] = {}
        for search in self._waiting:
            address, person = _keys(search)
            groups.setdefault(address, {}).setdefault(person, []).append(search)

        def turn(key: tuple[str | None, ...]) -> tuple[int, int]:
            return busy[key], self._turns[key]

        return _in_turns(
            [
                _in_turns(
                    [
                        sorted(groups[address][person], key=attrgetter("expected_ms"))
                        for person in sorted(people, key=turn)
                    ]
                )
                for address, people in sorted(groups.items(), key=lambda item: turn(item[0]))
            ]
        )

    def _forget_idle(self, running: Sequence[Search]) -> None:
        active = {key for search in (*running, *self._waiting) for key in _keys(search)}
        self._turns = Counter({key: turn for key, turn in self._turns.items() if key in active})


class SearchTimes:
    """How long searches of one kind took the last time."""

    def __init__(self, longest_ms: int) -> None:
        self._longest = longest_ms
        self._ms = Recent[tuple[object, ...], float](MOST_KINDS)

    def expected_ms(self, task: Task) -> float:
        """Milliseconds; before the first search of a kind its limit."""
        limit = self._longest if task.longest_ms is None else min(self._longest, task.longest_ms)
        return min(limit, self._ms.get(_kind(task), limit))

    def measured(self, task: Task, analysis: Analysis) -> None:
        self._ms[_kind(task)] = analysis.ms


def _keys(search: Search) -> tuple[tuple[str | None], tuple[str | None, str | None]]:
    return (search.address,), (search.address, search.person)


def _kind(task: Task) -> tuple[object, ...]:
    return task.game, task.preset, task.agent, task.movetime_ms


def _in_turns(columns: Sequence[Sequence[Search]]) -> list[Search]:
    """One of each in turn."""
    return [search for row in zip_longest(*columns) for search in row if search is not None]


class WorkerPool:
    """A few workers and a queue before them. Belongs to the event loop that started it."""

    def __init__(self, settings: Settings, prepare: Callable[[], None] | None = None) -> None:
        """`prepare` is called first in each worker, for instance to set up its log."""
        self._settings = settings
        self._terms = Terms(
            database=settings.database,
            report_seconds=settings.report_ms / 1000,
            search_ms=settings.search_ms,
            prepare=prepare,
            preload=settings.preload,
            memory_mb=settings.worker_memory_mb,
        )
        self.addresses = AddressBook()
        """Where people call from: addresses take turns."""
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
        return len(self._searches)

    @property
    def waiting(self) -> int:
        """Searches without a worker."""
        self._waiting.drop_done()
        return len(self._waiting)

    @property
    def has_free(self) -> bool:
        """Whether a worker could take a search now."""
        return any(slot.free for slot in self._slots)

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
        for search in [*self._waiting, *self._searches]:
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
        order = self._waiting.order(self._searches)
        return order.index(search) + 1 if search in order else None

    def begin(
        self,
        task: Task,
        person: str | None,
        on_report: Callable[[Analysis], None] | None = None,
        on_start: Callable[[], None] | None = None,
        *,
        caller: str | None = None,
        patient: bool = False,
    ) -> Search:
        """Search a task as soon as a worker is free. Raises `TooBusy`, unless it is patient and waits for any time.

        `on_start` is called when the agent begins, `on_report` with the best so far as it improves; what
        they raise is their own fault and reaches the log. A search without a person has the address of its `caller`.
        """
        if self._closing:
            raise Abandoned("the server is closing")
        self._waiting.drop_done()
        address = self.addresses.of(caller or person)
        if not patient:
            self._require_room(person, address)
        measure = partial(self._times.measured, task)
        search = Search(task, person, on_report, on_start, address, self._times.expected_ms(task), measure)
        self._waiting.add(search)
        if not patient:
            self._impatient.add(search)
        self._serve()
        return search

    def _require_room(self, person: str | None, address: str | None) -> None:
        searches = [*self._searches, *self._waiting]
        own = sum(search.person == person for search in searches)
        if person is not None and own >= self._settings.searches_per_person:
            raise TooBusy(f"you have {own} searches running or waiting already; stop one or wait", retry_after=2)
        near = sum(search.address == address for search in searches if search in self._impatient)
        if address is not None and near >= self._settings.searches_per_address:
            raise TooBusy(f"your address has {near} searches running or waiting already; wait", retry_after=5)
        waiting = sum(search in self._impatient for search in self._waiting)
        if waiting >= self._settings.searches_waiting and not self.has_free:
            raise TooBusy(f"{waiting} searches wait for a worker already; try again", retry_after=5)

    def forget(self, game: str) -> None:
        """What the game's agents have learned was replaced: no search from now on uses the old values."""
        self._editions[game] += 1

    @property
    def _searches(self) -> list[Search]:
        """The searches that run."""
        return [slot.search for slot in self._slots if slot.search is not None]

    def _serve(self) -> None:
        """Give searches to free workers, in the queue's order."""
        self._waiting.drop_done()
        self._waiting.reorder()
        for slot in self._slots:
            search = self._waiting.pop(self._searches, self._most_per_address) if slot.free else None
            if search is not None:
                slot.give(search, self._editions[search.task.game])
        self._impatient.intersection_update([*self._searches, *self._waiting])
        for listener in self._listeners:
            listener()

    def _count_lost(self) -> None:
        self.replaced += 1
