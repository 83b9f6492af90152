"""Ludex: a laboratory and an arcade for machine players on grid games.

>>> import ludex
>>> game = ludex.make("tictactoe")
>>> agents = [ludex.make_agent(game, "perfect"), ludex.make_agent(game, "random")]
>>> match = ludex.play(game, agents, seed=1)
>>> match.outcome.reason
'line'
"""

from typing import TYPE_CHECKING, Any

from ludex.deprecated import install as _install_deprecated

if TYPE_CHECKING:
    from ludex.core.clock import Clock as Clock
    from ludex.core.limit import Limit as Limit
    from ludex.core.match import Match as Match
    from ludex.core.match import play as play
    from ludex.core.record import Record as Record
    from ludex.core.record import replay as replay
    from ludex.core.registry import make as make
    from ludex.core.registry import make_agent as make_agent

__version__ = "0.2.0.dev0"

_install_deprecated()

_FACE = {
    "Clock": "ludex.core.clock:Clock",
    "Limit": "ludex.core.limit:Limit",
    "Match": "ludex.core.match:Match",
    "Record": "ludex.core.record:Record",
    "make": "ludex.core.registry:make",
    "make_agent": "ludex.core.registry:make_agent",
    "play": "ludex.core.match:play",
    "replay": "ludex.core.record:replay",
}
__all__ = ["Clock", "Limit", "Match", "Record", "__version__", "make", "make_agent", "play", "replay"]


def __getattr__(name: str) -> Any:
    # Loaded on first use: `ludex --help` must not pay for NumPy.
    if name not in _FACE:
        raise AttributeError(f"module 'ludex' has no attribute {name!r}")
    from ludex.core.registry import resolve

    return resolve(_FACE[name])
