"""Ludex: a laboratory and an arcade for machine players on grid games.

>>> import ludex
>>> game = ludex.make("tictactoe")
>>> agents = [ludex.make_agent(game, "perfect"), ludex.make_agent(game, "random")]
>>> match = ludex.play(game, agents, seed=1)
>>> match.outcome.reason
'line'
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludex.core.agent import Agent
    from ludex.core.clock import Clock
    from ludex.core.decision import Candidate, Decision
    from ludex.core.game import Game, GameInfo, Outcome
    from ludex.core.limit import Limit
    from ludex.core.match import Match, play
    from ludex.core.messages import Message
    from ludex.core.record import Record, replay
    from ludex.core.registry import make, make_agent
    from ludex.core.scene import Scene
    from ludex.core.spec import AgentSpec, GameSpec, ScreenSpec

__version__ = "0.1.0.dev0"

_API = {
    "Agent": "ludex.core.agent:Agent",
    "AgentSpec": "ludex.core.spec:AgentSpec",
    "Candidate": "ludex.core.decision:Candidate",
    "Clock": "ludex.core.clock:Clock",
    "Decision": "ludex.core.decision:Decision",
    "Game": "ludex.core.game:Game",
    "GameInfo": "ludex.core.game:GameInfo",
    "GameSpec": "ludex.core.spec:GameSpec",
    "Limit": "ludex.core.limit:Limit",
    "Match": "ludex.core.match:Match",
    "Message": "ludex.core.messages:Message",
    "Outcome": "ludex.core.game:Outcome",
    "Record": "ludex.core.record:Record",
    "Scene": "ludex.core.scene:Scene",
    "ScreenSpec": "ludex.core.spec:ScreenSpec",
    "make": "ludex.core.registry:make",
    "make_agent": "ludex.core.registry:make_agent",
    "play": "ludex.core.match:play",
    "replay": "ludex.core.record:replay",
}
"""Every public name and where it lives: loaded on first use, because `ludex --help` must not pay for NumPy."""

__all__ = [
    "Agent",
    "AgentSpec",
    "Candidate",
    "Clock",
    "Decision",
    "Game",
    "GameInfo",
    "GameSpec",
    "Limit",
    "Match",
    "Message",
    "Outcome",
    "Record",
    "Scene",
    "ScreenSpec",
    "__version__",
    "make",
    "make_agent",
    "play",
    "replay",
]

if not TYPE_CHECKING:
    # Type checkers know the imports above; with this function every unknown name would be `Any` to them.

    def __getattr__(name: str) -> object:
        if name not in _API:
            raise AttributeError(f"module 'ludex' has no attribute {name!r}")
        from ludex.core.registry import resolve

        return resolve(_API[name])


def __dir__() -> list[str]:
    return __all__
