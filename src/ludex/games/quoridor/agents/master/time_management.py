"""How long to search for a move, so that neither the move nor the game is lost on time."""

from dataclasses import dataclass
from typing import Self

from ludex.core.clock import Clock
from ludex.core.limit import Limit

OVERHEAD_MS = 5
"""Reserved of every move for the work after the search."""
LEAST_MS = 1
EXPECTED_MOVES = 15
"""A clock is divided over this many moves: fewer than most games have, since few moves use up their share."""
RESERVE_MS = 2
"""Reserved for every move that the longest game may still have: a decision hardly takes less."""
INCREMENT_SHARE = 0.75
MOST_SHARE = 0.25
"""The largest share of a clock's remaining time for one move."""
ENOUGH_SHARE = 0.5
"""After this share of its time the next depth, longer than all before, would not be finished."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """Milliseconds for one decision."""

    most_ms: int
    """The search is stopped then."""
    enough_ms: float
    """No further depth is begun then."""

    @classmethod
    def of(cls, limit: Limit, moves_left: int) -> Self | None:
        """The time for a player with at most `moves_left` moves to come; None if the limit has no time.

        Saving time helps only under a clock: with a fixed time, all of it is used.
        """
        fixed = None if limit.time_ms is None else max(LEAST_MS, limit.time_ms - OVERHEAD_MS)
        if limit.clock is None:
            return None if fixed is None else cls(fixed, fixed)
        shared = _shared(limit.clock, moves_left)
        if fixed is None:
            return cls(shared, shared * ENOUGH_SHARE)
        most = min(fixed, shared)
        return cls(most, most)


def _shared(clock: Clock, moves_left: int) -> int:
    """One move's share of a clock.

    >>> _shared(Clock(60_000), 160), _shared(Clock(60_000, 1000), 160), _shared(Clock(10), 160)
    (3973, 4723, 1)
    """
    free = max(0.0, clock.remaining_ms - RESERVE_MS * moves_left)
    wanted = free / EXPECTED_MOVES + INCREMENT_SHARE * clock.increment_ms
    return max(LEAST_MS, int(min(wanted, MOST_SHARE * clock.remaining_ms)) - OVERHEAD_MS)
