"""What is kept of the games of an evaluation."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Played:
    """G games in the order of their numbers, a row each."""

    won: NDArray[np.bool_]
    lost: NDArray[np.bool_]
    stopped: NDArray[np.bool_]
    """The agent gave up."""
    progress: NDArray[np.float64]
    """The share of the safe cells that was revealed at the end."""
    steps: NDArray[np.int64]
    invalid: NDArray[np.int64]
    """Steps that the mask forbade, and that changed nothing."""
    decisions: NDArray[np.int64]
    """How often the agent was asked: once more than it moved where it gave up."""
    guesses: NDArray[np.float64]
    """Reveals that were not proven safe; NaN where the agent did not say."""
    luck: NDArray[np.float64]
    """The product of the safeties of all reveals; NaN where the agent did not say."""
    rewards: NDArray[np.float64]
    """[G, 6]: the sums of the reward's components, in the order of `buffers.COMPONENTS`."""
    thought_seconds: NDArray[np.float64]
    """The agent's share of the wall time."""
    cpu_seconds: NDArray[np.float64]
    """The processor's time for agent and environment."""

    def __len__(self) -> int:
        return len(self.won)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The games of all parts, one part after the other."""

        def column(name: str) -> Any:
            return np.concatenate([getattr(part, name) for part in parts])

        return cls(**{field.name: column(field.name) for field in fields(cls)})
