"""What a person asks of matches."""

from typing import Literal

from pydantic import Field

from ludex.web.schemas.base import RequestBody, Seed

Emote = Literal["hello", "nice", "oops", "thanks"]
"""The signs that two people can give each other."""


LONGEST_POSITION = 16_384
"""Characters: the largest board of Minesweeper has half of them."""


class NewClock(RequestBody):
    """Time for the whole game, the same for each player."""

    seconds: int = Field(strict=True, ge=1, le=86_400)
    """The initial time of a player."""
    increment: int = Field(default=0, strict=True, ge=0, le=3_600)
    """Seconds that each of the player's moves gives back."""


class NewMatch(RequestBody):
    """A match to begin."""

    game: str = Field(max_length=64)
    preset: str | None = Field(default=None, max_length=256)
    """A preset with options, such as `expert:mines=80`; the game's default if None."""
    seats: list[str] = Field(min_length=1, max_length=2)
    """One per player: `you` (this person), `open` (for an invitation), or an agent such as `hard:depth=3`."""
    practice: bool = False
    """Dice and secrets stay, but moves may be taken back and forked while the match is live, and engine help is open to
    both people of a match. Practice is never rated."""
    movetime_ms: int | None = Field(default=None, ge=10, le=600_000)
    """The time limit of agents per move; their own limits if None."""
    clock: NewClock | None = None
    """A player out of time loses the match; refused in games for one player. None: no time control."""
    position: str | None = Field(default=None, min_length=1, max_length=LONGEST_POSITION)
    """The position that the match begins with, as the game's editor writes it; None: the game's first. Never rated."""
    seed: Seed | None = None
    """Of all randomness; drawn in secret if None. A caller who sets the seed knows it, so a game with dice or secrets
    allows it in practice only."""


class MoveRequest(RequestBody):
    """A move by text or by index, decided on the match as it was at `version`."""

    version: int = Field(ge=1)
    text: str | None = Field(default=None, min_length=1, max_length=64)
    action: int | None = Field(default=None, ge=0, lt=1 << 31)


class VersionRequest(RequestBody):
    """An undo, a resignation or an answer to a draw, decided on the match as it was at `version`."""

    version: int = Field(ge=1)


class EmoteRequest(RequestBody):
    """A sign to the other person of a match."""

    emote: Emote


class PaceRequest(RequestBody):
    """A pause, or the speed at which agents play each other."""

    paused: bool = Field(strict=True)
    ms: int | None = Field(default=None, strict=True, ge=0, le=10_000)
    """The shortest time between two moves; the server's if None."""


class TrialRequest(RequestBody):
    """A move to be judged, not played."""

    text: str = Field(min_length=1, max_length=64)


class ForkRequest(RequestBody):
    """A new match from a ply of this one."""

    ply: int = Field(ge=0)
    seats: list[str] = Field(min_length=1, max_length=2)


class AnalysisRequest(RequestBody):
    """A request for an agent's analysis of a ply."""

    agent: str | None = Field(default=None, max_length=256)
    """The game's analyst if None."""
    ply: int | None = Field(default=None, ge=0)
    """The last if None."""
    movetime_ms: int | None = Field(default=None, ge=10, le=60_000)
    about: str | None = Field(default=None, min_length=1, max_length=64)
    """A place of the board, as a move names it, that the game explains in place of the best move."""
    kind: Literal["hint", "analysis"] = "analysis"
    """What it is recorded as, where a player of a live match asks."""


class EditMatchRequest(RequestBody):
    """A position of a match to be edited."""

    ply: int | None = Field(default=None, ge=0)
    """The last if None."""


class EditChange(RequestBody):
    """A click on the board with a tool, or another value of a setting."""

    kind: Literal["put", "set"]
    name: str = Field(min_length=1, max_length=32)
    """Of the tool or the setting."""
    value: str = Field(max_length=64)
    """The place, or the setting's new value."""


class EditFile(RequestBody):
    """A file that was dropped on the board."""

    name: str = Field(max_length=256)
    data: str = Field(max_length=2 * LONGEST_POSITION)
    """Its bytes in base64."""


class EditRequest(RequestBody):
    """A position as text or from a file, and what is changed in it."""

    board: str | None = Field(default=None, max_length=256)
    """Where the text does not say; the game's default if None."""
    text: str = Field(default="", max_length=LONGEST_POSITION)
    """As the editor writes it, a line of moves or a match file; the first position of the board if empty."""
    file: EditFile | None = None
    """In place of the text."""
    changes: list[EditChange] = Field(default_factory=list, max_length=64)


class EditAnalysisRequest(RequestBody):
    """A request for an agent's analysis of an edited position."""

    board: str = Field(max_length=256)
    text: str = Field(min_length=1, max_length=LONGEST_POSITION)
    agent: str | None = Field(default=None, max_length=256)
    """The board's analyst if None."""
    movetime_ms: int | None = Field(default=None, ge=10, le=60_000)
    about: str | None = Field(default=None, min_length=1, max_length=64)
    """A place of the board, as a move names it, that the game explains in place of the best move."""


class JoinRequest(RequestBody):
    """Taking a seat."""

    invitation: str = Field(max_length=512)
