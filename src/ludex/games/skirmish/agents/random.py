"""The player that chooses by chance."""

from ludex.core.decision import Candidate, Decision
from ludex.core.game import Mask, legal_actions
from ludex.core.limit import Limit
from ludex.core.options import NoOptions
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.position import View

MOST_CANDIDATES = 24


class RandomAgent:
    """Plays any legal action, each equally likely."""

    def __init__(self, name: str = "random") -> None:
        self.name = name

    def decide(self, view: View, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        actions = legal_actions(legal)
        share = 1.0 / len(actions)
        return Decision(
            action=rng.choice(actions),
            candidates=tuple(Candidate(action, prob=share, line=(action,)) for action in actions[:MOST_CANDIDATES]),
            note="a legal action by chance",
        )


def random(game: Skirmish, options: NoOptions, services: Services, name: str) -> RandomAgent:
    """The factory of `random`."""
    return RandomAgent(name)
