"""`import ludex.envs.gymnasium` registers every game's environments with Gymnasium, which then makes them by name.

`ludex/ID-v0` is the environment of `ludex.envs.gym` for the game ID; a game may have others of its own.

>>> import gymnasium
>>> import ludex.envs.gymnasium
>>> gymnasium.make("ludex/Minesweeper-v0").action_space
Discrete(128)
>>> gymnasium.make("ludex/quoridor-v0", preset="5x5", opponent="easy").action_space
Discrete(57)
"""

import gymnasium

from ludex.core import registry


def register() -> None:
    """Register the environments of every game; a second call does nothing."""
    specs, _ = registry.available()
    for spec in specs:
        name = f"ludex/{spec.id}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="ludex.envs.single:GameEnv",
                vector_entry_point="ludex.envs.single:vector_entry_point",
                kwargs={"game": spec.id},
            )
        if spec.learning.gym is not None:
            registry.resolve(spec.learning.gym)()


register()
