"""The one way in which a match changes: charged, written, counted, announced."""

from collections.abc import Callable
from dataclasses import dataclass, field

from ludex.core.errors import LudexError, StaleMatch
from ludex.core.record import PERSON
from ludex.web.matches.cache import MatchCache
from ludex.web.matches.clocks import MatchClocks, charge, lost_on_time
from ludex.web.matches.model import Change, MatchDraft, MatchSnapshot
from ludex.web.metrics import PERSON as COUNTED_PERSON
from ludex.web.metrics import Metrics
from ludex.web.subscriptions import SubscriptionHub


@dataclass(frozen=True, slots=True)
class MatchWriter:
    """Writes changes of matches, and reads them with their clocks judged."""

    cache: MatchCache
    hub: SubscriptionHub
    metrics: Metrics
    clocks: MatchClocks
    _listeners: list[Callable[[str, int], None]] = field(default_factory=list)

    async def begin(self, draft: MatchDraft) -> MatchSnapshot:
        """Write a new match."""
        snapshot = await self.cache.create(draft)
        self.clocks.track(snapshot, new=True)
        return snapshot

    async def load(self, match_id: str) -> MatchSnapshot:
        """The match as the database has it; a player whose time has run out has lost. Raises `UnknownMatch`."""
        return await self._judge_clock(await self.cache.load(match_id))

    async def latest(self, match_id: str) -> MatchSnapshot:
        """The match as this server last saw it, without a query if it is cached. Raises `UnknownMatch`."""
        snapshot = self.cache.find_cached(match_id)
        return await self.load(match_id) if snapshot is None else await self._judge_clock(snapshot)

    def listen(self, listener: Callable[[str, int], None]) -> None:
        """Call a function with id and version after every change."""
        self._listeners.append(listener)

    async def apply(self, snapshot: MatchSnapshot, change: Change, spent_ms: float | None = None) -> MatchSnapshot:
        """Write a change, count it and announce it. Raises `StaleMatch`, and then nothing has changed.

        The player to move is charged for the turn: a person for its length, an agent for its search of `spent_ms`.
        """
        spent = self.clocks.spent_ms(snapshot) if spent_ms is None else spent_ms
        change, timing = charge(snapshot, change, spent)
        written = await self.cache.update(snapshot, change.match, timing)
        self.clocks.track(written, new=True)
        self._count(snapshot, change)
        self.announce(written)
        return written

    async def delete(self, snapshot: MatchSnapshot, reason: LudexError | None = None) -> None:
        """Delete the match, and announce it with the reason."""
        with self.hub.explaining(snapshot.id, reason):
            await self.cache.delete(snapshot)
            self.clocks.forget(snapshot.id)
            for listener in self._listeners:
                listener(snapshot.id, snapshot.version + 1)
            self.hub.announce_removal(snapshot.id)

    def announce(self, snapshot: MatchSnapshot) -> None:
        """Announce that the match has changed."""
        for listener in self._listeners:
            listener(snapshot.id, snapshot.version)
        self.hub.announce_change(snapshot.id)

    async def _judge_clock(self, snapshot: MatchSnapshot) -> MatchSnapshot:
        """The match, ended if its turn has expired."""
        self.clocks.track(snapshot)
        while self.clocks.is_expired(snapshot):
            try:
                snapshot = await self.apply(snapshot, lost_on_time(snapshot))
            except StaleMatch:
                # A move came in time, or another server has ended the match first.
                snapshot = await self.cache.load(snapshot.id)
                self.clocks.track(snapshot)
        return snapshot

    def _count(self, snapshot: MatchSnapshot, change: Change) -> None:
        game, match = snapshot.spec.id, change.match
        for name in change.movers:
            self.metrics.move_played(game, COUNTED_PERSON if name == PERSON else name)
        for counters in change.counters:
            self.metrics.count(game, counters)
        if match.over and snapshot.live:
            agents = [COUNTED_PERSON if name == PERSON else name for name in snapshot.agents]
            self.metrics.game_over(game, None if match.outcome is None else match.outcome.scores, agents)
