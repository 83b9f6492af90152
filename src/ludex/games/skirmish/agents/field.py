"""The ground and the forces as scripted players look them up: made once a game."""

from collections import deque
from typing import Any, Final, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.data.weapon import Weapon
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.hexes.grid import NOWHERE
from ludex.games.skirmish.odds import NO_STRIKE, Strike, charge_chance, strike

Hexes: TypeAlias = np.ndarray[tuple[int], np.dtype[np.int64]]
"""One number of a hex, or one count, an entry."""
Numbers: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float64]]
MELEE: Final = 4
"""The arms of a unit are bits: 1 and 2 for its ranged weapons, this for the one it fights with."""
FAR: Final = 999
"""More steps than any way has."""


class Field:
    """Distances, lines of sight, ways around walls, and what each unit does to each other one."""

    def __init__(self, game: Skirmish) -> None:
        scenario = game.scenario
        self.game = game
        self.units = game.units
        self.size = scenario.grid.size
        self.first = (0, len(scenario.forces[0]), len(game.units))
        self.distance: NDArray[np.int16] = scenario.grid.distance.astype(np.int16)
        self.sight: NDArray[np.bool_] = cast(Any, game.scene)["sight"][: self.size, : self.size].astype(np.bool_)
        self.neighbours: tuple[tuple[int, ...], ...] = tuple(
            tuple(there for there in row if there != NOWHERE) for row in scenario.grid.neighbours.tolist()
        )
        self.walls: tuple[bool, ...] = tuple((scenario.walls | ~scenario.grid.exists).tolist())
        self.objectives = scenario.objectives
        self.near: NDArray[np.bool_] = (
            self.distance[np.array(self.objectives, np.int64)] <= scenario.game.objective_radius
        )
        """bool[objectives, hexes]: which hexes count for which objective."""
        ways = [self.steps_from(goal) for goal in self.objectives]
        self.ways: NDArray[np.int16] = np.array(ways, np.int16).reshape(-1, self.size)
        """int16[objectives, hexes]: steps around walls."""
        self.chances = np.array([charge_chance(max(steps, 1)) for steps in range(256)])
        """float[steps]: how likely a charge comes that far."""
        self._strikes: dict[tuple[int, int, int, int], Strike] = {}

    def player_of(self, unit: int) -> int:
        return int(unit >= self.first[1])

    def arms(self, unit: int) -> tuple[tuple[int, Weapon], ...]:
        """The ranged weapons of a unit, each with its bit."""
        return tuple((1 << place, weapon) for place, weapon in enumerate(self.units[unit].ranged))

    def strike(self, unit: int, arms: int, target: int, wounds: int) -> Strike:
        """What some arms of a unit are expected to do to another one with so many wounds left."""
        if not arms or wounds <= 0:
            return NO_STRIKE
        key = (unit, arms, target, wounds)
        found = self._strikes.get(key)
        if found is None:
            weapons = [weapon for bit, weapon in self.arms(unit) if arms & bit]
            weapons += [self.units[unit].melee] if arms & MELEE else []
            found = self._strikes[key] = strike(weapons, self.units[target].type, wounds)
        return found

    def steps_from(
        self, start: int, most: int = FAR, blocked: frozenset[int] = frozenset(), barred: frozenset[int] = frozenset()
    ) -> list[int]:
        """Steps to every hex around walls and what else is blocked; FAR where no way leads."""
        steps = [FAR] * self.size
        steps[start] = 0
        queue = deque([start])
        while queue:
            here = queue.popleft()
            if steps[here] >= most:
                break
            for there in self.neighbours[here]:
                if steps[there] == FAR and not self.walls[there] and there not in blocked and there not in barred:
                    steps[there] = steps[here] + 1
                    queue.append(there)
        return steps
