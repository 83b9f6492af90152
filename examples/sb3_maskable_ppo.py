"""Train sb3-contrib's MaskablePPO on any game of Ludex, and measure it against the opponent it learned from.

pip install -c constraints.txt '.[train]'
python examples/sb3_maskable_ppo.py                               # tic-tac-toe against `random`, a minute
python examples/sb3_maskable_ppo.py --game quoridor --preset 5x5 --opponent easy --steps 200000
"""

import argparse
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO

import ludex.envs


def won(model: Any, env: Any, games: int) -> float:
    """The share of games that the policy wins when it plays its most probable move."""
    wins = 0
    for seed in range(games):
        observation, _ = env.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            action, _ = model.predict(observation, action_masks=env.action_masks(), deterministic=True)
            observation, reward, terminated, truncated, _ = env.step(int(np.asarray(action)))
            over = terminated or truncated
        wins += reward > 0
    return wins / games


def main() -> None:
    """Train and measure."""
    parser = argparse.ArgumentParser(description="Train MaskablePPO on a game of Ludex.")
    parser.add_argument("--game", default="tictactoe")
    parser.add_argument("--preset", default=None)
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--steps", type=int, default=50_000)
    parser.add_argument("--rollout", type=int, default=1024, help="steps between two updates")
    parser.add_argument("--games", type=int, default=200, help="games of each measurement")
    given = parser.parse_args()

    env = ludex.envs.gym(given.game, preset=given.preset, opponent=given.opponent, player="random", seed=1)
    batch = min(given.rollout, 64)
    model = MaskablePPO("MultiInputPolicy", env, n_steps=given.rollout, batch_size=batch, seed=1, device="cpu")
    print(f"untrained: won {won(model, env, given.games):.0%} of {given.games} games")
    model.learn(given.steps)
    print(f"trained for {given.steps} steps: won {won(model, env, given.games):.0%} of {given.games} games")


if __name__ == "__main__":
    main()
