"""`import ludex.envs.gymnasium` registers every game's environments with Gymnasium, which then makes them by name.

>>> import gymnasium
>>> import ludex.envs.gymnasium
>>> gymnasium.make("ludex/Minesweeper-v0").action_space
Discrete(128)
"""

from ludex.core import registry


def register() -> None:
    """Register the environments of every game that has some."""
    specs, _ = registry.available()
    for spec in specs:
        if spec.learning.gym is not None:
            registry.resolve(spec.learning.gym)()


register()
