"""Who watches which match here, and what they are still to be told."""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from ludex.core.errors import LudexError
from ludex.core.log import logger
from ludex.web.errors import TooManySockets, problem_of
from ludex.web.metrics import Metrics
from ludex.web.schemas import Problem, Thought

log = logger("web.live")

MOST_FAULTS: Final = 16
"""Faults that wait for a slow client; older ones are dropped."""


@dataclass(eq=False)
class Watcher:
    """One client of a match. What it has not read yet is replaced by what is newer, so a slow one costs nothing."""

    match_id: str
    person: str
    version: int = 0
    """Of the match as it was last told."""
    state_due: bool = True
    """Whether the match must be told as it is."""
    gone: bool = False
    """Whether the match was deleted."""
    thought: Thought | None = None
    faults: deque[Problem] = field(default_factory=lambda: deque(maxlen=MOST_FAULTS))
    _woken: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        """There is something to tell."""
        self._woken.set()

    def complain(self, problem: Problem) -> None:
        """Tell this client alone what went wrong."""
        self.faults.append(problem)
        self.wake()

    async def news(self) -> None:
        """Wait until there is something to tell."""
        await self._woken.wait()
        self._woken.clear()


class Hub:
    """The watchers of this server. Another server's moves are found by looking up versions now and then."""

    def __init__(self, metrics: Metrics, poll_ms: int, most: int, most_per_person: int) -> None:
        self._metrics = metrics
        self._poll = poll_ms / 1000
        self._most = most
        self._most_per_person = most_per_person
        self._watchers: dict[str, set[Watcher]] = {}
        self._count = 0
        self._per_person: Counter[str] = Counter()

    @property
    def matches(self) -> set[str]:
        """The matches that somebody watches here."""
        return set(self._watchers)

    def watched(self, match_id: str) -> bool:
        return match_id in self._watchers

    def join(self, match_id: str, person: str) -> Watcher:
        """Another client of a match. Raises `TooManySockets`."""
        if self._count >= self._most or self._per_person[person] >= self._most_per_person:
            most = self._most if self._count >= self._most else self._most_per_person
            raise TooManySockets(f"{most} WebSockets are open already; close one")
        watcher = Watcher(match_id, person)
        watcher.wake()
        self._watchers.setdefault(match_id, set()).add(watcher)
        self._count += 1
        self._per_person[person] += 1
        self._metrics.websocket_clients.set(self._count)
        return watcher

    def leave(self, watcher: Watcher) -> None:
        watchers = self._watchers[watcher.match_id]
        watchers.remove(watcher)
        if not watchers:
            del self._watchers[watcher.match_id]
        self._count -= 1
        self._per_person -= Counter({watcher.person: 1})
        self._metrics.websocket_clients.set(self._count)

    def changed(self, match_id: str) -> None:
        """Tell a match's watchers how it is now: what they were told does not hold any more."""
        for watcher in self._watchers.get(match_id, ()):
            watcher.state_due, watcher.thought = True, None
            watcher.wake()

    def refresh(self) -> None:
        """Send every match to its watchers again: what could not be shown may be now."""
        for match_id in self.matches:
            self.changed(match_id)

    def thinks(self, match_id: str, thought: Thought, to: Callable[[str], bool]) -> None:
        """Tell the best so far to those persons who may know it."""
        for watcher in self._watchers.get(match_id, ()):
            if to(watcher.person):
                watcher.thought = thought
                watcher.wake()

    def fault(self, match_id: str, problem: Problem) -> None:
        """Tell all watchers of a match what went wrong."""
        for watcher in self._watchers.get(match_id, ()):
            watcher.complain(problem)

    def removed(self, match_id: str) -> None:
        """The match is no more."""
        for watcher in self._watchers.get(match_id, ()):
            watcher.gone = True
            watcher.wake()

    async def look_out(self, versions: Callable[[list[str]], Awaitable[dict[str, int]]]) -> None:
        """Look for changes by other servers, for ever."""
        failing = False
        while True:
            await asyncio.sleep(self._poll)
            asked = {match_id: [*watchers] for match_id, watchers in self._watchers.items()}
            try:
                self._compare(asked, await versions([*asked]) if asked else {})
                failing = False
            except LudexError as error:
                log.error("cannot look for changes", code=error.code, message=error.message)
                for match_id in () if failing else asked:
                    self.fault(match_id, problem_of(error))
                failing = True
            except Exception:
                # Nobody else would notice that the server has stopped looking.
                log.exception("cannot look for changes")

    def _compare(self, asked: dict[str, list[Watcher]], found: dict[str, int]) -> None:
        for match_id, watchers in asked.items():
            if match_id not in found:
                self.removed(match_id)
            elif any(watcher.version < found[match_id] for watcher in watchers):
                self.changed(match_id)
