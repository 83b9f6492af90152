"""What agents have in common that choose on many boards at once."""

from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


class LaneTurn(NamedTuple):
    """The boards of N lanes, and room for what an agent chooses there."""

    numbers: NDArray[np.int8]
    """[N, H, W], -1 where a cell is hidden."""
    live: NDArray[np.bool_]
    """[N]: the lanes in which to choose."""
    states: NDArray[np.uint64]
    """[N]: the generators that `decide` would be given; they may be used up."""
    actions: NDArray[np.int64]
    """[N]: the index of a reveal or a flag, or `REST` to give up."""
    safety: NDArray[np.float64]
    """[N]: 1.0 for a reveal that is proven safe, else the probability that it is, NaN if the agent does not know."""


@runtime_checkable
class LaneAgent(Protocol):
    """An agent that chooses, lane by lane, what its `decide` would choose in that game."""

    def choose(self, turn: LaneTurn) -> None:
        """Fill `actions` and `safety` of the live lanes, and leave the other lanes alone."""
        ...
