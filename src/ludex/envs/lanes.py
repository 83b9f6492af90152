"""Lanes for Gymnasium: what the vector environments of every game share."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Generic, TypeAlias, TypeVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

Arrays = TypeVar("Arrays")
"""An observation of all lanes: one array, or arrays by name."""
LanesStep: TypeAlias = tuple[NDArray[Any], NDArray[np.bool_], NDArray[np.bool_]]
"""reward [N], terminated [N], truncated [N]"""


class LanesVectorEnv(VectorEnv[Arrays, NDArray[Any], NDArray[Any]], Generic[Arrays]):
    """Many games side by side; a lane that ends is reset in the same step, and `final_obs` holds its last observation.

    A game's environment says how its lanes begin, step and are observed, and what else `info` holds. Without `copy` the
    next step overwrites what the last one returned.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012
    render_mode = None

    def __init__(self, num_envs: int, single: gymnasium.Space[Any], num_actions: int, *, copy: bool = True) -> None:
        self.num_envs = num_envs
        self.single_observation_space = single
        self.single_action_space = spaces.Discrete(num_actions)
        self.observation_space = batch_space(single, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._copy = copy
        self._begun = False

    @abstractmethod
    def begin(self, seed: int | list[int] | None) -> None:
        """Begin the next episode in every lane; with a seed, that of its generators."""

    @abstractmethod
    def advance(self, actions: NDArray[np.int64]) -> LanesStep:
        """One step in every lane."""

    @abstractmethod
    def observe(self) -> Arrays:
        """What every lane shows now."""

    @abstractmethod
    def observe_final(self) -> Arrays:
        """The last observations of the episodes that the last step ended; other rows mean nothing."""

    @abstractmethod
    def action_masks(self) -> NDArray[np.bool_]:
        """bool[N, actions]: the legal actions."""

    def info(self) -> dict[str, Any]:
        """What `info` holds of every lane."""
        return {"action_mask": self.action_masks()}

    def step_info(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """What else `info` holds after a step that ended the episodes of `ended: bool[N]`."""
        return {}

    def reset(
        self, *, seed: int | list[Any] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Begin the next episode in every lane; a seed reseeds the generators."""
        seeds = list(seed) if isinstance(seed, (list, tuple)) else seed
        # Gymnasium refuses what is no seed: a number of NumPy's must not begin another game at every reset.
        super().reset(seed=None if isinstance(seeds, list) else seeds)
        self.begin(seeds)
        self._begun = True
        return self.copy_arrays(self.observe()), self.info()

    def step(self, actions: NDArray[Any]) -> tuple[Arrays, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        reward, terminated, truncated = self.advance(np.asarray(actions, np.int64))
        ended = terminated | truncated
        info = {**self.info(), **self.step_info(ended)}
        if ended.any():
            info |= {"final_obs": self.copy_arrays(self.observe_final()), "_final_obs": ended}
        obs = self.copy_arrays(self.observe())
        return obs, self.copy_arrays(reward), self.copy_arrays(terminated), self.copy_arrays(truncated), info

    def copy_arrays(self, arrays: Any) -> Any:
        """The arrays as they are returned: copies, unless the caller wants the lanes' own."""
        if not self._copy:
            return arrays
        if isinstance(arrays, Mapping):
            return {name: array.copy() for name, array in arrays.items()}
        return arrays.copy()
