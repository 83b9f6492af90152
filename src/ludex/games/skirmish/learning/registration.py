"""The name under which Gymnasium finds Skirmish. Nothing heavy is imported until one is made."""

import gymnasium

ENV_ID = "ludex/Skirmish-v0"


def register() -> None:
    """Tell Gymnasium about the environment; once is enough, twice does no harm."""
    if ENV_ID not in gymnasium.registry:
        gymnasium.register(
            ENV_ID,
            entry_point="ludex.games.skirmish.learning.gym:SkirmishGym",
            vector_entry_point="ludex.games.skirmish.learning.gym:SkirmishVectorGym",
        )
