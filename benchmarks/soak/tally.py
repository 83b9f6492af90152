"""What visitors have seen: how long things took, what was finished, and everything that must not happen."""

import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from ludex.arena.statistics import percentile

KINDS = ("server_error", "refused_move", "lost_match", "fault", "logged", "server_died")
"""5xx; a legal move that was not taken; a match that stands still, or is not as it was left; anything else unexpected;
an error in the server's log; the server's end."""
MOST_QUOTED = 10
"""So many errors are quoted."""


class Trouble(Exception):
    """Something that must not happen."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Tally:
    """Shared by all visitors."""

    def __init__(self) -> None:
        self.finished: Counter[str] = Counter()
        self.moves: Counter[str] = Counter()
        self.requests = 0
        self.errors: Counter[str] = Counter()
        self.quoted: list[str] = []
        self._times: defaultdict[str, list[float]] = defaultdict(list)
        self._lock = threading.Lock()

    def trouble(self, kind: str, message: str) -> None:
        """Count an error."""
        assert kind in KINDS, kind
        with self._lock:
            self.errors[kind] += 1
            if len(self.quoted) < MOST_QUOTED:
                self.quoted.append(f"{kind}: {message[:300]}")

    @property
    def ended(self) -> int:
        """Matches that were finished, and those in which something went wrong."""
        return self.finished.total() + self.errors.total()

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """Keep how long something takes."""
        begin = perf_counter()
        yield
        with self._lock:
            self.requests += 1
            self._times[what].append(1000 * (perf_counter() - begin))

    def latencies(self) -> dict[str, Any]:
        """Milliseconds by what was asked for."""
        return {
            what: {"count": len(times), "p50_ms": percentile(times, 50), "p95_ms": percentile(times, 95)}
            for what, times in sorted(self._times.items())
        }
