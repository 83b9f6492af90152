"""Budgets of what is under way together in the whole server: limits of single requests do not add up to one."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from ludex.core.errors import LudexError

MEBIBYTE: Final = 1 << 20


class RetryLater(LudexError):
    """A limit that lets a client try again after some seconds."""

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Overloaded(RetryLater):
    """As much of one kind of work is under way and waits as the server allows."""


class Reservation:
    """A share of a budget, until it is released; more than one release has no effect."""

    def __init__(self, budget: "Budget", size_bytes: int, owner: str | None) -> None:
        self._budget = budget
        self._loop = asyncio.get_running_loop()
        self.size_bytes = size_bytes
        self.owner = owner
        self.running = True
        """Whether it counts as work; what is left of finished work is memory."""
        self.active = True

    def finish(self) -> None:
        """The work is done: its place is free, its memory still counts."""
        self._budget.finish(self)

    def release(self) -> None:
        """The memory is free as well; any thread may call this."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._budget.release, self)


class Budget:
    """So much work of a kind at once, and so much memory; more of it waits in line, and then is refused.

    >>> async def crowd() -> list[str]:
    ...     budget, log = Budget("replays", most=1, most_bytes=100, most_waiting=1), []
    ...     async def work(name: str) -> None:
    ...         try:
    ...             async with budget.use(60):
    ...                 await asyncio.sleep(0)
    ...                 log.append(name)
    ...         except Overloaded:
    ...             log.append(f"{name} refused")
    ...     await asyncio.gather(*map(work, "abc"))
    ...     return log
    >>> asyncio.run(crowd())
    ['c refused', 'a', 'b']
    """

    def __init__(
        self,
        what: str,
        *,
        most: int,
        most_bytes: int,
        most_waiting: int,
        most_per_owner: int | None = None,
        retry_after: int = 5,
        make_room: Callable[[int], None] = lambda _: None,
    ) -> None:
        """`make_room` is called with the missing bytes and may release memory that is only kept for speed."""
        self._what = what
        self._most, self._most_bytes, self._most_waiting = most, most_bytes, most_waiting
        self._most_per_owner = most_per_owner
        self._retry_after = retry_after
        self.make_room = make_room
        self.running = 0
        self.used_bytes = 0
        self._per_owner: Counter[str] = Counter()
        self._line: list[tuple[Reservation, asyncio.Future[None]]] = []

    @property
    def waiting(self) -> int:
        return len(self._line)

    @asynccontextmanager
    async def use(self, size_bytes: int = 0, owner: str | None = None) -> AsyncIterator[Reservation]:
        """A share for the length of a block. Raises `Overloaded`."""
        reservation = await self.reserve(size_bytes, owner)
        try:
            yield reservation
        finally:
            self.release(reservation)

    async def reserve(self, size_bytes: int = 0, owner: str | None = None) -> Reservation:
        """A share, once there is room. Raises `Overloaded` if the line is full, or the owner has all that they may."""
        if self._most_per_owner is not None and owner is not None and self._per_owner[owner] >= self._most_per_owner:
            raise Overloaded(
                f"{self._what}: {self._most_per_owner} of yours at a time; wait until it has ended", self._retry_after
            )
        # What needs more than the whole budget has it alone.
        reservation = Reservation(self, min(size_bytes, self._most_bytes), owner)
        if not self._line and self._fits(reservation):
            self._take(reservation)
            return reservation
        if len(self._line) >= self._most_waiting:
            raise Overloaded(f"{self._what}: the server does as many at once as it can; try again", self._retry_after)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        place = (reservation, turn)
        self._line.append(place)
        self._count_owner(reservation, 1)
        try:
            await turn
        except asyncio.CancelledError:
            if place in self._line:
                self._line.remove(place)
                self._count_owner(reservation, -1)
                self._advance()
            elif not turn.cancelled():
                self.release(reservation)
            raise
        return reservation

    def finish(self, reservation: Reservation) -> None:
        if reservation.running and reservation.active:
            reservation.running = False
            self.running -= 1
            self._advance()

    def release(self, reservation: Reservation) -> None:
        if reservation.active:
            self.running -= reservation.running
            self.used_bytes -= reservation.size_bytes
            reservation.active = reservation.running = False
            self._count_owner(reservation, -1)
            self._advance()

    def _fits(self, reservation: Reservation) -> bool:
        missing = self.used_bytes + reservation.size_bytes - self._most_bytes
        if self.running < self._most and missing > 0:
            self.make_room(missing)
        return self.running < self._most and self.used_bytes + reservation.size_bytes <= self._most_bytes

    def _take(self, reservation: Reservation, *, counted: bool = False) -> None:
        self.running += 1
        self.used_bytes += reservation.size_bytes
        if not counted:
            self._count_owner(reservation, 1)

    def _advance(self) -> None:
        """Give shares to those in line whose turn it is."""
        while self._line:
            reservation, turn = self._line[0]
            if not turn.cancelled() and not self._fits(reservation):
                return
            del self._line[0]
            if turn.cancelled():
                # Its task has not heard of that yet.
                self._count_owner(reservation, -1)
                continue
            self._take(reservation, counted=True)
            turn.set_result(None)

    def _count_owner(self, reservation: Reservation, change: int) -> None:
        if reservation.owner is not None:
            self._per_owner[reservation.owner] += change
            if not self._per_owner[reservation.owner]:
                del self._per_owner[reservation.owner]


class Budgets:
    """The budgets of a server. Nothing that holds one of them waits for another that is above it here."""

    def __init__(self) -> None:
        self.replays = Budget("matches to open", most=16, most_bytes=96 * MEBIBYTE, most_waiting=128)
        """Of matches of up to `NEWEST` plies."""
        self.long_replays = Budget("long matches to open", most=2, most_bytes=64 * MEBIBYTE, most_waiting=32)
        self.answers = Budget("large answers", most=8, most_bytes=MEBIBYTE, most_waiting=64)
        """From writing one until it is read."""
        self.exports = Budget("exports", most=2, most_bytes=MEBIBYTE, most_waiting=8, most_per_owner=1, retry_after=10)
        """Of everything that a person has, each person one at a time."""
        self.pictures = Budget("comparisons", most=1, most_bytes=MEBIBYTE, most_waiting=8, most_per_owner=3)
        """Comparisons of runs, as documents and as pictures, and their owners by address."""
