"""Facts of finished matches that take time to compute: workers compute them, once for all who look at the end."""

import asyncio
from collections import OrderedDict
from typing import Any, Final

from ludex.web.matches.model import MatchSnapshot
from ludex.web.security.address import AddressBook
from ludex.web.workers.pool import Task, WorkerPool

MOST_CACHED: Final = 1_000

Facts = dict[str, Any]


class MatchFacts:
    """Computes facts through the worker pool and remembers those of the last matches."""

    def __init__(self, pool: WorkerPool, addresses: AddressBook) -> None:
        self._pool = pool
        self._addresses = addresses
        self._cached: OrderedDict[tuple[str, int], Facts] = OrderedDict()
        self._computing: dict[tuple[str, int], asyncio.Task[Facts]] = {}

    async def of(self, snapshot: MatchSnapshot, person: str) -> Facts | None:
        """The facts; None if the match is live or its game has none. Raises `TooBusy` or `AgentFault`."""
        if snapshot.live or snapshot.spec.screen.facts is None:
            return None
        key = (snapshot.id, snapshot.version)
        if key in self._cached:
            self._cached.move_to_end(key)
            return self._cached[key]
        task = self._computing.get(key)
        if task is None:
            task = asyncio.create_task(self._computed(snapshot, person))
            self._computing[key] = task
            task.add_done_callback(lambda _: self._computing.pop(key))
        # A person who leaves does not stop what others wait for.
        return await asyncio.shield(task)

    async def _computed(self, snapshot: MatchSnapshot, person: str) -> Facts:
        task = Task.of(snapshot.match, snapshot.match.ply, "", None, facts=True)
        search = self._pool.begin(task, person, lambda _: None, address=self._addresses.of(person))
        facts = await search.facts()
        self._cached[snapshot.id, snapshot.version] = facts
        while len(self._cached) > MOST_CACHED:
            self._cached.popitem(last=False)
        return facts
