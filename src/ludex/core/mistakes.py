"""An agent that plays some of its moves at random: what makes a strong agent an opponent for beginners."""

from typing import Any

from ludex.core.agent import AnyAgent
from ludex.core.decision import Decision
from ludex.core.game import Mask, legal_actions
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.core.wrapped_agent import WrappedAgent


class MistakenAgent(WrappedAgent):
    """Plays a share of its moves at random, drawn from its own generator, and the others as another agent does."""

    def __init__(self, agent: AnyAgent, share: float, name: str) -> None:
        super().__init__(agent, name)
        self._share = share

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        if rng.uniform() < self._share:
            return Decision(rng.choice(legal_actions(legal)), explanation=(Message("ludex.by_mistake"),))
        return super().decide(view, legal, rng=rng, limit=limit)
