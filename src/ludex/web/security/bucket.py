"""Token buckets: a burst at once, and a rate per minute."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

MOST_KEPT: Final = 10_000
"""Buckets; the one unused for longest is forgotten first."""


class Bucket:
    """A bucket that fills by itself.

    >>> now = [0.0]
    >>> bucket = Bucket(per_minute=60, burst=2, clock=lambda: now[0])
    >>> [bucket.take() for _ in range(3)]
    [0.0, 0.0, 1.0]
    >>> now[0] = 1.5
    >>> [bucket.take(), bucket.take()]
    [0.0, 0.5]
    >>> bucket.take(2)
    1.5
    """

    def __init__(self, per_minute: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_minute / 60
        self._burst = burst
        self._clock = clock
        self._level = float(burst)
        self._seen = clock()

    def take(self, tokens: int = 1) -> float:
        """Take tokens and return 0, or return the seconds until there are so many."""
        now = self._clock()
        self._level = min(self._burst, self._level + (now - self._seen) * self._per_second)
        self._seen = now
        if self._level >= tokens:
            self._level -= tokens
            return 0.0
        return (tokens - self._level) / self._per_second


class Buckets:
    """A bucket for each key."""

    def __init__(self, per_minute: float, burst: int) -> None:
        self._per_minute = per_minute
        self.burst = burst
        self._held: OrderedDict[Hashable, Bucket] = OrderedDict()

    def take(self, key: Hashable, tokens: int = 1) -> float:
        """As `Bucket.take`, from this key's bucket."""
        bucket = self._held.setdefault(key, Bucket(self._per_minute, self.burst))
        self._held.move_to_end(key)
        if len(self._held) > MOST_KEPT:
            self._held.popitem(last=False)
        return bucket.take(tokens)
