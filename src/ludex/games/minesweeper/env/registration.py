"""The names under which Gymnasium finds Minesweeper. Nothing heavy is imported until one is made."""

import gymnasium

ENV_ID = "ludex/Minesweeper-v0"


def register() -> None:
    """Register the environment with Gymnasium, single and as a vector; calling it again does nothing."""
    if ENV_ID not in gymnasium.registry:
        gymnasium.register(
            ENV_ID,
            entry_point="ludex.games.minesweeper.env.gym:MinesweeperGym",
            vector_entry_point="ludex.games.minesweeper.env.gym:MinesweeperVectorGym",
        )
