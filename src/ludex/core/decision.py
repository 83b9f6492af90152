"""A decision of an agent: the move, and the reasons for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludex.core.errors import DeclaredAbort
from ludex.core.game import Action, AnyGame, Json, Player
from ludex.core.messages import Message
from ludex.core.seeding import Rng


@dataclass(frozen=True, slots=True)
class Candidate:
    """One move the player considered."""

    action: Action
    score: float | None = None
    """In the player's own unit."""
    prob: float | None = None
    """The probability with which the player would choose it."""
    line: tuple[Action, ...] = ()
    """How play is expected to go on, this action first."""
    terms: Mapping[str, float] = field(default_factory=dict)
    """Named numbers behind or beside the score."""
    value: float | None = None
    """In the unit of `Decision.value`, where the player knows it of this move too."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A move and its reasons."""

    action: Action
    value: float | None = None
    """In -1..1 for the mover; in a one-player game the win probability."""
    candidates: tuple[Candidate, ...] = ()
    """Best first."""
    stats: Mapping[str, Json] = field(default_factory=dict)
    """Telemetry: nodes, depth, shortcuts that fired."""
    explanation: tuple[Message, ...] = ()
    """The reasons in sentences for people: the first says it all, the others are its steps."""
    overlay: Mapping[str, tuple[float | None, ...]] = field(default_factory=dict)
    """Heat maps by name, one number or None per cell of the board, row by row."""
    resigns: bool = False
    """The player gives up rather than play `action`, which must be legal all the same."""

    @property
    def note(self) -> str:
        """The first sentence of the explanation in English, for terminals and logs."""
        return self.explanation[0].text() if self.explanation else ""


def line_texts(game: AnyGame, state: Any, line: Sequence[Action]) -> list[str]:
    """A line's moves as texts, as far as they can be played; in a game with dice or secrets the first alone."""
    known = game.info.chance == "none" and game.info.information == "perfect"
    texts: list[str] = []
    for action in line if known else line[:1]:
        legal = game.legal(state)
        if not 0 <= action < len(legal) or not legal[action]:
            break
        texts.append(game.action_text(state, action))
        try:
            state = game.apply(state, action, Rng(0))
        except DeclaredAbort:
            break
    return texts


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
