"""What sb3-contrib's MaskablePPO can consume, on an environment that costs nothing."""

from collections.abc import Callable
from typing import Any, Final

import gymnasium
import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import module

PACKAGES: Final = ("sb3-contrib", "stable-baselines3", "torch")
ROLLOUT: Final = 256
"""Steps of a rollout, which it then learns from."""
EPISODE: Final = 64


class Trivial(gymnasium.Env[NDArray[np.float32], np.int64]):
    """An environment that costs nothing: the sizes of Skirmish, and a mask that never changes."""

    def __init__(self, features: int, actions: int) -> None:
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (features,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(actions)
        self._seen = np.zeros(features, np.float32)
        self._mask: NDArray[np.bool_] = np.arange(actions) % 7 == 0
        self._steps = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        self._steps = 0
        return self._seen, {}

    def step(self, action: np.int64) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        self._steps += 1
        return self._seen, 0.0, self._steps == EPISODE, False, {}

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[actions], under the name that sb3-contrib expects."""
        return self._mask


def maskable_ppo(features: int, actions: int) -> Callable[[], int]:
    """Collecting and learning, with its default network and settings but for the shorter rollout."""
    maskable = module("sb3_contrib", "pip install 'ludex[train]'").MaskablePPO
    module("torch", "pip install 'ludex[train]'").set_num_threads(1)
    model = maskable("MlpPolicy", Trivial(features, actions), n_steps=ROLLOUT, device="cpu")

    def work() -> int:
        model.learn(ROLLOUT, reset_num_timesteps=False)
        return ROLLOUT

    return work
