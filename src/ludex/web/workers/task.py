"""The task of a search, the messages of the worker that executes it, and its errors."""

import importlib
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

from ludex.core.clock import Clock
from ludex.core.errors import AgentFault, LudexError, Sentence
from ludex.core.game import Json
from ludex.web.budget import RetryLater
from ludex.web.schemas.analyses import Analysis

if TYPE_CHECKING:
    from ludex.core.match import Match


@dataclass(frozen=True, slots=True)
class ReviewPart:
    """One part of the review of a finished match."""

    kind: Literal["glance", "assess", "explain", "judge"]
    plies: tuple[int, ...] = ()
    """Of the positions to look at, or of the one in which a move is judged."""
    assessments: tuple[dict[str, Any], ...] = ()
    """Of all positions, to explain."""
    text: str = ""
    """The move to judge."""


@dataclass(frozen=True, slots=True)
class Task:
    """A position, by the match that led to it, and the agent that searches it."""

    game: str
    preset: str
    seed: int
    actions: tuple[int, ...]
    agent: str
    movetime_ms: int | None
    """None leaves the agent its own limits."""
    nodes: int | None = None
    """The size of the search, where every request is to get the same answer."""
    clocks: tuple[Clock, ...] = ()
    """The remaining time of each player, the mover first; empty without time control."""
    public_seed: bool = False
    """Whether the agent only comments: it then draws from a stream that says nothing about the match's seed."""
    addressed: bool = False
    """Whether the reasons are read by the player to move."""
    facts: bool = False
    """Whether no agent searches, but the facts of the finished match are computed."""
    review: ReviewPart | None = None
    """The part of a review that is computed, by the analyst of the game."""
    position: Json = None
    """The dump of the position that the match begins with; None: the game's first."""
    draft: str | None = None
    """The text of an edited position that the match begins with."""
    begins: bool = False
    """Whether no agent searches, but the board and the dump of the position that the match begins with are made."""
    about: str | None = None
    """The place of the board that is explained, without an agent's search."""

    @classmethod
    def of(cls, match: "Match[Any, Any]", plies: int, agent: str, movetime_ms: int | None, **options: Any) -> Self:
        """The task of an agent after so many plies of a match."""
        info = match.game.info
        options["position"] = match.position
        return cls(info.id, info.preset, match.seed, match.actions[:plies], agent, movetime_ms, **options)

    @property
    def longest_ms(self) -> float | None:
        """The time limit of the search; None if it has none."""
        bounds = [clock.remaining_ms for clock in self.clocks[:1]]
        return min(bounds if self.movetime_ms is None else [*bounds, self.movetime_ms], default=None)


class TooBusy(RetryLater):
    """A limit on searches is reached."""


class Abandoned(LudexError):
    """The search is not needed any more, or the server is closing."""


class Signal(Enum):
    """What a worker announces."""

    READY = "it takes tasks"
    STARTED = (
        "kernels are loaded and the match is replayed: the search, or that of a review's next position, begins now"
    )


@dataclass(frozen=True, slots=True)
class Failed:
    """No decision came. The error is sent as a name and a message: other attributes may not be picklable."""

    module: str
    kind: str
    message: str
    explanation: Sentence | None = None

    @classmethod
    def of(cls, error: LudexError) -> Self:
        return cls(type(error).__module__, type(error).__qualname__, error.message, error.explanation)

    def error(self) -> LudexError:
        """The same error on this side."""
        try:
            kind = getattr(importlib.import_module(self.module), self.kind, None)
        except ImportError:
            kind = None
        if not isinstance(kind, type) or not issubclass(kind, LudexError):
            # A class that only the worker can see.
            return AgentFault(f"{self.kind}: {self.message}")
        error = kind.__new__(kind)
        # Without its own constructor, whose arguments were not sent.
        Exception.__init__(error, self.message)
        error.explanation = self.explanation
        return error


Result: TypeAlias = Analysis | dict[str, Any]
"""A decision, the facts of a finished match, or the first position of an edited one."""
Message: TypeAlias = Signal | Result | Failed
"""An analysis that is not final is the best so far."""
