"""What stands behind UGI's `go`: a limit as words, and words as a limit.

Player 1 is the one that moves first in the game. Bounds hold together: whichever is reached first ends the search.
"""

from collections.abc import Sequence
from typing import Any

from ludex.core.clock import Clock
from ludex.core.errors import UsageError
from ludex.core.game import Player
from ludex.core.limit import MOST_DIGITS, Limit

USAGE = "go [movetime MS] [depth D] [nodes N] [p1time MS p2time MS [p1inc MS] [p2inc MS]]"
BOARD = "board"
"""The option that names the board of a game with several."""
_BUDGETS = {"movetime": "time_ms", "depth": "depth", "nodes": "nodes"}
_TIMES = ("p1time", "p2time")
_INCREMENTS = ("p1inc", "p2inc")


class BadLine(UsageError):
    """A line that is no UGI command, or comes at the wrong time."""


def words_of(limit: Limit, mover: Player) -> list[str]:
    """A limit as words of `go`; empty if it has no bounds that UGI knows.

    >>> words_of(Limit(depth=3, clocks=(Clock(5000, 100), Clock(4000))), mover=1)
    ['depth', '3', 'p1time', '4000', 'p2time', '5000', 'p2inc', '100']
    """
    words = {key: getattr(limit, name) for key, name in _BUDGETS.items()}
    if limit.clocks:
        own, other = limit.clocks
        seats = (own, other) if mover == 0 else (other, own)
        words |= {key: int(clock.remaining_ms) for key, clock in zip(_TIMES, seats, strict=True)}
        words |= {key: int(clock.increment_ms) or None for key, clock in zip(_INCREMENTS, seats, strict=True)}
    return [word for key, value in words.items() if value is not None for word in (key, str(value))]


def limit_of(words: Sequence[str], mover: Player) -> Limit:
    """The limit that `go` names. Raises `BadLine` for anything unknown, incomplete or said twice."""
    values = _values(words)
    budgets: dict[str, Any] = {_BUDGETS[key]: value for key, value in values.items() if key in _BUDGETS}
    if not values.keys() - _BUDGETS.keys():
        return Limit(**budgets)
    for key in _TIMES:
        if key not in values:
            raise _refusal(f"no {key}")
    seats = [Clock(values[at], values.get(by, 0)) for at, by in zip(_TIMES, _INCREMENTS, strict=True)]
    return Limit(**budgets, clocks=(seats[mover], seats[1 - mover]))


def _values(words: Sequence[str]) -> dict[str, int]:
    if len(words) % 2:
        raise _refusal(repr(" ".join(words)))
    values: dict[str, int] = {}
    for key, value in zip(words[::2], words[1::2], strict=True):
        if key not in (*_BUDGETS, *_TIMES, *_INCREMENTS) or not value.isdecimal() or len(value) > MOST_DIGITS:
            raise _refusal(f"{key} {value}")
        if key in values:
            raise _refusal(f"{key} twice")
        values[key] = int(value)
        # A clock may have run out and an increment may be nothing, but there is no search without a budget.
        if key in _BUDGETS and not values[key]:
            raise _refusal(f"{key} {value}")
    return values


def _refusal(found: str) -> BadLine:
    return BadLine(f"expected: {USAGE}, found {found}")
