"""How long an agent thinks about a move."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from ludex.arena.statistics import percentile


@dataclass(frozen=True, slots=True)
class Thinking:
    """Milliseconds of wall time a decision; nothing of an agent that never moved."""

    mean: float
    p99: float
    """Ninety-nine decisions in a hundred took no longer."""
    longest: float

    @classmethod
    def of(cls, micros: Sequence[int]) -> Self:
        """Of decisions in microseconds.

        >>> Thinking.of([1000, 2000, 6000])
        Thinking(mean=3.0, p99=6.0, longest=6.0)
        """
        if not micros:
            return cls(0.0, 0.0, 0.0)
        return cls(sum(micros) / len(micros) / 1000, percentile(micros, 99) / 1000, max(micros) / 1000)
