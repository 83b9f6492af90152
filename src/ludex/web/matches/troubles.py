"""Machines that failed to move: why, and when it is worth another try."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ludex.web.schemas import Problem

FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 60.0
MOST_KEPT: Final = 1000
"""Matches; the one that failed first is forgotten first, and its machine tries again."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a machine does not move."""

    problem: Problem
    pause: float
    """Seconds for which it rests."""
    again: float
    """When it is worth another try, on the monotonic clock."""


class Troubles:
    """The last failure of each match in which nothing was moved since.

    >>> now, troubles = [0.0], Troubles(monotonic=lambda: now[0])
    >>> troubles.add("m", Problem(code="agent_fault", message="what a day"))
    >>> troubles.rests("m"), troubles.problem("m").message
    (True, 'what a day')
    >>> now[0] = 1.0
    >>> troubles.rests("m")
    False
    """

    def __init__(self, most: int = MOST_KEPT, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._monotonic = monotonic
        self._held: OrderedDict[str, Trouble] = OrderedDict()

    def add(self, match_id: str, problem: Problem) -> None:
        """A machine has failed: each time in a row it rests for longer."""
        last = self._held.pop(match_id, None)
        pause = FIRST_PAUSE if last is None else min(LONGEST_PAUSE, 2 * last.pause)
        self._held[match_id] = Trouble(problem, pause, self._monotonic() + pause)
        if len(self._held) > self._most:
            self._held.popitem(last=False)

    def rests(self, match_id: str) -> bool:
        """Whether it is too early for another try."""
        trouble = self._held.get(match_id)
        return trouble is not None and self._monotonic() < trouble.again

    def problem(self, match_id: str) -> Problem | None:
        """Why the machine did not move when it last tried."""
        trouble = self._held.get(match_id)
        return None if trouble is None else trouble.problem

    def forget(self, match_id: str) -> None:
        """The machine has moved, or the match is gone."""
        self._held.pop(match_id, None)
