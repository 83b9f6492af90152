"""The contract of an agent that can move on many boards at once."""

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.env.buffers import REST

__all__ = ["REST", "LaneAgent"]


@runtime_checkable
class LaneAgent(Protocol):
    """An agent that chooses, lane by lane, what its `decide` would choose in that game."""

    def choose(
        self,
        numbers: NDArray[np.int8],
        live: NDArray[np.bool_],
        states: NDArray[np.uint64],
        actions: NDArray[np.int64],
        safety: NDArray[np.float64],
    ) -> None:
        """Fill `actions` and `safety` of the live lanes, and leave the other lanes alone.

        `numbers: int8[N, H, W]` has -1 where a cell is hidden; `states: uint64[N]` holds the generator that `decide`
        would be given, and may be used up. An action is a reveal's or a flag's index, or `REST` to give up. `safety` is
        1.0 for a reveal that is proven safe, else the probability that it is, NaN if the agent does not know.
        """
        ...
