"""A chair at the board: an entrant with a stopwatch beside it, and with somebody who keeps order.

Where faults are forgiven, whatever an agent does wrong ends in one kind of error, `AgentFault`: a crash of any sort, an
illegal choice, an answer that does not come. The entrant is then thrown out and made anew for the next game. Who ends
the whole process can only be told from outside: see `ludex.arena.crash_isolation`.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ludex.arena.entrants import Entrant, make_entrant
from ludex.core.decision import Decision
from ludex.core.errors import AgentFault, AgentTimeout
from ludex.core.game import AnyGame, Mask
from ludex.core.limit import Limit
from ludex.core.seeding import Rng
from ludex.core.services import Services

GRACE_SECONDS = 10.0
"""How long after its time an agent may still answer. Longer than engines behind pipes are given, who know their own."""
AGAIN_SECONDS = 1.0
"""An agent that catches the interruption is interrupted again."""


Witness = Callable[[Sequence[str] | None], None]
"""Told of the moves on the board before an agent is at work, and None when it is not any more."""


class Seat:
    """One agent of a task, for as many games as the task has."""

    def __init__(self, game: AnyGame, reference: str, services: Services | None, *, forgiving: bool) -> None:
        self.name = reference
        self.witness: Witness = lambda moves: None
        self.micros: list[int] = []
        """How long it thought about each decision of this game, in microseconds."""
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
        with self._kept_in_order(None):
            self._present.follow(moves)

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        begin = time.perf_counter_ns()
        with self._kept_in_order(limit.longest_ms):
            decision = self._present.decide(view, legal, rng=rng, limit=limit)
        self.micros.append(round((time.perf_counter_ns() - begin) / 1000))
        self.witness(None)
        return decision

    def throw_out(self) -> None:
        """Forget an entrant that was at fault."""
        self.close()
        self._entrant = None

    def close(self) -> None:
        if self._entrant is not None:
            self._entrant.close()

    @property
    def _present(self) -> Entrant:
        assert self._entrant is not None, "asked before the game began"
        return self._entrant

    @contextmanager
    def _kept_in_order(self, longest_ms: float | None) -> Iterator[None]:
        if not self._forgiving:
            yield
            return
        try:
            with _bounded(self.name, longest_ms):
                yield
        except AgentFault:
            raise
        except (Exception, SystemExit) as error:
            # Somebody else's code may fail in any way at all.
            raise AgentFault(f"{self.name}: {type(error).__name__}: {error}") from error


@contextmanager
def _bounded(name: str, longest_ms: float | None) -> Iterator[None]:
    """Interrupt an agent that outstays its time by far; outside the main thread, where nothing can, find it late."""
    if longest_ms is None:
        yield
        return
    seconds = longest_ms / 1000 + GRACE_SECONDS
    complaint = f"{name}: no answer within {seconds:g} seconds"

    def ring(*_: object) -> None:
        raise AgentTimeout(complaint)

    begin = time.monotonic()
    if threading.current_thread() is threading.main_thread():
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
