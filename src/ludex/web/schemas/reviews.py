"""Reviews of matches."""

from typing import Literal

from pydantic import Field

from ludex.web.schemas.base import Document, Request, Texts
from ludex.web.schemas.matches import MatchOutcome
from ludex.web.schemas.teaching import ShownPosition

MoveClass = Literal["brilliant", "best", "good", "inaccuracy", "mistake", "blunder"]


class ReviewReason(Document):
    """One sentence on why a move was better or worse."""

    id: str
    text: Texts
    cells: list[int]
    """The cells of the board that it is about."""


class ReviewedMove(Document):
    """One move, judged."""

    ply: int
    """How many plies came before it."""
    player: int
    text: str
    move_class: MoveClass = Field(alias="class")
    expected: float
    """The mover's win probability with the best move; a draw counts half."""
    kept: float
    """The same after the move, before any chance."""
    loss: float
    luck: float | None
    """What chance then gave the mover; None where it had no part."""
    forced: bool
    """Whether there was no choice."""
    best: str
    best_words: Texts | None = None
    """The best move as people read it; None where that is its notation, and before the review is finished."""
    line: list[str]
    """The best move and how play is expected to go on."""
    reply: list[str]
    """How play is expected to go on after the move."""
    reasons: list[ReviewReason]


class ReviewView(Document):
    """The review of a match, as far as it is."""

    match: str
    game: str
    preset: str
    analyst: str
    version: str
    """Of the analyst: another one makes another review."""
    outcome: MatchOutcome | None
    probabilities: list[float | None]
    """The first player's win probability in every position; None: not known yet."""
    moves: list[ReviewedMove]
    """Those that are judged so far, in their order."""
    accuracies: list[float | None]
    """By player, 0 to 100; None without a choice."""
    luck: list[float | None]
    """By player: the sum of what chance gave, in win probability; None in a game without chance."""
    luck_notes: list[Texts | None]
    """By player: what the dice gave in things that people count; None where the game says nothing."""
    key_moments: list[int]
    """The plies that decided most."""
    done: int
    total: int
    """Positions that are searched, and all of them."""
    complete: bool
    """Whether it is finished, with its reasons."""


class RetryRequest(Request):
    """Another move in a position of a finished match."""

    ply: int = Field(ge=0, lt=1 << 31)
    text: str = Field(min_length=1, max_length=64)


class RetryVerdict(Document):
    """What the analyst says of it."""

    ply: int
    text: str
    words: Texts | None
    """The move as people read it; None where that is its notation."""
    loss: float
    """What the move gives away of the win probability."""
    move_class: MoveClass = Field(alias="class")
    accepted: bool
    """Whether it is good enough."""


class ReviewPosition(Document):
    """A position of a finished match in which another move can be tried."""

    ply: int
    position: ShownPosition
