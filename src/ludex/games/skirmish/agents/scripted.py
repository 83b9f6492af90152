"""Players by rules, each with a plan for the deployment and a tactic for the battle."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Decision
from ludex.core.game import Action, Mask, legal_actions
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.options import NoOptions
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.skirmish.agents.situation import FAR, Field, Hexes, Numbers, Outlook, Situation, field_of, trade
from ludex.games.skirmish.agents.tactic import Option, Tactic, Weighed, decision
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import ChargeDestination, DeployUnit, Meaning, UndeployUnit
from ludex.games.skirmish.rules.odds import Strike
from ludex.games.skirmish.rules.position import Position, View


class Deployment(ABC):
    """A plan for the deployment: takes the units by id and scores the hexes for the next one."""

    reason: str
    """The message that says why it likes the hexes it likes."""

    def __init__(self, field: Field) -> None:
        self.field = field
        pools = field.game.scenario.pools
        self.to_enemy = [field.distance[:, list(pools[1 - player])].min(axis=1) for player in (0, 1)]
        """By player, [hexes]: how far the enemy's zone is."""
        self.seen = [field.sight[:, list(pools[1 - player])].mean(axis=1) for player in (0, 1)]
        """By player, [hexes]: the share of the enemy's zone that sees it."""

    def weigh(self, situation: Situation, placements: Sequence[Option]) -> list[Weighed]:
        """Every placement of the next unit."""
        index = self.field.game.scenario.grid.index
        meant = [(option, option.meaning) for option in placements if isinstance(option.meaning, DeployUnit)]
        next_id = min(meaning.unitId for _, meaning in meant)
        unit = situation.number(next_id)
        weighed = []
        for option, meaning in meant:
            if meaning.unitId == next_id:
                terms = self.terms(situation, unit, index(meaning.col, meaning.row))
                reason = partial(self._placement_message, next_id, f"{meaning.col}.{meaning.row}")
                weighed.append(Weighed(option, sum(terms.values()), terms, reason))
        return weighed

    def _placement_message(self, unit: str, there: str) -> Message:
        return Message("skirmish.places", {"unit": unit, "hex": there, "reason": Message(self.reason)})

    @abstractmethod
    def terms(self, situation: Situation, unit: int, where: int) -> dict[str, float]:
        """By name, what a hex is worth to a unit."""


class DeterministicDeployment(Deployment):
    """The first free hex by (col, row)."""

    reason = "skirmish.place_first_free"

    def terms(self, situation: Situation, unit: int, where: int) -> dict[str, float]:
        return {"order": -float(where)}


class AggressiveDeployment(Deployment):
    """The front: as near to the enemy's zone and to an objective as can be."""

    reason = "skirmish.place_front"

    def terms(self, situation: Situation, unit: int, where: int) -> dict[str, float]:
        front = -float(self.to_enemy[situation.player][where])
        return {"front": front, "objective": -0.5 * float(self.field.ways[:, where].min(initial=FAR))}


class DefensiveDeployment(Deployment):
    """The back, out of sight of the enemy's zone; long-range units stand where they see an objective."""

    reason = "skirmish.place_hidden"

    def terms(self, situation: Situation, unit: int, where: int) -> dict[str, float]:
        field, player = self.field, situation.player
        reach = max((weapon.range for weapon in field.units[unit].ranged), default=0)
        goals = np.array(field.objectives, np.int64)
        watched = field.sight[where, goals] & (field.distance[where, goals] <= reach + field.units[unit].type.move)
        return {
            "back": 0.3 * float(self.to_enemy[player][where]),
            "hidden": -6.0 * float(self.seen[player][where]),
            "watch": 2.0 * float(np.count_nonzero(watched)) if reach > 6 else 0.0,
            "objective": -0.5 * float(field.ways[:, where].min(initial=FAR)),
        }


class ObjectiveDeployment(Deployment):
    """A way to an objective that few others go to yet, out of sight of the enemy's zone where there is a choice."""

    reason = "skirmish.place_objective"

    def terms(self, situation: Situation, unit: int, where: int) -> dict[str, float]:
        field = self.field
        placed = [situation.hexes[other] for other in situation.own]
        ways = field.ways[:, where].astype(float)
        if placed and field.objectives:
            nearest = field.ways[:, placed].argmin(axis=0)
            ways = ways + 3.0 * np.bincount(nearest, minlength=len(field.objectives))
        return {"objective": -float(ways.min(initial=FAR)), "hidden": -2.0 * float(self.seen[situation.player][where])}


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
        wanted = [option for option in options if not isinstance(option.meaning, UndeployUnit)]
        if len(wanted) == 1:
            return decision([Weighed(wanted[0], 0.0, reason=Message("skirmish.only"))])
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


def scripted_agent(deployment: type[Deployment], tactic: type[Tactic]) -> Callable[..., ScriptedAgent]:
    """The factory of the agents with this plan and this tactic."""

    def make(game: Skirmish, options: NoOptions, services: Services, name: str) -> ScriptedAgent:
        field = field_of(game)
        return ScriptedAgent(field, name, deployment(field), tactic(field))

    return make


class GreedyTactic(Tactic):
    """Walks to the nearest enemy or objective that is not held, and ignores risk."""

    def walk_terms(self, situation: Situation, hexes: Hexes, advanced: bool) -> dict[str, Numbers]:
        field, outlook = self.field, Outlook(situation, hexes, advanced)
        margin = situation.margin
        wanted = margin <= 0
        ways = field.ways[wanted][:, hexes].min(axis=0, initial=64)
        nearest = np.minimum(ways, outlook.away.min(axis=1, initial=64))
        return {"damage": outlook.fire(), "approach": -1.0 * nearest}


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


POINT: Final = 5.0
"""The value of a unit that a victory point is worth."""
HELD: Final = 2.0
"""Points that an objective more is worth beyond those it scores at once."""
STEP: Final = 1.2
"""The value of a step toward the objective a unit is sent to."""
RISK: Final = 0.2
"""The share of what all enemies together could take that a unit fears: they have others to choose from."""


class ObjectiveTactic(Tactic):
    """Weighs every hex by points, by what the unit can destroy from there, and by what it may lose there."""

    def walks_first(self, situation: Situation, unit: int) -> float:
        """The unit nearest to an objective takes it, and the others take that into account."""
        return -float(self.field.ways[:, situation.hexes[unit]].min(initial=64))

    def charge_worth(self, situation: Situation, target: int, blow: Strike) -> float:
        unit, field = situation.active, self.field
        sides = [side for side in field.neighbours[situation.hexes[target]] if situation.run_up[side] <= 12]
        places = np.array([situation.hexes[unit], *sides], np.int64)
        points = self.points(situation, places)
        landed = float(points[1:].max(initial=-99.0) - points[0])
        return trade(situation, unit, target) + landed + self.bonus(situation, target, blow)

    def walk_terms(self, situation: Situation, hexes: Hexes, advanced: bool) -> dict[str, Numbers]:
        outlook = Outlook(situation, hexes, advanced)
        goal = self.goal(situation)
        ways = outlook.away.min(axis=1) if goal is None else self.field.ways[goal, hexes]
        late = situation.turn >= self.field.game.scenario.game.turns
        return {
            "objective": self.points(situation, hexes),
            "approach": -STEP * (0.3 if late else 1.0) * ways,
            "damage": outlook.fire() + 0.7 * outlook.charge(),
            "risk": -RISK * outlook.risk(),
        }

    def points(self, situation: Situation, hexes: Hexes) -> Numbers:
        """By hex of the active unit: the value of the points that both players would score, as objectives are then."""
        return self._standing(situation, situation.margin[:, None] + self.field.near[:, hexes])

    def bonus(self, situation: Situation, target: int, strike: Strike) -> float:
        """The points that change if a target falls."""
        near, here = self.field.near, [situation.hexes[situation.active]]
        now = situation.margin[:, None] + near[:, here]
        then = now + near[:, [situation.hexes[target]]]
        return strike.kill * float((self._standing(situation, then) - self._standing(situation, now))[0])

    def _standing(self, situation: Situation, after: NDArray[np.int64]) -> Numbers:
        """By column of `after`, own units more than enemies at each objective: the value of the points it scores."""
        mine, theirs = (after > 0).sum(axis=0), (after < 0).sum(axis=0)
        to_come = [situation.scorings_to_come(player) > 0 for player in (situation.player, 1 - situation.player)]
        score = to_come[0] * self._score(mine, theirs) - to_come[1] * self._score(theirs, mine)
        ahead = np.clip(after, -1, 2).sum(axis=0)
        value: Numbers = POINT * (score + HELD * ahead * any(to_come))
        return value

    def goal(self, situation: Situation) -> int | None:
        """The objective that the active unit is sent to: the nearest units go first, as many as are needed."""
        field = self.field
        if not field.objectives:
            return None
        need = [min(3, enemies + 1) for enemies in situation.counts(situation.foes)]
        pairs = sorted(
            (-(-int(field.ways[goal, situation.hexes[unit]]) // field.units[unit].type.move), unit, goal)
            for unit in situation.own
            for goal in range(len(need))
        )
        sent: dict[int, int] = {}
        for _, unit, goal in pairs:
            if unit not in sent and need[goal] > 0:
                sent[unit] = goal
                need[goal] -= 1
        nearest = int(field.ways[:, situation.hexes[situation.active]].argmin())
        return sent.get(situation.active, nearest)

    def _score(self, mine: Hexes, theirs: Hexes) -> Hexes:
        rule = self.field.game.scenario.game.scoring
        points = rule.one * (mine >= 1) + rule.two * (mine >= 2) + rule.more * (mine > theirs)
        least: Hexes = np.minimum(points, rule.most_per_turn)
        return least


greedy = scripted_agent(DeterministicDeployment, GreedyTactic)
aggressive = scripted_agent(AggressiveDeployment, AggressiveTactic)
defensive = scripted_agent(DefensiveDeployment, DefensiveTactic)
objective = scripted_agent(ObjectiveDeployment, ObjectiveTactic)
