"""A match at one version together with who sits at it."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ludex.core.clock import Clock
from ludex.core.game import AnyGame, Player
from ludex.core.match import Match
from ludex.core.record import PERSON
from ludex.core.registry import spec
from ludex.core.spec import GameSpec
from ludex.store.hosting import HostedMatch, Hosting
from ludex.store.matches import StoredMatch
from ludex.store.timing import Timing
from ludex.web.schemas import TournamentGame


@dataclass(frozen=True)
class Table:
    """A match as it is in the database, or a game of a kept tournament.

    Its `match` never changes: what goes on does so on a branch of it.
    """

    stored: StoredMatch
    hosting: Hosting | None
    """None for a match that was not begun on the web, and so belongs to nobody."""
    match: Match[Any, Any]
    timing: Timing | None = None
    """Its clocks; None where nobody counts."""
    game_of: TournamentGame | None = None
    """Which game of a tournament it is; None for a match of the database."""
    drawn: "dict[tuple[int, Player], Any]" = field(default_factory=dict, repr=False)
    """What was drawn already, by ply and player: drawing takes longer than finding it here."""

    @classmethod
    def of(cls, hosted: HostedMatch, match: Match[Any, Any]) -> "Table":
        return cls(hosted.stored, hosted.hosting, match, hosted.timing)

    @property
    def id(self) -> str:
        return self.stored.id

    @property
    def version(self) -> int:
        return self.stored.version

    @property
    def game(self) -> AnyGame:
        return self.match.game

    @cached_property
    def spec(self) -> GameSpec:
        return spec(self.game.info.id)

    @property
    def agents(self) -> tuple[str, ...]:
        return self.stored.record.agents

    @property
    def live(self) -> bool:
        return not self.match.over

    @property
    def practice(self) -> bool:
        return self.hosting is not None and self.hosting.practice

    @property
    def has_secrets(self) -> bool:
        """Whether the game has dice or hidden information."""
        return has_secrets(self.game)

    @property
    def machine(self) -> str | None:
        """The machine whose move it is, if it is one's and this house lets it play."""
        if self.hosting is None or not self.live:
            return None
        name = self.agents[self.match.to_move]
        return None if name == PERSON else name

    @property
    def without_people(self) -> bool:
        return PERSON not in self.agents

    def seats_of(self, person: str) -> list[Player]:
        """The seats a person holds."""
        if self.hosting is None:
            return []
        return [player for player, holder in self.hosting.seats.items() if holder == person]

    @property
    def open_seats(self) -> list[Player]:
        """The seats that an invitation can give."""
        if self.hosting is None:
            return []
        return [player for player, holder in self.hosting.seats.items() if holder is None]

    def clocks(self, ply: int | None = None) -> tuple[Clock, ...]:
        """What each player had left after so many plies, or when the last turn ended; nothing where nobody counts."""
        if self.timing is None:
            return ()
        match = self.match
        movers = [move.player for move in match.moves[:ply]]
        if len(movers) == match.ply < len(self.timing.left_ms):
            movers.append(self.game.to_move(match.state))
        return self.timing.clocks(movers, len(self.agents))

    def belongs_to(self, person: str) -> bool:
        """Whether a person began the match or sits at it."""
        return self.hosting is not None and (self.hosting.creator == person or bool(self.seats_of(person)))


def has_secrets(game: AnyGame) -> bool:
    """Whether a game has dice or hidden information."""
    return game.info.chance != "none" or game.info.information != "perfect"
