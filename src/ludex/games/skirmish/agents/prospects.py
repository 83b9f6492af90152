"""Prospects of the active unit: the enemies it sees, its expected damage, the chance that a charge arrives."""

from typing import Any, Final, cast

import numpy as np

from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.dice import SIDES
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.engine.phases import can_fire, run_up
from ludex.games.skirmish.rules.engine.records import thread_scratch
from ludex.games.skirmish.rules.hexes import UNREACHED
from ludex.games.skirmish.rules.odds import Strike, charge_chance, strike
from ludex.games.skirmish.rules.position import Position, unit_states

FARTHEST: Final = 2 * SIDES
"""The most steps two dice make."""


class Prospects:
    """A position as its active unit sees it. Call methods that need that unit only while there is one."""

    def __init__(self, game: Skirmish, position: Position) -> None:
        self._game = game
        # Kernels are compiled for words that may be written.
        self._words = position.words.copy()
        self._active = position.active
        self._states = list(unit_states(position, len(game.units)))
        self._numbers = {unit.id: number for number, unit in enumerate(game.units)}

    def seen(self) -> list[int]:
        """The hexes in sight of the active unit and in range of a weapon it may still fire; none without a unit."""
        if self._active is None or self._states[self._active].fled:
            return []
        state, game = self._states[self._active], self._game
        weapons = [
            weapon for weapon in game.units[self._active].ranged if "assault" in weapon.keywords or not state.advanced
        ]
        here, reach = state.hex, max((weapon.range for weapon in weapons), default=0)
        grid = game.scenario.grid
        near = (grid.distance[here] <= reach) & (grid.distance[here] > 0) & (game.sees[here] != 0)
        hexes: list[int] = np.flatnonzero(near).tolist()
        return hexes

    def shot(self, target_id: str) -> Strike:
        """What every weapon that may be fired at a target is expected to do to it."""
        unit, target = self._unit, self._numbers[target_id]
        carried = cast(Any, self._game.constants)["ranged"][unit]
        weapons = [
            weapon
            for weapon, number in zip(self._game.units[unit].ranged, carried.tolist(), strict=False)
            if can_fire(self._game.constants, self._words, unit, number, target)
        ]
        return strike(weapons, self._game.units[target].type, self._states[target].wounds)

    def blow(self, target_id: str) -> Strike:
        """What the melee weapon is expected to do to a target."""
        target = self._numbers[target_id]
        return strike([self._game.units[self._unit].melee], self._game.units[target].type, self._states[target].wounds)

    def arrival(self, target_id: str) -> float:
        """The probability that a charge comes to the side of a target."""
        target = self._states[self._numbers[target_id]]
        words, work = self._words.copy(), thread_scratch()
        words[layout.ROLLED] = FARTHEST
        run_up(self._game.constants, words, work)
        steps = cast(Any, work)["steps"]
        sides = [side for side in self._game.scenario.grid.neighbours[target.hex].tolist() if side != layout.NOWHERE]
        ways = [int(steps[side]) for side in sides if steps[side] != UNREACHED]
        return charge_chance(min(ways)) if ways else 0.0

    @property
    def _unit(self) -> int:
        assert self._active is not None, "no unit is active"
        return self._active
