"""The budget of one decision, and the flag that stops it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from ludex.core.clock import Clock
from ludex.core.decision import Decision

MOST_DIGITS: Final = 12
"""The longest number that a budget may be written with."""


def _flag() -> NDArray[np.uint8]:
    return np.zeros(1, np.uint8)


def _ignore(_: Decision) -> None:
    """The default `report`: ignores every decision."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A budget for one decision; whatever is None is unbounded.

    >>> Limit(time_ms=300, depth=6).stopped
    False
    """

    time_ms: int | None = None
    depth: int | None = None
    nodes: int | None = None
    simulations: int | None = None
    clocks: tuple[Clock, ...] = ()
    """Remaining time for the match: the mover's first, then the others'; empty without time control."""
    stop: NDArray[np.uint8] = field(default_factory=_flag)
    """uint8[1]. Kernels poll it, because a kernel has no clock."""
    report: Callable[[Decision], None] = _ignore
    """Called with the best decision so far, between depths."""

    @property
    def stopped(self) -> bool:
        return bool(self.stop[0])

    @property
    def reports(self) -> bool:
        """Whether the best decision so far is reported."""
        return self.report is not _ignore

    @property
    def clock(self) -> Clock | None:
        """The mover's own."""
        return self.clocks[0] if self.clocks else None

    @property
    def longest_ms(self) -> float | None:
        """When time is up: `time_ms`, or what the mover's clock has left if that is less."""
        if self.clock is None:
            return self.time_ms
        return self.clock.remaining_ms if self.time_ms is None else min(self.time_ms, self.clock.remaining_ms)

    def renew(self) -> Self:
        """The same budget for the next decision, with a flag of its own."""
        return replace(self, stop=_flag())

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Raise the stop flag when time is up."""
        longest = self.longest_ms
        if longest is None:
            yield
            return
        seconds = min(longest / 1000.0, threading.TIMEOUT_MAX)
        watchdog = threading.Timer(seconds, self.stop.__setitem__, (0, 1))
        watchdog.daemon = True
        watchdog.start()
        try:
            yield
        finally:
            watchdog.cancel()
