"""The processes that think, and who may have one."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable

from ludex.web.schemas import Thought
from ludex.web.settings import Settings
from ludex.web.thinking.desk import Desk
from ludex.web.thinking.task import Abandoned, Task, TooBusy
from ludex.web.thinking.thinking import Thinking
from ludex.web.thinking.worker import Terms

__all__ = ["Abandoned", "Task", "Thinking", "ThinkingPool", "TooBusy"]


class ThinkingPool:
    """A few workers and a queue before them. Belongs to the event loop that started it."""

    def __init__(self, settings: Settings, prepare: Callable[[], None] | None = None) -> None:
        """`prepare` is called first in each worker, for instance to set up its log."""
        self._settings = settings
        self._terms = Terms(settings.database, settings.report_ms / 1000, settings.thought_ms, prepare)
        self._desks: list[Desk] = []
        self._waiting: deque[Thinking] = deque()
        self._editions: Counter[str] = Counter()
        self._closing = False
        self.replaced = 0
        """How many workers have died or were killed."""

    @property
    def running(self) -> int:
        """Thoughts at work."""
        return sum(desk.thinking is not None for desk in self._desks)

    @property
    def waiting(self) -> int:
        """Thoughts without a worker."""
        self._forget_done()
        return len(self._waiting)

    @property
    def pids(self) -> list[int]:
        """The workers' processes."""
        return [desk.pid for desk in self._desks]

    async def start(self) -> None:
        """Start the workers; thoughts may be begun at once and wait until one is ready."""
        self._desks = [
            Desk(self._settings, self._terms, freed=self._serve, lost=self._count_lost)
            for _ in range(self._settings.workers)
        ]

    def abandon(self) -> None:
        """Abandon every thought and begin no more: whoever waits for one is told so."""
        self._closing = True
        for thinking in [*self._waiting, *(desk.thinking for desk in self._desks)]:
            if thinking is not None:
                thinking.abandon()

    async def close(self) -> None:
        """Abandon every thought and end every worker."""
        self.abandon()
        desks, self._desks = self._desks, []
        await asyncio.gather(*(desk.close() for desk in desks))

    def begin(
        self,
        task: Task,
        person: str | None,
        on_report: Callable[[Thought], None],
        on_start: Callable[[], None] | None = None,
    ) -> Thinking:
        """Think about a task as soon as a worker is free. Raises `TooBusy`.

        `on_start` is called when the agent begins to think, `on_report` is told the best so far as it improves; what
        they raise is their own fault and reaches the log.
        """
        if self._closing:
            raise Abandoned("the server is closing")
        self._forget_done()
        held = [desk.thinking for desk in self._desks if desk.thinking is not None]
        if person is not None:
            own = sum(thinking.person == person for thinking in [*held, *self._waiting])
            if own >= self._settings.thinking_per_person:
                raise TooBusy(f"you have {own} thoughts running or waiting already; stop one or wait", retry_after=2)
        if len(self._waiting) >= self._settings.thinking_waiting and not any(desk.free for desk in self._desks):
            raise TooBusy(f"{len(self._waiting)} thoughts wait for a worker already; try again", retry_after=5)
        thinking = Thinking(task, person, on_report, on_start)
        self._waiting.append(thinking)
        self._serve()
        return thinking

    def forget(self, game: str) -> None:
        """What the game's agents have learned was replaced: no thought from now on is of the old values."""
        self._editions[game] += 1

    def _serve(self) -> None:
        """Give thoughts to whoever is free, in the order in which they came."""
        self._forget_done()
        for desk in self._desks:
            if desk.free and self._waiting:
                thinking = self._waiting.popleft()
                desk.give(thinking, self._editions[thinking.task.game])

    def _forget_done(self) -> None:
        """An abandoned thought leaves the queue."""
        self._waiting = deque(thinking for thinking in self._waiting if not thinking.done)

    def _count_lost(self) -> None:
        self.replaced += 1
