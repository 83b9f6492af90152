"""Train sb3-contrib's MaskablePPO on any game of Ludex, and measure it against the opponent it learned from.

pip install -c constraints.txt '.[train]'
python examples/sb3_maskable_ppo.py                               # tic-tac-toe against `random`, three minutes
python examples/sb3_maskable_ppo.py --game quoridor --preset 5x5 --opponent easy --minutes 10
"""

import argparse
import time
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import ludex.envs
from ludex.arena.statistics import wilson95
from ludex.envs.single import GameEnv


def share_won(model: Any, env: Any, games: int) -> str:
    """The share of games that the policy wins when it plays its most probable move, with its 95 % interval."""
    wins = 0
    for seed in range(games):
        observation, _ = env.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            action, _ = model.predict(observation, action_masks=env.action_masks(), deterministic=True)
            observation, reward, terminated, truncated, _ = env.step(int(np.asarray(action)))
            over = terminated or truncated
        wins += reward > 0
    low, high = wilson95(wins / games, games)
    return f"won {wins / games:.1%} of {games} games ({low:.1%} to {high:.1%})"


def main() -> None:
    """Train and measure."""
    parser = argparse.ArgumentParser(description="Train MaskablePPO on a game of Ludex.")
    parser.add_argument("--game", default="tictactoe")
    parser.add_argument("--preset", default=None)
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--steps", type=int, default=100_000_000, help="stop after so many, even before the time is up")
    parser.add_argument("--rollout", type=int, default=4096, help="steps between two updates")
    parser.add_argument("--games", type=int, default=1000, help="games of each measurement")
    given = parser.parse_args()

    def make() -> GameEnv:
        return ludex.envs.gym(given.game, preset=given.preset, opponent=given.opponent, player="random")

    lanes = 16
    model = MaskablePPO(
        "MultiInputPolicy",
        make_vec_env(make, lanes, seed=1),
        n_steps=max(1, given.rollout // lanes),
        batch_size=min(given.rollout, 256),
        seed=1,
        device="cpu",
    )
    print(f"untrained: {share_won(model, make(), given.games)}")
    end = time.monotonic() + 60 * given.minutes
    model.learn(given.steps, callback=lambda _locals, _globals: time.monotonic() < end)
    print(f"trained for {model.num_timesteps} steps: {share_won(model, make(), given.games)}")


if __name__ == "__main__":
    main()
