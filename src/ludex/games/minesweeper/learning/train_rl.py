"""`python -m ludex.games.minesweeper.learning.train_rl`: PPO, the original document's stage B.

It is `ludex train minesweeper --stage ppo --config small_8x8_10` with the options that are given.
"""

import sys

from ludex.games.minesweeper.learning.training import run_command


def main() -> None:
    """Train with the options of the command line."""
    run_command("ppo", sys.argv[1:])


if __name__ == "__main__":
    main()
