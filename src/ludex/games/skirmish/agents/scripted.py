"""A player by rules: a plan for the deployment and a tactic for the battle."""

from ludex.core.decision import Decision
from ludex.core.game import Action, Mask, legal_actions
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.games.skirmish.agents.placement_plans import Deployment
from ludex.games.skirmish.agents.situation import Field, Situation
from ludex.games.skirmish.agents.tactic import Option, Tactic, Weighed, decision
from ludex.games.skirmish.rules.actions import ChargeDestination, DeployUnit, Meaning, UndeployUnit
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
        known = self._meanings.get(key)
        if known is None:
            known = self._field.game.table.decode(position, action)
            assert known is not None, f"action {action} is legal and means nothing"
            if not isinstance(known, ChargeDestination):
                self._meanings[key] = known
        return known
