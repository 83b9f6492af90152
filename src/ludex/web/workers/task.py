"""The task of a search, the messages of the worker that executes it, and its errors."""

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeAlias

from ludex.core.clock import Clock
from ludex.core.errors import AgentFault, LudexError
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
    clocks: tuple[Clock, ...] = ()
    """The remaining time of each player, the mover first; empty without time control."""
    public_seed: bool = False
    """Whether the agent only comments: it then draws from a stream that says nothing about the match's seed."""

    facts: bool = False
    """Whether no agent searches, but the facts of the finished match are computed."""
    review: ReviewPart | None = None
    """The part of a review that is computed, by the analyst of the game."""

    @classmethod
    def of(cls, match: "Match[Any, Any]", plies: int, agent: str, movetime_ms: int | None, **options: Any) -> Self:
        """The task of an agent after so many plies of a match."""
        info = match.game.info
        return cls(info.id, info.preset, match.seed, match.actions[:plies], agent, movetime_ms, **options)

    @property
    def longest_ms(self) -> float | None:
        """The time limit of the search; None if it has none."""
        bounds = [clock.remaining_ms for clock in self.clocks[:1]]
        return min(bounds if self.movetime_ms is None else [*bounds, self.movetime_ms], default=None)

    @property
    def board(self) -> tuple[str, str]:
        """The game and its preset."""
        return self.game, self.preset


class TooBusy(LudexError):
    """A limit on searches is reached; the request can be retried later."""

    code: ClassVar[str] = "too_busy"

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds until a retry."""


class Abandoned(LudexError):
    """The search is not needed any more, or the server is closing."""

    code = "abandoned"


@dataclass(frozen=True, slots=True)
class Ready:
    """It takes tasks."""


@dataclass(frozen=True, slots=True)
class Started:
    """Kernels are loaded and the match is replayed: the search begins now."""


@dataclass(frozen=True, slots=True)
class Reported:
    """The best so far."""

    analysis: Analysis


@dataclass(frozen=True, slots=True)
class Decided:
    """The decision."""

    analysis: Analysis


@dataclass(frozen=True, slots=True)
class Computed:
    """The facts of a finished match."""

    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Failed:
    """No decision came. The error is sent as a name and a message: other attributes may not be picklable."""

    module: str
    kind: str
    message: str

    @classmethod
    def of(cls, error: LudexError) -> Self:
        return cls(type(error).__module__, type(error).__qualname__, error.message)

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
        return error


Message: TypeAlias = Ready | Started | Reported | Decided | Computed | Failed
