"""Where scripted players place their units: one unit after the other by id, each on the hex a plan likes best."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Protocol

import numpy as np

from ludex.core.messages import Message
from ludex.games.skirmish.agents.situation import FAR, Field, Situation
from ludex.games.skirmish.agents.tactic import Option, Weighed
from ludex.games.skirmish.rules.actions import DeployUnit


class Deployment(Protocol):
    """A plan for the deployment."""

    def weigh(self, situation: Situation, placements: Sequence[Option]) -> list[Weighed]:
        """Every placement of the next unit."""
        ...


class _ByHex(ABC):
    """Takes the units by id and scores the hexes for the next one."""

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


class DeterministicDeployment(_ByHex):
    """The first free hex by (col, row)."""

    reason = "skirmish.place_first_free"

    def terms(self, situation: Situation, unit: int, where: int) -> dict[str, float]:
        return {"order": -float(where)}


class AggressiveDeployment(_ByHex):
    """The front: as near to the enemy's zone and to an objective as can be."""

    reason = "skirmish.place_front"

    def terms(self, situation: Situation, unit: int, where: int) -> dict[str, float]:
        front = -float(self.to_enemy[situation.player][where])
        return {"front": front, "objective": -0.5 * float(self.field.ways[:, where].min(initial=FAR))}


class DefensiveDeployment(_ByHex):
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


class ObjectiveDeployment(_ByHex):
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
