"""Times as the database writes them, and the clocks of a match: the mover's remaining time after each ply."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Annotated, Self

from pydantic import Field

from ludex.core.clock import Clock
from ludex.core.game import Player


def utc_now() -> str:
    """Now, to the microsecond, in a form that sorts by time: `2026-01-31T12:00:00.000000Z`."""
    return format_utc(datetime.now(UTC))


def format_utc(time: datetime) -> str:
    """A time in UTC in that form."""
    return time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def ms_between(begun_utc: str, ended_utc: str) -> int:
    """Milliseconds from one such time to a later one.

    >>> ms_between("2026-01-31T12:00:00.000000Z", "2026-01-31T12:01:30.400000Z")
    90400
    """
    begin, ended = (datetime.fromisoformat(text) for text in (begun_utc, ended_utc))
    return max(0, round(1000 * (ended - begin).total_seconds()))


@dataclass(frozen=True, slots=True)
class Timing:
    """Time for the whole game, the same for each player."""

    clock: Clock
    """The initial time of a player."""
    left_ms: tuple[Annotated[int, Field(ge=0)], ...] = ()
    """The mover's remaining time after each ply, increment included. A match that ended without a move has one more
    value: the remaining time of the player to move."""

    def clocks(self, movers: Sequence[Player], players: int) -> tuple[Clock, ...]:
        """Each player's remaining time after the turns of these movers, from the first on.

        >>> [clock.remaining_ms for clock in Timing(Clock(1000), (900, 700, 300)).clocks((0, 1, 0), 2)]
        [300, 700]
        """
        left = dict(zip(movers, self.left_ms[: len(movers)], strict=True))
        return tuple(
            replace(self.clock, remaining_ms=left.get(player, self.clock.remaining_ms)) for player in range(players)
        )

    def after(self, *left_ms: float) -> Self:
        """The timing after further plies whose movers had so much time left."""
        return replace(self, left_ms=(*self.left_ms, *map(round, left_ms)))
