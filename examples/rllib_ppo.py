"""Train RLlib's PPO with action masks on any game of Ludex, and measure it against the opponent it learned from.

pip install -c constraints.txt '.[envs,train]'
python examples/rllib_ppo.py                                      # tic-tac-toe against `random`, three minutes
python examples/rllib_ppo.py --game quoridor --preset 5x5 --opponent easy --minutes 10 --workers 8
"""

import argparse
import math
import time
from typing import Any

import gymnasium
import numpy as np
import ray
import torch
from gymnasium import spaces
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule
from torch import nn

import ludex.envs
from ludex.arena.statistics import wilson95


class MaskInObservation(gymnasium.Wrapper[Any, Any, Any, Any]):
    """The legal actions beside the observation, where RLlib hands them to the network: both as float32 vectors."""

    def __init__(self, settings: dict[str, Any]) -> None:
        super().__init__(ludex.envs.gym(player="random", **settings))
        actions = self.env.action_space
        assert isinstance(actions, spaces.Discrete)
        seen = spaces.flatten_space(self.env.observation_space)
        self.observation_space = spaces.Dict({"seen": seen, "mask": spaces.Box(0.0, 1.0, (int(actions.n),))})

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        observation, info = self.env.reset(seed=seed, options=options)
        return self._masked(observation, info), info

    def step(self, action: Any) -> tuple[dict[str, Any], Any, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._masked(observation, info), reward, terminated, truncated, info

    def _masked(self, observation: Any, info: dict[str, Any]) -> dict[str, Any]:
        seen = spaces.flatten(self.env.observation_space, observation)
        return {"seen": seen, "mask": info["action_mask"].astype(np.float32)}


def perceptron(inputs: int, outputs: int) -> nn.Sequential:
    """Two hidden layers of 64."""
    return nn.Sequential(nn.Linear(inputs, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, outputs))


class MaskedPolicy(TorchRLModule, ValueFunctionAPI):  # type: ignore[misc] # RLlib's classes have no types
    """Two small networks over the flat observation: logits, of which illegal actions get none, and a value."""

    def setup(self) -> None:
        """Build the networks for the spaces of the environment."""
        inputs = self.observation_space["seen"].shape[0]
        self.policy = perceptron(inputs, int(self.action_space.n))
        self.value = perceptron(inputs, 1)

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        logits = self.policy(batch[Columns.OBS]["seen"])
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(batch[Columns.OBS]["mask"] == 0.0, -1e9)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        values: torch.Tensor = self.value(batch[Columns.OBS]["seen"]).squeeze(-1)
        return values


def share_won(algorithm: Algorithm, settings: dict[str, Any], games: int) -> str:
    """The share of games that the policy wins when it plays its most probable move, with its 95 % interval."""
    module, env, wins = algorithm.get_module(), MaskInObservation(settings), 0
    for seed in range(games):
        observation, _ = env.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            batch = {Columns.OBS: {name: torch.from_numpy(array)[None] for name, array in observation.items()}}
            action = module.forward_inference(batch)[Columns.ACTION_DIST_INPUTS].argmax()
            observation, reward, terminated, truncated, _ = env.step(int(action))
            over = terminated or truncated
        wins += reward > 0
    low, high = wilson95(wins / games, games)
    return f"won {wins / games:.1%} of {games} games ({low:.1%} to {high:.1%})"


def main() -> None:
    """Train and measure."""
    parser = argparse.ArgumentParser(description="Train RLlib's PPO on a game of Ludex.")
    parser.add_argument("--game", default="tictactoe")
    parser.add_argument("--preset", default=None)
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--steps", type=int, default=None, help="stop after so many steps, even before the time is up")
    parser.add_argument("--workers", type=int, default=0, help="processes of Ray that play; 0: this process plays")
    parser.add_argument("--rollout", type=int, default=4096, help="steps between two updates")
    parser.add_argument("--games", type=int, default=1000, help="games of each measurement")
    given = parser.parse_args()

    ray.init(num_cpus=given.workers + 1, include_dashboard=False)
    settings = {"game": given.game, "preset": given.preset, "opponent": given.opponent}
    algorithm = (
        PPOConfig()
        .environment(MaskInObservation, env_config=settings)
        .env_runners(num_env_runners=given.workers, num_envs_per_env_runner=16)
        .training(train_batch_size_per_learner=given.rollout, minibatch_size=min(given.rollout, 256), num_epochs=10)
        .training(lr=3e-4, gamma=0.99, lambda_=0.95, clip_param=0.2, entropy_coeff=0.0, use_kl_loss=False)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedPolicy))
        .debugging(seed=1)
        .build_algo()
    )
    print(f"untrained: {share_won(algorithm, settings, given.games)}")
    begin, steps = time.monotonic(), 0
    while steps < (given.steps or math.inf) and time.monotonic() - begin < 60 * given.minutes:
        steps = int(algorithm.train()["num_env_steps_sampled_lifetime"])
    print(f"trained for {steps} steps: {share_won(algorithm, settings, given.games)}")
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
