"""Subscriptions of clients to matches, and the updates that are still to be sent to each."""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from ludex.core.errors import LudexError, UnknownMatch
from ludex.core.log import logger
from ludex.web.errors import TooManySockets, problem_of
from ludex.web.metrics import Metrics
from ludex.web.schemas.analyses import Analysis
from ludex.web.schemas.base import Problem
from ludex.web.schemas.requests import Emote
from ludex.web.schemas.reviews import ReviewView
from ludex.web.settings import Settings

log = logger("web.live")

MOST_EMOTES: Final = 4
"""Signs that wait for a slow client; older ones are dropped."""
MOST_FAULTS: Final = 16
"""Faults that wait for a slow client; older ones are dropped."""


@dataclass(eq=False)
class Subscription:
    """One client of a match. A newer update replaces an unsent one, so a slow client costs no memory."""

    match_id: str
    person: str
    address: str
    """The network of the client."""
    version: int = 0
    """Of the match as it was last sent."""
    state_due: bool = True
    """Whether the state of the match must be sent."""
    gone: LudexError | None = None
    """Why the match is no more, if it was deleted."""
    analysis: Analysis | None = None
    review: ReviewView | None = None
    emotes: "deque[tuple[int, Emote]]" = field(default_factory=lambda: deque(maxlen=MOST_EMOTES))
    """Players and their signs."""
    faults: deque[Problem] = field(default_factory=lambda: deque(maxlen=MOST_FAULTS))
    _woken: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        """Signal that an update is to be sent."""
        self._woken.set()

    def add_fault(self, problem: Problem) -> None:
        """Send a problem to this client only."""
        self.faults.append(problem)
        self.wake()

    async def next_update(self) -> None:
        """Wait until an update is to be sent."""
        await self._woken.wait()
        self._woken.clear()


class SubscriptionHub:
    """The subscriptions of this server. It polls the database for changes by other servers."""

    def __init__(self, metrics: Metrics, settings: Settings) -> None:
        self._metrics = metrics
        self._poll = settings.poll_ms / 1000
        self._settings = settings
        self._subscriptions: dict[str, set[Subscription]] = {}
        self._reasons: dict[str, LudexError | None] = {}
        self._count = 0
        self._per_person: Counter[str] = Counter()
        self._per_address: Counter[str] = Counter()

    @property
    def matches(self) -> set[str]:
        """The matches with subscriptions on this server."""
        return set(self._subscriptions)

    def is_watched(self, match_id: str) -> bool:
        return match_id in self._subscriptions

    def join(self, match_id: str, person: str, address: str) -> Subscription:
        """Subscribe a client to a match. Raises `TooManySockets`."""
        for whose, open_now, most in (
            ("in all", self._count, self._settings.sockets),
            ("of yours", self._per_person[person], self._settings.sockets_per_person),
            ("of your address", self._per_address[address], self._settings.sockets_per_address),
        ):
            if open_now >= most:
                raise TooManySockets(f"{most} WebSockets {whose} are open already; close one")
        subscription = Subscription(match_id, person, address)
        subscription.wake()
        self._subscriptions.setdefault(match_id, set()).add(subscription)
        self._count += 1
        self._per_person[person] += 1
        self._per_address[address] += 1
        self._metrics.websocket_clients.set(self._count)
        return subscription

    def leave(self, subscription: Subscription) -> None:
        subscriptions = self._subscriptions[subscription.match_id]
        subscriptions.remove(subscription)
        if not subscriptions:
            del self._subscriptions[subscription.match_id]
        self._count -= 1
        self._per_person -= Counter({subscription.person: 1})
        self._per_address -= Counter({subscription.address: 1})
        self._metrics.websocket_clients.set(self._count)

    def announce_change(self, match_id: str) -> None:
        """Send the match's state to its subscriptions; an unsent analysis is dropped."""
        for subscription in self._wake(match_id):
            subscription.state_due, subscription.analysis = True, None

    def refresh(self) -> None:
        """Send every match to its subscriptions again: a game that was being prepared may be ready now."""
        for match_id in self.matches:
            self.announce_change(match_id)

    def _wake(self, match_id: str, to: Callable[[str], bool] = lambda _: True) -> Iterator[Subscription]:
        """The subscriptions of a match, or those of some people; each is sent what it is given meanwhile."""
        for subscription in self._subscriptions.get(match_id, ()):
            if to(subscription.person):
                yield subscription
                subscription.wake()

    def send_report(self, match_id: str, analysis: Analysis, to: Callable[[str], bool]) -> None:
        """Send the best move so far to the people who may see it."""
        for subscription in self._wake(match_id, to):
            subscription.analysis = analysis

    def send_review(self, match_id: str, review: ReviewView) -> None:
        """Send a review to all who look at the match; a newer one replaces an unsent one."""
        for subscription in self._wake(match_id):
            subscription.review = review

    def send_emote(self, match_id: str, player: int, emote: Emote, people: set[str]) -> None:
        """Send a player's sign to those people who look at the match."""
        for subscription in self._wake(match_id, people.__contains__):
            subscription.emotes.append((player, emote))

    def fault(self, match_id: str, problem: Problem) -> None:
        """Send a problem to all subscriptions of a match."""
        for subscription in self._wake(match_id):
            subscription.faults.append(problem)

    @contextmanager
    def explaining(self, match_id: str, reason: LudexError | None) -> Iterator[None]:
        """Announce a deletion meanwhile with this reason: the polling may find the match missing before its deleter."""
        self._reasons[match_id] = reason
        try:
            yield
        finally:
            self._reasons.pop(match_id, None)

    def announce_removal(self, match_id: str) -> None:
        """Announce to all subscriptions that the match was deleted, and why; the first reason stays."""
        reason = self._reasons.get(match_id) or UnknownMatch("the match was deleted")
        for subscription in self._wake(match_id):
            subscription.gone = subscription.gone or reason

    async def poll(self, versions: Callable[[list[str]], Awaitable[dict[str, int]]]) -> None:
        """Poll the database for changes by other servers, forever."""
        failing = False
        while True:
            await asyncio.sleep(self._poll)
            watched = {match_id: [*subscriptions] for match_id, subscriptions in self._subscriptions.items()}
            try:
                self._compare(watched, await versions([*watched]) if watched else {})
                failing = False
            except LudexError as error:
                log.error("cannot look for changes", code=error.code, message=error.message)
                for match_id in () if failing else watched:
                    self.fault(match_id, problem_of(error))
                failing = True
            except Exception:
                # Without this log an end of the polling would go unnoticed.
                log.exception("cannot look for changes")

    def _compare(self, watched: dict[str, list[Subscription]], found: dict[str, int]) -> None:
        for match_id, subscriptions in watched.items():
            if match_id not in found:
                self.announce_removal(match_id)
            elif any(subscription.version < found[match_id] for subscription in subscriptions):
                self.announce_change(match_id)
