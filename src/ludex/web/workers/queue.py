"""Searches that wait for a worker, in a fair order."""

from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from ludex.web.schemas.analyses import Analysis
from ludex.web.workers.search import Search
from ludex.web.workers.task import Task

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
            self._order = self._sorted(running)
        return self._order

    def reorder(self) -> None:
        """Which searches run has changed."""
        self._order = None

    def drop_done(self) -> None:
        """An abandoned search leaves the queue."""
        if any(search.done for search in self._waiting):
            self._waiting = [search for search in self._waiting if not search.done]
            self._order = None

    def _sorted(self, running: Sequence[Search]) -> list[Search]:
        busy: Counter[tuple[str | None, ...]] = Counter(key for search in running for key in _keys(search))
        groups: dict[tuple[str | None], dict[tuple[str | None, str | None], list[Search]]] = {}
        for search in self._waiting:
            address, person = _keys(search)
            groups.setdefault(address, {}).setdefault(person, []).append(search)

        def turn(key: tuple[str | None, ...]) -> tuple[int, int]:
            return busy[key], self._turns[key]

        return _in_turns(
            [
                _in_turns([sorted(groups[address][person], key=_expected) for person in sorted(people, key=turn)])
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
        self._ms: OrderedDict[tuple[object, ...], float] = OrderedDict()

    def expected(self, task: Task) -> float:
        """Milliseconds; before the first search of a kind its limit."""
        limit = self._longest if task.longest_ms is None else min(self._longest, task.longest_ms)
        return min(limit, self._ms.get(_kind(task), limit))

    def measured(self, task: Task, analysis: Analysis) -> None:
        self._ms[_kind(task)] = analysis.ms
        self._ms.move_to_end(_kind(task))
        if len(self._ms) > MOST_KINDS:
            self._ms.popitem(last=False)


def _keys(search: Search) -> tuple[tuple[str | None], tuple[str | None, str | None]]:
    return (search.address,), (search.address, search.person)


def _expected(search: Search) -> float:
    return search.expected_ms


def _kind(task: Task) -> tuple[object, ...]:
    return (*task.board, task.agent, task.movetime_ms)


def _in_turns(columns: Sequence[Sequence[Search]]) -> list[Search]:
    """One of each in turn."""
    return [search for row in zip_longest(*columns) for search in row if search is not None]
