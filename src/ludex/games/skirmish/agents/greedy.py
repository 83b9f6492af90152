"""The player that takes what is nearest: the deterministic deployment, then the best blow at once."""

import numpy as np

from ludex.core.options import NoOptions
from ludex.core.services import Services
from ludex.games.skirmish.agents.placement_plans import DeterministicDeployment
from ludex.games.skirmish.agents.scripted import ScriptedAgent
from ludex.games.skirmish.agents.situation import Field, Hexes, Numbers, Outlook, Situation
from ludex.games.skirmish.agents.tactic import Tactic
from ludex.games.skirmish.game import Skirmish


class GreedyTactic(Tactic):
    """Walks to the nearest enemy or objective that is not held, and ignores risk."""

    def walk_terms(self, situation: Situation, hexes: Hexes, advanced: bool) -> dict[str, Numbers]:
        field, outlook = self.field, Outlook(situation, hexes, advanced)
        margin = situation.margin
        wanted = margin <= 0
        ways = field.ways[wanted][:, hexes].min(axis=0, initial=64)
        nearest = np.minimum(ways, outlook.away.min(axis=1, initial=64))
        return {"damage": outlook.fire(), "approach": -1.0 * nearest}


def greedy(game: Skirmish, options: NoOptions, services: Services, name: str) -> ScriptedAgent:
    """The factory of `greedy`."""
    field = Field(game)
    return ScriptedAgent(field, name, DeterministicDeployment(field), GreedyTactic(field))
