"""Boards for learning: lanes side by side, and the original document's and Gymnasium's environments over them."""

ENV_ID = "ludex/Minesweeper-v0"


def register() -> None:
    """Register the environment with Gymnasium, single and as a vector; nothing heavy is imported until it is made."""
    import gymnasium

    if ENV_ID not in gymnasium.registry:
        gymnasium.register(
            ENV_ID,
            entry_point="ludex.games.minesweeper.env.gym:MinesweeperGym",
            vector_entry_point="ludex.games.minesweeper.env.gym:MinesweeperVectorGym",
        )
