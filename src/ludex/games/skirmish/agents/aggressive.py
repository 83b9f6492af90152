"""The player that closes in."""

from ludex.core.options import NoOptions
from ludex.core.services import Services
from ludex.games.skirmish.agents.placement_plans import AggressiveDeployment
from ludex.games.skirmish.agents.scripted import ScriptedAgent
from ludex.games.skirmish.agents.situation import Field, Hexes, Numbers, Outlook, Situation
from ludex.games.skirmish.agents.tactic import Tactic
from ludex.games.skirmish.game import Skirmish


class AggressiveTactic(Tactic):
    """Walks up to the nearest enemy, charges whenever it is likely to arrive, and fights on."""

    surest_charge = 0.5

    def walk_terms(self, situation: Situation, hexes: Hexes, advanced: bool) -> dict[str, Numbers]:
        outlook = Outlook(situation, hexes, advanced)
        at_objective = self.field.near[:, hexes].any(axis=0)
        return {
            "approach": -3.0 * outlook.away.min(axis=1, initial=64),
            "damage": 0.5 * outlook.fire(),
            "objective": 2.0 * at_objective,
            "flight": -50.0 * outlook.fled,
        }


def aggressive(game: Skirmish, options: NoOptions, services: Services, name: str) -> ScriptedAgent:
    """The factory of `aggressive`."""
    field = Field(game)
    return ScriptedAgent(field, name, AggressiveDeployment(field), AggressiveTactic(field))
