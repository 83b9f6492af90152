"""Times an agent and turns its failures into `AgentFault`.

Where faults are forgiven, every failure raises `AgentFault`: an exception, an illegal choice, a missing answer. The
entrant is then discarded and created again for the next match. `ludex.arena.crash_isolation` finds agents that end the
whole process.
"""

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ludex.arena.entrants import Entrant, make_entrant
from ludex.core.decision import Decision
from ludex.core.errors import AgentFault, AgentTimeout
from ludex.core.game import AnyGame, Json, Mask
from ludex.core.limit import Limit
from ludex.core.seeding import Rng
from ludex.core.services import Services

GRACE_SECONDS = 10.0
"""How long after its time an agent may still answer: longer than the grace of an engine behind a pipe."""
AGAIN_SECONDS = 1.0
"""An agent that catches the interruption is interrupted again."""


Witness = Callable[[Sequence[str] | None], None]
"""Called with the moves so far before an agent runs, and with None afterwards."""


class TimedAgent:
    """One agent of a task, for all its matches."""

    def __init__(self, game: AnyGame, reference: str, services: Services | None, *, forgiving: bool) -> None:
        self.name = reference
        self.witness: Witness = lambda moves: None
        self.transcript: list[Json] = []
        """What it asked and heard in this game, for its journal."""
        self.micros: list[int] = []
        """How long it took for each decision of this game, in microseconds."""
        self._game = game
        self._services = services
        self._forgiving = forgiving
        self._entrant: Entrant | None = None

    def begin(self) -> None:
        """Be ready for a new game. Raises `AgentFault` if an engine cannot be started."""
        if self._entrant is None:
            self.witness([])
            self._entrant = make_entrant(self._game, self.name, self._services)
            self.witness(None)

    def budget(self, common: Limit) -> Limit:
        return self._present.budget(common)

    def follow(self, moves: Sequence[str]) -> None:
        self.witness(moves)
        with self._guarded(None):
            self._present.follow(moves)

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        begin = time.perf_counter_ns()
        with self._guarded(limit.longest_ms):
            decision = self._present.decide(view, legal, rng=rng, limit=limit)
        self.micros.append(round((time.perf_counter_ns() - begin) / 1000))
        self.witness(None)
        return decision

    def discard(self) -> None:
        """Drop an entrant that failed."""
        self.close()
        self._entrant = None

    def collect(self) -> None:
        """Take what the agent has to write down."""
        if self._entrant is not None:
            self.transcript += self._entrant.take_transcript()

    def close(self) -> None:
        if self._entrant is not None:
            self._entrant.close()

    @property
    def _present(self) -> Entrant:
        assert self._entrant is not None, "used before `begin`"
        return self._entrant

    @contextmanager
    def _guarded(self, longest_ms: float | None) -> Iterator[None]:
        if not self._forgiving:
            yield
            return
        try:
            with _bounded(self.name, longest_ms):
                yield
        except AgentFault:
            raise
        except (Exception, SystemExit) as error:
            # Third-party code may raise anything.
            raise AgentFault(f"{self.name}: {type(error).__name__}: {error}") from error


@contextmanager
def _bounded(name: str, longest_ms: float | None) -> Iterator[None]:
    """Interrupt an agent that exceeds its time by far; outside the main thread, and on Windows, only report it."""
    if longest_ms is None:
        yield
        return
    seconds = longest_ms / 1000 + GRACE_SECONDS
    complaint = f"{name}: no answer within {seconds:g} seconds"

    def ring(*_: object) -> None:
        raise AgentTimeout(complaint)

    begin = time.monotonic()
    if sys.platform != "win32" and threading.current_thread() is threading.main_thread():
        before = signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_SECONDS)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    else:
        yield
    if time.monotonic() - begin > seconds:
        raise AgentTimeout(complaint)
