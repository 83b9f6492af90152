"""Adapters that offer every registered game to other libraries as environments.

They have one vocabulary: the game's name, `preset=` and the game's own options, `seed=`, `opponent=` and `player=`, and
`illegal=` for actions that the mask forbids: "raise" an error and change nothing, "penalty" -1 and the turn stays, or
"lose" the game. The default is "penalty" in `gym`, where Gymnasium's checker draws any action, else "raise". Each is
imported when it is first used.

    env = ludex.envs.gym("quoridor", preset="5x5", opponent="easy", player=1)
    env = ludex.envs.pettingzoo("quoridor", size=5, walls=3)
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ludex.core.errors import MissingDependency

if TYPE_CHECKING:
    from ludex.envs.aec import TurnEnv
    from ludex.envs.single import GameEnv, make_vector
    from ludex.envs.spiel import SpielGame

    gym = GameEnv
    pettingzoo = TurnEnv
    vector = make_vector
    open_spiel = SpielGame

__all__ = ["gym", "open_spiel", "pettingzoo", "vector"]

_ADAPTERS = {
    "gym": ("single", "GameEnv", "gymnasium"),
    "pettingzoo": ("aec", "TurnEnv", "pettingzoo"),
    "vector": ("single", "make_vector", "gymnasium"),
    "open_spiel": ("spiel", "SpielGame", "pyspiel"),
}
"""The module and the name of each, and the library that it needs."""


def __getattr__(name: str) -> Any:
    """An adapter by its name. Raises `MissingDependency` where its library is not installed."""
    if name not in _ADAPTERS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, adapter, library = _ADAPTERS[name]
    if find_spec(library) is None:
        package = "open_spiel" if library == "pyspiel" else library
        raise MissingDependency(f"{package} is not installed: pip install {package}, or 'ludex[envs]'")
    return getattr(import_module(f"{__name__}.{module}"), adapter)
