"""Reviews of matches."""

from pydantic import Field

from ludex.coach.accuracy import MoveClass
from ludex.coach.model import ReviewDocument
from ludex.web.schemas.base import Document, RequestBody, Texts
from ludex.web.teaching import ShownPosition


class ReviewView(ReviewDocument):
    """The review of a match so far."""

    match: str
    complete: bool
    """Whether it is finished, with its reasons."""


class RetryRequest(RequestBody):
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
