"""Many games at once, for learning: lanes in preallocated arrays, each equal to the single game.

Lane i's generator is (seed, lane i, episode, ply, stream): the reset draws from ply 0, the n-th step of an episode from
ply n. `check_batch` plays the single game beside every lane with the same words and compares everything.
"""

from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.core.game import Observation

Info: TypeAlias = dict[str, Any]
"""Of every lane after the step: `mask` bool[N, num_actions], `player` int8[N], the one to move, `episode` int64[N].
After a step also `final_obs`: what the player who moved last sees where an episode ended; other rows mean nothing."""

Step: TypeAlias = tuple[Observation, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Info]
"""obs [N, ...], reward [N] of the player who moved, terminated [N], truncated [N], info"""


class BatchEnv(Protocol):
    """N lanes of one game. Arrays are reused: copy what must outlive the next step."""

    @property
    def num_lanes(self) -> int: ...

    @property
    def num_actions(self) -> int: ...

    @property
    def shaped(self) -> bool:
        """Whether rewards are more than the mover's score at the end and 0 before."""
        ...

    def reset(self, seed: int) -> tuple[Observation, Info]:
        """Begin episode 0 in every lane."""
        ...

    def step(self, actions: NDArray[np.int64]) -> Step:
        """One ply in every lane; a lane that ends begins its next episode in the same step.

        Raises `IllegalAction` naming the first lane with one, and no lane has moved.
        """
        ...
