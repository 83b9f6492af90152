"""The player that keeps its distance."""

import numpy as np

from ludex.core.options import NoOptions
from ludex.core.services import Services
from ludex.games.skirmish.agents.placement_plans import DefensiveDeployment
from ludex.games.skirmish.agents.scripted import ScriptedAgent
from ludex.games.skirmish.agents.situation import Field, Hexes, Numbers, Outlook, Situation, trade
from ludex.games.skirmish.agents.tactic import Tactic
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.odds import Strike


class DefensiveTactic(Tactic):
    """Shoots from cover, holds the objectives on its own half, and strikes only at enemies that have come close."""

    surest_charge = 0.7

    def __init__(self, field: Field) -> None:
        super().__init__(field)
        goals, pools = np.array(field.objectives, np.int64), field.game.scenario.pools
        to_zone = np.array([field.distance[goals][:, list(pool)].min(axis=1) for pool in pools])
        self._behind = [to_zone[player] <= to_zone[1 - player] for player in (0, 1)]
        """By player, bool[objectives]: those that are not nearer to the enemy's zone."""

    def charge_worth(self, situation: Situation, target: int, blow: Strike) -> float:
        return trade(situation, situation.active, target)

    def walk_terms(self, situation: Situation, hexes: Hexes, advanced: bool) -> dict[str, Numbers]:
        field, outlook = self.field, Outlook(situation, hexes, advanced)
        margin = situation.margin
        behind = self._behind[situation.player]
        wanted = behind & (margin <= 0)
        at_wanted = field.near[wanted][:, hexes].any(axis=0)
        ways = field.ways[wanted if wanted.any() else behind][:, hexes].min(axis=0, initial=64)
        return {
            "damage": outlook.fire() + 0.5 * outlook.charge(),
            "risk": -0.4 * outlook.risk(),
            "objective": 25.0 * at_wanted - 1.5 * ways,
        }


def defensive(game: Skirmish, options: NoOptions, services: Services, name: str) -> ScriptedAgent:
    """The factory of `defensive`."""
    field = Field(game)
    return ScriptedAgent(field, name, DefensiveDeployment(field), DefensiveTactic(field))
