"""How long the turns of matches with clocks have lasted, and who is out of time.

A person's time runs from the last change of the match on, a machine's while it thinks. Within a server it is measured
by the monotonic clock; the time of day only tells when a turn began that another server has seen begin.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from ludex.core.clock import Clock
from ludex.web.matches.table import Table
from ludex.web.schemas import MatchClock


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn in which time runs; moments are seconds of the monotonic clock."""

    version: int
    began: float
    over: float
    """When its time has run out."""


class Turns:
    """The turns that this server knows of."""

    def __init__(
        self,
        grace_ms: int = 0,
        monotonic: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = _now,
    ) -> None:
        """A machine measures its own thinking, so it has `grace_ms` more until its answer is here."""
        self._grace = grace_ms / 1000
        self._monotonic = monotonic
        self._now = now
        self._turns: dict[str, Turn] = {}

    def follow(self, table: Table, *, new: bool = False) -> None:
        """Take note of a match as it is; of a `new` one, whose turn begins here and now."""
        known = self._turns.get(table.id)
        if known is not None and known.version >= table.version:
            return
        self._turns.pop(table.id, None)
        if _waits_for_a_person(table):
            self._begin(table, 0.0 if new else self._age(table), 0.0)

    def think(self, table: Table) -> None:
        """The machine to move begins to think."""
        known = self._turns.get(table.id)
        if table.timing is not None and (known is None or known.version <= table.version):
            self._begin(table, 0.0, self._grace)

    def stop(self, table: Table) -> None:
        """The machine to move has failed to: its time stands still until it thinks again."""
        if self._of(table) is not None:
            del self._turns[table.id]

    def forget(self, match_id: str) -> None:
        """No time runs there any more."""
        self._turns.pop(match_id, None)

    def spent_ms(self, table: Table) -> float:
        """How long the turn has lasted; nothing where no time runs."""
        turn = self._of(table)
        return 0.0 if turn is None else 1000 * (self._monotonic() - turn.began)

    def is_out_of_time(self, table: Table) -> bool:
        """Whether who is to move has lost the match on time."""
        turn = self._of(table)
        return turn is not None and self._monotonic() > turn.over

    def late(self) -> list[str]:
        """The matches that are over on time, unless a move was made elsewhere."""
        now = self._monotonic()
        return [match_id for match_id, turn in self._turns.items() if now > turn.over]

    def clocks(self, table: Table) -> tuple[Clock, ...]:
        """What each player has left at this moment."""
        clocks, turn = table.clocks(), self._of(table)
        if turn is None:
            return clocks
        spent, mover = self.spent_ms(table), table.match.to_move
        return tuple(
            replace(clock, remaining_ms=max(0.0, clock.remaining_ms - spent)) if player == mover else clock
            for player, clock in enumerate(clocks)
        )

    def shown(self, table: Table, ply: int | None) -> MatchClock | None:
        """The clocks at a ply, or as they are."""
        if table.timing is None:
            return None
        past = ply is not None and ply < table.match.ply
        begun_with = table.timing.clock
        return MatchClock(
            seconds=round(begun_with.remaining_ms / 1000),
            increment=round(begun_with.increment_ms / 1000),
            left_ms=[round(clock.remaining_ms) for clock in (table.clocks(ply) if past else self.clocks(table))],
            running=None if past or self._of(table) is None else table.match.to_move,
        )

    def _of(self, table: Table) -> Turn | None:
        turn = self._turns.get(table.id)
        return turn if turn is not None and turn.version == table.version and table.live else None

    def _begin(self, table: Table, age: float, grace: float) -> None:
        began = self._monotonic() - age
        left = table.clocks()[table.match.to_move].remaining_ms / 1000
        self._turns[table.id] = Turn(table.version, began, began + left + grace)

    def _age(self, table: Table) -> float:
        """Seconds since the last change of a match; servers may disagree a little on the time of day."""
        return max(0.0, (self._now() - datetime.fromisoformat(table.stored.updated_utc)).total_seconds())


def _waits_for_a_person(table: Table) -> bool:
    """Whether a person's time runs: not before all seats are taken."""
    return table.timing is not None and table.live and table.machine is None and not table.open_seats
