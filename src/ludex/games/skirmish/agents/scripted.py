"""Players by rules, each with a plan for the deployment and a tactic for the battle."""

import numpy as np

from ludex.core.decision import Decision
from ludex.core.game import Action, Mask, legal_actions
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.options import NoOptions
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.skirmish.agents.placement_plans import (
    AggressiveDeployment,
    DefensiveDeployment,
    Deployment,
    DeterministicDeployment,
)
from ludex.games.skirmish.agents.situation import Field, Hexes, Numbers, Outlook, Situation, trade
from ludex.games.skirmish.agents.tactic import Option, Tactic, Weighed, decision
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import ChargeDestination, DeployUnit, Meaning, UndeployUnit
from ludex.games.skirmish.rules.odds import Strike
from ludex.games.skirmish.rules.position import Position, View


class ScriptedAgent:
    """Weighs what the legal actions mean and plays the best, without chance and without taking a unit back."""

    def __init__(self, field: Field, name: str, deployment: Deployment, tactic: Tactic) -> None:
        self.name = name
        self._field = field
        self._deployment = deployment
        self._tactic = tactic
        self._meanings: dict[tuple[int, Action], Meaning] = {}

    def decide(self, view: View, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        options = [Option(action, self._meaning(view.position, action)) for action in legal_actions(legal)]
        wanted = [option for option in options if not isinstance(option.meaning, UndeployUnit)] or options
        if len(wanted) == 1:
            text = self._field.game.table.text(wanted[0].meaning)
            return decision([Weighed(wanted[0], 0.0, reason=Message("skirmish.only", {"action": text}))])
        situation = Situation(self._field, view.position)
        placements = [option for option in wanted if isinstance(option.meaning, DeployUnit)]
        if placements:
            return decision(self._deployment.weigh(situation, placements))
        return decision(self._tactic.weigh(situation, wanted))

    def _meaning(self, position: Position, action: Action) -> Meaning:
        """What a legal action means; all but the sides of a charged enemy mean the same throughout a game."""
        key = (position.to_move, action)
        meaning = self._meanings.get(key)
        if meaning is None:
            meaning = self._field.game.table.decode(position, action)
            assert meaning is not None, f"action {action} is legal and means nothing"
            if not isinstance(meaning, ChargeDestination):
                self._meanings[key] = meaning
        return meaning


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
