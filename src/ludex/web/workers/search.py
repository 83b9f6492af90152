"""One search, as its caller holds it."""

import asyncio
from collections.abc import Callable
from typing import Any

from ludex.core.errors import LudexError
from ludex.web.schemas.analyses import Analysis
from ludex.web.workers.task import Abandoned, Task


class Search:
    """A search that waits for a worker or runs."""

    def __init__(
        self,
        task: Task,
        person: str | None,
        on_report: Callable[[Analysis], None],
        on_start: Callable[[], None] | None = None,
        address: str | None = None,
        expected_ms: float = 0.0,
    ) -> None:
        self.task = task
        self.person = person
        self.address = address
        """The network of the person; None if it is not known."""
        self.expected_ms = expected_ms
        self.stopped = False
        self._on_report = on_report
        self._on_start = on_start
        self._future: asyncio.Future[Analysis | dict[str, Any]] = asyncio.get_running_loop().create_future()
        # The caller may have gone away; asyncio would complain that the error was never retrieved.
        self._future.add_done_callback(lambda future: future.exception())
        self._stop: Callable[[], None] | None = None
        self._on_decision: Callable[[Analysis], None] | None = None

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

    async def facts(self) -> dict[str, Any]:
        """The facts of a finished match, where the task is to compute them. Raises what `result` does."""
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
        if not self.done:
            self._on_report(analysis)

    def when_decided(self, listener: Callable[[Analysis], None]) -> None:
        """Call a function with the decision."""
        self._on_decision = listener

    def finish(self, analysis: Analysis) -> None:
        if not self.done:
            self._future.set_result(analysis)
            if self._on_decision is not None:
                self._on_decision(analysis)

    def finish_with(self, facts: dict[str, Any]) -> None:
        if not self.done:
            self._future.set_result(facts)

    def fail(self, error: LudexError) -> None:
        if not self.done:
            self._future.set_exception(error)
