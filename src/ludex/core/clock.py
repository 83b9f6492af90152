"""Time for a whole game: what a player has left, and what each of its moves gives back."""

import re
from dataclasses import dataclass, replace
from typing import Self

from ludex.core.errors import BadOption

_SECONDS = r"([0-9]{1,6}(?:\.[0-9]{1,3})?)"
_TEXT = re.compile(rf"{_SECONDS}(?:\+{_SECONDS})?")


@dataclass(frozen=True, slots=True)
class Clock:
    """One player's time for the rest of a game."""

    remaining_ms: float
    increment_ms: float = 0
    """Added after each of the player's moves."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a command line's SECONDS[+INCREMENT].

        >>> Clock.parse("60+0.5")
        Clock(remaining_ms=60000, increment_ms=500)
        """
        parts = _TEXT.fullmatch(text)
        if parts is None:
            raise BadOption(f"--clock needs SECONDS or SECONDS+INCREMENT, such as 60 or 60+0.5, found {text!r}")
        remaining, increment = (round(1000 * float(seconds or 0)) for seconds in parts.groups())
        if not remaining:
            raise BadOption(f"--clock needs time to begin with, found {text!r}")
        return cls(remaining, increment)

    def charge(self, spent_ms: float) -> Self | None:
        """What is left after a move that took so long; None if there was not so much.

        >>> Clock(1000, 50).charge(300), Clock(1000, 50).charge(1001)
        (Clock(remaining_ms=750, increment_ms=50), None)
        """
        if spent_ms > self.remaining_ms:
            return None
        return replace(self, remaining_ms=self.remaining_ms - spent_ms + self.increment_ms)
