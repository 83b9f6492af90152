"""The name under which Gymnasium finds Skirmish. Nothing heavy is imported until one is made."""

import gymnasium

ENV_ID = "ludex/Skirmish-v0"


def register() -> None:
    """Register the environment with Gymnasium; a second call does nothing."""
    if ENV_ID not in gymnasium.registry:
        gymnasium.register(
            ENV_ID,
            entry_point="ludex.games.skirmish.learning.gym:SkirmishGym",
            vector_entry_point="ludex.games.skirmish.learning.gym:SkirmishVectorGym",
        )
