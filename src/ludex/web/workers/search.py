"""One search, as its caller holds it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from ludex.core.errors import LudexError
from ludex.web.schemas.analyses import Analysis
from ludex.web.workers.task import Abandoned, Result, Task


class Search:
    """A search that waits for a worker or runs."""

    def __init__(
        self,
        task: Task,
        person: str | None,
        on_report: Callable[[Analysis], None] | None = None,
        on_start: Callable[[], None] | None = None,
        address: str | None = None,
        expected_ms: float = 0.0,
        on_decision: Callable[[Analysis], None] | None = None,
    ) -> None:
        self.task = task
        self.person = person
        self.address = address
        """The network of the person; None if it is not known."""
        self.expected_ms = expected_ms
        self.stopped = False
        self._on_report = on_report
        self._on_start = on_start
        self._on_decision = on_decision
        self._future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        # The caller may have gone away; asyncio would complain that the error was never retrieved.
        self._future.add_done_callback(lambda future: future.exception())
        self._stop: Callable[[], None] | None = None

    @property
    def done(self) -> bool:
        return self._future.done()

    def cancel(self) -> None:
        """Stop; the best so far becomes the result. One that still waits will answer as fast as it can."""
        if not self.stopped:
            self.stopped = True
            if self._stop is not None:
                self._stop()

    def abandon(self) -> None:
        """Stop, and have no result: `result` raises `Abandoned`."""
        self.fail(Abandoned("the search was abandoned"))
        self.cancel()

    async def result(self) -> Analysis:
        """The decision. Raises `AgentFault`, whatever the agent raised, or `Abandoned`."""
        analysis = await asyncio.shield(self._future)
        assert isinstance(analysis, Analysis)
        return analysis

    async def result_unless(self, gone: Callable[[], Awaitable[None]]) -> Analysis:
        """The decision, abandoned when the client is `gone`. Raises what `result` does."""
        left = asyncio.ensure_future(gone())
        left.add_done_callback(lambda _: self.abandon())
        try:
            return await self.result()
        finally:
            left.cancel()
            self.abandon()

    async def facts(self) -> dict[str, Any]:
        """What a task makes that is no decision, such as the facts of a finished match. Raises what `result` does."""
        facts = await asyncio.shield(self._future)
        assert isinstance(facts, dict)
        return facts

    def began(self, stop: Callable[[], None]) -> None:
        """A worker has it; `stop` stops it."""
        self._stop = stop
        if self.stopped:
            stop()

    def start(self) -> None:
        """The worker has loaded everything, and the agent begins."""
        if self._on_start is not None and not self.done:
            self._on_start()

    def report(self, analysis: Analysis) -> None:
        """Pass on the best so far."""
        if self._on_report is not None and not self.done:
            self._on_report(analysis)

    def finish(self, result: Result) -> None:
        if not self.done:
            self._future.set_result(result)
            if self._on_decision is not None and isinstance(result, Analysis):
                self._on_decision(result)

    def fail(self, error: LudexError) -> None:
        if not self.done:
            self._future.set_exception(error)
