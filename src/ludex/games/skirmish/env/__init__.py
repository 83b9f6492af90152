"""Skirmish's environments, and their name for Gymnasium. Nothing heavy is imported until one is made."""

ENV_ID = "ludex/Skirmish-v0"


def register() -> None:
    """Register the environment with Gymnasium; a second call does nothing."""
    import gymnasium

    if ENV_ID not in gymnasium.registry:
        gymnasium.register(
            ENV_ID,
            entry_point="ludex.games.skirmish.env.gym:SkirmishGym",
            vector_entry_point="ludex.games.skirmish.env.gym:SkirmishVectorGym",
        )
