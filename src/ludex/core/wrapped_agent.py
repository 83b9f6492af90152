"""An agent around another one, which it passes everything on to."""

from collections.abc import Sequence
from typing import Any

from ludex.core.agent import AnyAgent, Closes, FollowsMoves
from ludex.core.decision import Decision
from ludex.core.game import Mask
from ludex.core.limit import Limit
from ludex.core.seeding import Rng


class WrappedAgent:
    """Decides as the agent inside; a subclass changes what it needs to."""

    def __init__(self, agent: AnyAgent, name: str) -> None:
        self.name = name
        self._agent = agent

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        return self._agent.decide(view, legal, rng=rng, limit=limit)

    def follow(self, moves: Sequence[str]) -> None:
        if isinstance(self._agent, FollowsMoves):
            self._agent.follow(moves)

    def close(self) -> None:
        if isinstance(self._agent, Closes):
            self._agent.close()
