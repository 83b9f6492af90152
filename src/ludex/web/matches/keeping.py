"""A change of a match: written, counted, told to all who watch."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ludex.core.errors import StaleMatch
from ludex.core.record import PERSON
from ludex.web.live import Hub
from ludex.web.matches.beginning import Beginning
from ludex.web.matches.charging import charged, lost_on_time
from ludex.web.matches.library import Library
from ludex.web.matches.moving import Change
from ludex.web.matches.table import Table
from ludex.web.matches.turns import Turns
from ludex.web.metrics import PERSON as COUNTED_PERSON
from ludex.web.metrics import Metrics

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Keeper:
    """The one way in which a match changes."""

    library: Library
    hub: Hub
    metrics: Metrics
    turns: Turns
    _listeners: list[Callable[[str, int], None]] = field(default_factory=list)

    async def begin(self, beginning: Beginning) -> Table:
        """Keep a match that begins."""
        table = await self.library.create(beginning)
        self.turns.follow(table, new=True)
        return table

    async def load(self, match_id: str) -> Table:
        """The match as it is now: whose time has run out has lost. Raises `UnknownMatch`."""
        table = await self.library.load(match_id)
        self.turns.follow(table)
        while self.turns.is_out_of_time(table):
            try:
                table = await self.keep(table, lost_on_time(table))
            except StaleMatch:
                # A move came in time, or another server has said so first.
                table = await self.library.load(match_id)
                self.turns.follow(table)
        return table

    async def work(self, function: Callable[..., T], *arguments: Any) -> T:
        return await self.library.work(function, *arguments)

    def listen(self, listener: Callable[[str, int], None]) -> None:
        """Have a function called with id and version after every change."""
        self._listeners.append(listener)

    async def keep(self, table: Table, change: Change, spent_ms: float | None = None) -> Table:
        """Write what has happened, count it and tell it. Raises `StaleMatch`, and then nothing has happened.

        Who was to move is charged for the turn, a machine for what it has `spent_ms`; who has not so much has lost.
        """
        change, timing = charged(table, change, self.turns.spent_ms(table) if spent_ms is None else spent_ms)
        kept = await self.library.change(table, change.match, timing)
        self.turns.follow(kept, new=True)
        self._count(table, change)
        self.announce(kept)
        return kept

    def forget(self, table: Table) -> None:
        """Tell everybody that the match is no more."""
        self.turns.forget(table.id)
        for listener in self._listeners:
            listener(table.id, table.version + 1)
        self.hub.removed(table.id)

    def announce(self, table: Table) -> None:
        """Tell everybody that the match has changed."""
        for listener in self._listeners:
            listener(table.id, table.version)
        self.hub.changed(table.id)

    def _count(self, table: Table, change: Change) -> None:
        game, match = table.spec.id, change.match
        for name in change.moved:
            self.metrics.move_played(game, COUNTED_PERSON if name == PERSON else name)
        for names in change.counted:
            self.metrics.counted(game, names)
        if match.over and table.live:
            agents = [COUNTED_PERSON if name == PERSON else name for name in table.agents]
            self.metrics.game_over(game, None if match.outcome is None else match.outcome.scores, agents)
