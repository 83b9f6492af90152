"""The agent that plays at random, for any game."""

from typing import Any

from ludex.core.decision import Candidate, Decision
from ludex.core.game import AnyGame, Mask, legal_actions
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.options import NoOptions
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.search.model import MOST_CANDIDATES


class RandomAgent:
    """Plays any legal action, each equally likely."""

    def __init__(self, name: str = "random") -> None:
        self.name = name

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        actions = legal_actions(legal)
        share = 1.0 / len(actions)
        return Decision(
            action=rng.choice(actions),
            candidates=tuple(Candidate(action, prob=share, line=(action,)) for action in actions[:MOST_CANDIDATES]),
            explanation=(Message("ludex.by_chance"),),
        )


def random(game: AnyGame, options: NoOptions, services: Services, name: str) -> RandomAgent:
    """The factory of `random`."""
    return RandomAgent(name)
