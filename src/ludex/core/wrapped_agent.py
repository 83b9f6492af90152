"""Agents around another one: it is passed everything, or makes mistakes, an opponent for beginners."""

from collections.abc import Sequence
from typing import Any

from ludex.core.agent import AnyAgent, Closes, FollowsMoves
from ludex.core.decision import Decision
from ludex.core.game import Mask, legal_actions
from ludex.core.limit import Limit
from ludex.core.messages import Message
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


class MistakenAgent(WrappedAgent):
    """Plays a share of its moves at random, drawn from its own generator, and the others as another agent does."""

    def __init__(self, agent: AnyAgent, share: float, name: str) -> None:
        super().__init__(agent, name)
        self._share = share

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        if rng.uniform() < self._share:
            return Decision(rng.choice(legal_actions(legal)), explanation=(Message("ludex.by_mistake"),))
        return super().decide(view, legal, rng=rng, limit=limit)
