"""What is to be searched, and how a search may fail."""

from dataclasses import dataclass
from typing import ClassVar

from ludex.core.clock import Clock
from ludex.core.errors import LudexError


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
    """What is left for the rest of the game, to the mover first; empty if nobody counts."""

    @property
    def longest_ms(self) -> float | None:
        """When the agent's time is up; None if nothing bounds it."""
        bounds = [clock.remaining_ms for clock in self.clocks[:1]]
        return min(bounds if self.movetime_ms is None else [*bounds, self.movetime_ms], default=None)

    @property
    def board(self) -> tuple[str, str]:
        """What the game is made from."""
        return self.game, self.preset


class TooBusy(LudexError):
    """A limit on searches is reached; it can be asked for again in a while."""

    code: ClassVar[str] = "too_busy"

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds after which it is worth asking again."""


class Abandoned(LudexError):
    """The search is not needed any more, or the server is closing."""

    code = "abandoned"
