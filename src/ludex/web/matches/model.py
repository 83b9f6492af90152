"""A match of the web app at one version, and what changes it."""

import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ludex.core.clock import Clock
from ludex.core.explanation import move_words
from ludex.core.game import AnyGame, Player
from ludex.core.match import INTERVAL, NEWEST, Match, Move
from ludex.core.record import PERSON
from ludex.core.registry import spec
from ludex.core.scene import Scene
from ludex.core.spec import GameSpec
from ludex.store.hosting import Hosting, Offer
from ludex.store.matches import StoredMatch
from ludex.store.timing import Timing
from ludex.web.recent import LazyValue, Recent
from ludex.web.schemas.matches import MatchView, PlayedMove, TournamentGame

DRAWINGS: Final = 8
"""Boards that a snapshot keeps: its newest position for each viewer, and a few that people look back at."""
DRAWING_FACTOR: Final = 8
"""A drawn board is about so many times as large as its position, and so is a view."""
VIEWS: Final = 4
"""Viewers whose view a snapshot keeps: the answer to a move is also what the mover's WebSocket sends."""
PLY_BYTES: Final = 600
"""What a ply takes beside its position: the move, its text, the objects around it, its part of the views."""
SPECTATOR: Final = ""
"""Stands for every person without a part in a match: they all see the same."""


@dataclass(frozen=True)
class MatchSnapshot:
    """A match as the database holds it, replayed, or a game of a saved tournament.

    A snapshot never changes: a move is played on a branch of its `match` and makes the next snapshot.
    """

    stored: StoredMatch
    hosting: Hosting | None
    """None for a match that was not begun on the web: it belongs to no user."""
    match: Match[Any, Any]
    timing: Timing | None = None
    """Its clocks; None without time control."""
    game_of: TournamentGame | None = None
    """The game of a tournament that it is; None for a match of the database."""
    earlier: "tuple[Sequence[Move], Sequence[str]]" = field(default=((), ()), repr=False)
    """The plies of the version before this one, and their texts."""
    drawings: "Recent[tuple[int, Player, bool], Any]" = field(default_factory=lambda: Recent(DRAWINGS), repr=False)
    """The last boards that were drawn, by ply, player and kind."""
    scenes: "dict[Player, tuple[Any, Scene]]" = field(default_factory=dict, repr=False)
    """By player, the newest position that was drawn and its scene: the next version needs it for the last move."""
    views: "Recent[str, tuple[object, MatchView]]" = field(
        default_factory=lambda: Recent(VIEWS), init=False, repr=False
    )
    """By person, the last view of the newest position, with the context it was made in."""

    def next_version(
        self, stored: StoredMatch, hosting: Hosting | None, match: Match[Any, Any], timing: Timing | None, **kept: Any
    ) -> "MatchSnapshot":
        """The match after a change, with the texts of its plies and what else is kept of its pictures."""
        return MatchSnapshot(stored, hosting, match, timing, earlier=(self.match.moves, self.move_texts), **kept)

    @LazyValue
    def size_bytes(self) -> int:
        """About how much memory the match takes: its positions, the boards drawn of it and the views."""
        position = len(pickle.dumps(self.match.state))
        return match_bytes(position, self.match.ply) + (position + PLY_BYTES) * (DRAWINGS + VIEWS) * DRAWING_FACTOR

    def cached_drawing(self, key: "tuple[int, Player, bool]", draw: Callable[[], Any]) -> Any:
        """A board, drawn unless it is among the last ones."""
        if key not in self.drawings:
            self.drawings[key] = draw()
        return self.drawings.use(key)

    def viewer(self, person: str) -> str:
        """The person, or `SPECTATOR` for one who has no part in the match."""
        return person if self.belongs_to(person) else SPECTATOR

    def view_of(self, viewer: str, context: object) -> MatchView | None:
        """A view of the newest position, if it was made in an equal context."""
        known = self.views.get(viewer)
        return known[1] if known is not None and known[0] == context else None

    @property
    def id(self) -> str:
        return self.stored.id

    @property
    def version(self) -> int:
        return self.stored.version

    @property
    def game(self) -> AnyGame:
        return self.match.game

    @property
    def board(self) -> tuple[str, str]:
        """The game and its preset with options: what the cost of its rules depends on."""
        return self.game.info.id, self.game.info.preset

    @LazyValue
    def spec(self) -> GameSpec:
        return spec(self.game.info.id)

    @property
    def agents(self) -> tuple[str, ...]:
        return self.stored.record.agents

    @LazyValue
    def live(self) -> bool:
        return not self.match.over

    @LazyValue
    def to_move(self) -> Player:
        """The player to move. Raises `GameOver`."""
        return self.match.to_move

    @property
    def practice(self) -> bool:
        return self.hosting is not None and self.hosting.practice

    @property
    def has_secrets(self) -> bool:
        """Whether the game has dice or hidden information."""
        return has_secrets(self.game)

    @LazyValue
    def move_texts(self) -> list[str]:
        """The JSON of every ply, as a player who may see them all sees it; written once for all versions."""
        match, (moves, texts) = self.match, self.earlier
        # Of a long match most positions would be played again.
        positions = None if self.spec.screen.describe_move is None else match.positions
        # The same actions lead to the same positions: they need not be put into words again.
        pairs = enumerate(zip(moves, match.moves, strict=False))
        same = next((ply for ply, (old, move) in pairs if old is not move), min(len(moves), match.ply))
        later = [
            PlayedMove(
                player=move.player,
                action=move.action,
                text=move.text,
                words=None if positions is None else move_words(self.game, positions[ply], move.action),
            ).model_dump_json()
            for ply, move in enumerate(match.moves[same:], same)
        ]
        return [*texts[:same], *later]

    @LazyValue
    def engine_to_move(self) -> str | None:
        """The agent whose move this server computes; None if a person is to move or the match is over."""
        if self.hosting is None or not self.live:
            return None
        name = self.agents[self.to_move]
        return None if name == PERSON else name

    @property
    def paused(self) -> bool:
        """Whether its agents wait until the match goes on."""
        return self.hosting is not None and self.hosting.paused

    @property
    def without_people(self) -> bool:
        return PERSON not in self.agents

    @property
    def between_people(self) -> bool:
        """Whether people play each other, each in a browser of their own; an open seat waits for another person."""
        return self.hosting is not None and len(set(self.hosting.seats.values())) > 1

    @property
    def offer(self) -> Offer | None:
        """The offer that still stands: every change of the match withdraws it."""
        offer = None if self.hosting is None else self.hosting.draw
        return offer if offer is not None and offer.version == self.version and self.live else None

    @property
    def draw_offer(self) -> Offer | None:
        """The offer of a draw."""
        return self.offer if self.offer is not None and self.offer.ply == self.match.ply else None

    @property
    def takeback_offer(self) -> Offer | None:
        """The offer to take moves back, those from its ply on."""
        return self.offer if self.offer is not None and self.offer.ply < self.match.ply else None

    @property
    def holders(self) -> set[str]:
        """The people who hold a seat."""
        return {holder for holder in self._seats_by_holder if holder is not None}

    def seats_of(self, person: str) -> tuple[Player, ...]:
        """The seats a person holds."""
        return self._seats_by_holder.get(person, ())

    @property
    def open_seats(self) -> tuple[Player, ...]:
        """The seats that an invitation can give."""
        return self._seats_by_holder.get(None, ())

    @LazyValue
    def _seats_by_holder(self) -> dict[str | None, tuple[Player, ...]]:
        """The seats of every person; those of None are open."""
        seats: dict[str | None, tuple[Player, ...]] = {}
        for player, holder in ({} if self.hosting is None else self.hosting.seats).items():
            seats[holder] = (*seats.get(holder, ()), player)
        return seats

    def clocks(self, ply: int | None = None) -> tuple[Clock, ...]:
        """The time each player had left after `ply` plies, or when the last turn ended; empty without time control."""
        if self.timing is None:
            return ()
        match = self.match
        movers = [move.player for move in match.moves[:ply]]
        if len(movers) == match.ply < len(self.timing.left_ms):
            movers.append(self.game.to_move(match.state))
        return self.timing.clocks(movers, len(self.agents))

    def belongs_to(self, person: str) -> bool:
        """Whether a person began the match or holds a seat."""
        return self.hosting is not None and (self.hosting.creator == person or bool(self.seats_of(person)))


@dataclass(frozen=True, slots=True)
class MatchDraft:
    """A match that is not in the database yet."""

    match: Match[Any, Any]
    agents: tuple[str, ...]
    hosting: Hosting
    timing: Timing | None = None


@dataclass
class Change:
    """The next state of a match, and what the metrics count of the moves that led there."""

    match: Match[Any, Any]
    movers: list[str] = field(default_factory=list)
    """The agent or person of each move."""
    counters: list[Mapping[str, int]] = field(default_factory=list)
    """What the game counts, one mapping per move."""


def has_secrets(game: AnyGame) -> bool:
    """Whether a game has dice or hidden information."""
    return game.info.chance != "none" or game.info.information != "perfect"


def match_bytes(position: int, plies: int) -> int:
    """About how much memory a replayed match takes whose positions take `position` bytes each."""
    return position * (min(plies, NEWEST + INTERVAL) + plies // INTERVAL + 1) + PLY_BYTES * plies
