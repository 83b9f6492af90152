"""The documents of ghosts: positions of finished matches that friends play too."""

from pydantic import Field

from ludex.web.schemas.base import Document, Request, Texts
from ludex.web.schemas.teaching import ShownPosition


class GhostRequest(Request):
    """A ghost of the caller's finished match."""

    match: str = Field(max_length=64)
    ply: int = Field(default=0, ge=0)
    """The ply from which others play: 0 is the beginning, with the same seed."""


class GhostResult(Document):
    """How a match from the position went."""

    match: str | None
    """Its id; None while the caller could still learn from it."""
    nickname: str | None
    you: bool
    original: bool
    """Whether it is the match that the ghost comes from."""
    live: bool
    score: float | None
    """1 won, 0 drawn, -1 lost; None while it is live, and after an abort."""
    plies: int
    """Moves of both players from the position on."""
    seconds: int
    """From its beginning to its last move."""
    accuracy: float | None
    """Of the person's moves from the position on, 0 to 100; None where the match is not reviewed."""


class GhostView(Document):
    """A ghost, with the results of everybody who has played it."""

    id: str
    path: str
    """The address to give to a friend."""
    game: str
    names: Texts
    board: Texts
    ply: int
    opponent: Texts | None
    """The machine; None in a game for one."""
    position: ShownPosition
    results: list[GhostResult]
    """The original first."""
    yours: str | None
    """The caller's own match from here, live or finished; None before they have played."""


class GhostStart(Document):
    """The match that was begun."""

    match: str
