"""A move beside the best one, as the coach hands it to a game, which knows the reasons."""

from dataclasses import dataclass
from typing import Any

from ludex.core.game import Action, AnyGame, Player


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move that was played, and what the analyst would have played."""

    game: AnyGame
    before: Any
    """The position in which it was played."""
    after: Any
    """The position that followed."""
    player: Player
    action: Action
    best: Action
    """The analyst's move; the played one if that is as good."""
    line: tuple[Action, ...]
    """How play is expected to go on with the best move, which comes first."""
    reply: tuple[Action, ...]
    """How play is expected to go on after the played move, where that follows from the position."""
    expected: float
    """The mover's win probability with the best move."""
    kept: float
    """The same after the played move, before any chance."""

    @property
    def loss(self) -> float:
        """The win probability that the move gave away."""
        return max(0.0, self.expected - self.kept)
