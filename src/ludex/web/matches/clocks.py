"""Time control: how long turns have lasted, what a turn costs, and which matches are lost on time.

A person's clock runs from the last change of the match, an agent's while it searches. Within a server time is measured
by the monotonic clock; the time of day counts only for a turn that began on another server.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from ludex.core.clock import Clock
from ludex.core.errors import LudexError, StoreError, UnknownMatch
from ludex.core.log import logger
from ludex.store.timing import Timing
from ludex.web.matches.model import Change, MatchSnapshot
from ludex.web.schemas.matches import MatchClock
from ludex.web.workers.preparation import GamePreparing

log = logger("web.clocks")

CHECK_SECONDS: Final = 0.1
"""Between two checks for expired turns."""
RETRY_SECONDS: Final = 5.0
"""Before a database that cannot be used is tried again."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn whose clock runs; times are seconds of the monotonic clock."""

    version: int
    began: float
    expires: float


class MatchClocks:
    """The turns whose clocks run on this server."""

    def __init__(
        self,
        grace_ms: int = 0,
        monotonic: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """An agent measures its own search, so its turn expires `grace_ms` later, when its answer must have come."""
        self._grace = grace_ms / 1000
        self._monotonic = monotonic
        self._now = now
        self._turns: dict[str, Turn] = {}

    def track(self, snapshot: MatchSnapshot, *, new: bool = False) -> None:
        """Run the clock of the player to move; the turn of a `new` snapshot begins now."""
        if snapshot.timing is None:
            return
        known = self._turns.get(snapshot.id)
        if known is not None and known.version >= snapshot.version:
            return
        self._turns.pop(snapshot.id, None)
        if _waits_for_a_person(snapshot):
            self._begin(snapshot, 0.0 if new else self._age(snapshot), 0.0)

    def start_engine(self, snapshot: MatchSnapshot) -> None:
        """The agent to move begins its search."""
        known = self._turns.get(snapshot.id)
        if snapshot.timing is not None and (known is None or known.version <= snapshot.version):
            self._begin(snapshot, 0.0, self._grace)

    def carry_over(self, snapshot: MatchSnapshot) -> None:
        """Let the turn go on in a new version of the match, whose position is the same."""
        turn = self._turns.get(snapshot.id)
        if turn is not None and turn.version < snapshot.version:
            self._turns[snapshot.id] = replace(turn, version=snapshot.version)

    def stop_engine(self, snapshot: MatchSnapshot) -> None:
        """The agent to move has failed: its clock stands still until it searches again."""
        if self._turn(snapshot) is not None:
            del self._turns[snapshot.id]

    def forget(self, match_id: str) -> None:
        """Stop the clocks of a match."""
        self._turns.pop(match_id, None)

    def spent_ms(self, snapshot: MatchSnapshot) -> float:
        """How long the turn has lasted; 0 where no clock runs."""
        turn = self._turn(snapshot)
        return 0.0 if turn is None else 1000 * (self._monotonic() - turn.began)

    def is_expired(self, snapshot: MatchSnapshot) -> bool:
        """Whether the player to move has lost on time."""
        turn = self._turn(snapshot)
        return turn is not None and self._monotonic() > turn.expires

    def expired_matches(self) -> list[str]:
        """The matches that are lost on time, unless another server has recorded a move."""
        now = self._monotonic()
        return [match_id for match_id, turn in self._turns.items() if now > turn.expires]

    def remaining(self, snapshot: MatchSnapshot) -> tuple[Clock, ...]:
        """The time each player has left now."""
        clocks, turn = snapshot.clocks(), self._turn(snapshot)
        if turn is None:
            return clocks
        spent, mover = self.spent_ms(snapshot), snapshot.to_move
        return tuple(
            replace(clock, remaining_ms=max(0.0, clock.remaining_ms - spent)) if player == mover else clock
            for player, clock in enumerate(clocks)
        )

    def view(self, snapshot: MatchSnapshot, ply: int | None) -> MatchClock | None:
        """The clocks after `ply` plies, or now; None without time control."""
        if snapshot.timing is None:
            return None
        past = ply is not None and ply < snapshot.match.ply
        initial = snapshot.timing.clock
        clocks = snapshot.clocks(ply) if past else self.remaining(snapshot)
        return MatchClock(
            seconds=round(initial.remaining_ms / 1000),
            increment=round(initial.increment_ms / 1000),
            left_ms=[round(clock.remaining_ms) for clock in clocks],
            running=None if past or self._turn(snapshot) is None else snapshot.to_move,
        )

    def _turn(self, snapshot: MatchSnapshot) -> Turn | None:
        turn = self._turns.get(snapshot.id)
        return turn if turn is not None and turn.version == snapshot.version and snapshot.live else None

    def _begin(self, snapshot: MatchSnapshot, age: float, grace: float) -> None:
        began = self._monotonic() - age
        left = snapshot.clocks()[snapshot.to_move].remaining_ms / 1000
        self._turns[snapshot.id] = Turn(snapshot.version, began, began + left + grace)

    def _age(self, snapshot: MatchSnapshot) -> float:
        """Seconds since the last change of a match; servers may disagree a little on the time of day."""
        return max(0.0, (self._now() - datetime.fromisoformat(snapshot.stored.updated_utc)).total_seconds())


def charge(snapshot: MatchSnapshot, change: Change, spent_ms: float) -> tuple[Change, Timing | None]:
    """The change and the clocks after a turn of `spent_ms`; a mover without so much time has lost instead."""
    timing = snapshot.timing
    if timing is None:
        return change, None
    clocks, mover = [*snapshot.clocks()], snapshot.to_move
    after = clocks[mover].charge(spent_ms)
    if after is None:
        return lost_on_time(snapshot), timing.after(0)
    played = change.match.moves[snapshot.match.ply :]
    if not played:
        # A resignation is no move and gets no increment.
        return change, timing.after(clocks[mover].remaining_ms - spent_ms)
    clocks[mover] = after
    return change, timing.after(*(clocks[move.player].remaining_ms for move in played))


def lost_on_time(snapshot: MatchSnapshot) -> Change:
    """The match as lost by the player to move."""
    match = snapshot.match.branch()
    match.lose_on_time()
    return Change(match)


async def watch_clocks(
    clocks: MatchClocks, load: Callable[[str], Awaitable[MatchSnapshot]], at_start: list[str]
) -> None:
    """End matches whose time has run out, forever; `load` ends a match that it finds expired.

    The matches `at_start` had running clocks when the server started: loading them tracks their turns.
    """
    unloaded = at_start
    while True:
        # A game that is still compiling cannot be loaded yet.
        unloaded = [match_id for match_id in unloaded if not await _check_clocks(clocks, load, match_id)]
        for match_id in clocks.expired_matches():
            await _check_clocks(clocks, load, match_id)
        await asyncio.sleep(CHECK_SECONDS)


async def _check_clocks(clocks: MatchClocks, load: Callable[[str], Awaitable[MatchSnapshot]], match_id: str) -> bool:
    """Whether a match was loaded, or cannot be; not so while its game is being prepared."""
    try:
        await load(match_id)
    except GamePreparing:
        return False
    except UnknownMatch:
        clocks.forget(match_id)
    except StoreError as error:
        log.error("cannot check the clock", match=match_id, code=error.code, message=error.message)
        await asyncio.sleep(RETRY_SECONDS)
    except LudexError as error:
        log.warning("cannot check the clock", match=match_id, code=error.code, message=error.message)
        clocks.forget(match_id)
    except Exception:
        # One faulty match must not stop the clocks of all others.
        log.exception("cannot check the clock", match=match_id)
        clocks.forget(match_id)
    return True


def _waits_for_a_person(snapshot: MatchSnapshot) -> bool:
    """Whether a person's clock runs: not before all seats are taken."""
    return snapshot.live and snapshot.engine_to_move is None and not snapshot.open_seats
