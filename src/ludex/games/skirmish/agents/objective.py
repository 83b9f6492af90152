"""The planner: it plays for points, by exact odds."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.options import NoOptions
from ludex.core.services import Services
from ludex.games.skirmish.agents.placement_plans import ObjectiveDeployment
from ludex.games.skirmish.agents.scripted import ScriptedAgent
from ludex.games.skirmish.agents.situation import Field, Hexes, Numbers, Outlook, Situation, trade
from ludex.games.skirmish.agents.tactic import Tactic
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.odds import Strike

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


def objective(game: Skirmish, options: NoOptions, services: Services, name: str) -> ScriptedAgent:
    """The factory of `objective`."""
    field = Field(game)
    return ScriptedAgent(field, name, ObjectiveDeployment(field), ObjectiveTactic(field))
