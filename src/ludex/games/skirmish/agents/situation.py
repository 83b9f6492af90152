"""A position as a scripted player reads it before one decision."""

from functools import cached_property

import numpy as np

from ludex.games.skirmish.agents.field import MELEE, Field, Hexes
from ludex.games.skirmish.engine import layout
from ludex.games.skirmish.odds import Strike
from ludex.games.skirmish.position import Position


class Situation:
    """Who stands where, who is hurt, and who holds which objective, for the player to move."""

    def __init__(self, field: Field, position: Position) -> None:
        words = position.words.tolist()
        count = len(field.units)
        units = words[layout.UNITS : layout.UNITS + count * layout.UNIT_WORDS]
        self.field = field
        self.player: int = words[layout.TO_MOVE]
        self.phase: int = words[layout.PHASE]
        self.turn: int = words[layout.TURN]
        self.in_turn: int = words[layout.PLAYER]
        self.advancing: bool = words[layout.DOING] == layout.ADVANCING
        self.target: int = words[layout.TARGET]
        self.active: int = words[layout.ACTIVE]
        self.hexes: list[int] = units[layout.HEX :: layout.UNIT_WORDS]
        self.wounds: list[int] = units[layout.WOUNDS :: layout.UNIT_WORDS]
        self.marks: list[int] = units[layout.MARKS :: layout.UNIT_WORDS]
        self.own = self.standing(self.player)
        self.foes = self.standing(1 - self.player)

    def standing(self, player: int) -> list[int]:
        """The units of a player that are on the board."""
        first = self.field.first
        return [unit for unit in range(first[player], first[player + 1]) if self.hexes[unit] != layout.NOWHERE]

    def number(self, unit_id: str) -> int:
        """A unit's number by its id."""
        return self._numbers[unit_id]

    def has(self, unit: int, mark: int) -> bool:
        return bool(self.marks[unit] & mark)

    def apart(self, unit: int, other: int) -> int:
        return int(self.field.distance[self.hexes[unit], self.hexes[other]])

    def engaged(self, unit: int) -> bool:
        """Whether a unit stands next to an enemy."""
        others = self.foes if self.field.player_of(unit) == self.player else self.own
        return any(self.apart(unit, other) == 1 for other in others)

    def fire(self, unit: int, target: int) -> Strike:
        """What a unit does to a target with every weapon that it may fire at it from where it stands."""
        field = self.field
        if not field.sight[self.hexes[unit], self.hexes[target]]:
            return field.strike(unit, 0, target, 0)
        away, engaged, arms = self.apart(unit, target), self.engaged(target), 0
        for bit, weapon in field.arms(unit):
            late = self.has(unit, layout.ADVANCED) and "assault" not in weapon.keywords
            if away <= weapon.range and not late and ("pistol" in weapon.keywords or not engaged):
                arms |= bit
        return field.strike(unit, arms, target, self.wounds[target])

    def melee(self, unit: int, target: int) -> Strike:
        """What a unit does to a target side by side with it."""
        return self.field.strike(unit, MELEE, target, self.wounds[target])

    def counts(self, units: list[int]) -> list[int]:
        """How many of some units are at each objective."""
        here = [self.hexes[unit] for unit in units]
        return [int(near) for near in self.field.near[:, here].sum(axis=1)]

    def scorings_to_come(self, player: int) -> int:
        """How many command phases a player still has: the second player's of this turn may lie ahead."""
        turns: int = self.field.game.scenario.game.turns
        return turns - self.turn + (player > self.in_turn)

    @cached_property
    def taken(self) -> frozenset[int]:
        """The hexes that units stand on."""
        return frozenset(self.hexes[unit] for unit in (*self.own, *self.foes))

    @cached_property
    def barred(self) -> frozenset[int]:
        """The hexes next to an enemy."""
        return frozenset(there for foe in self.foes for there in self.field.neighbours[self.hexes[foe]])

    @cached_property
    def run_up(self) -> list[int]:
        """Steps of the active unit to every hex in a charge."""
        return self.field.steps_from(self.hexes[self.active], 12, self.taken)

    def charge_steps(self, target: int) -> int:
        """Steps of the active unit to the nearest free side of a target."""
        run_up = self.run_up
        return min(run_up[there] for there in self.field.neighbours[self.hexes[target]])

    @cached_property
    def margin(self) -> Hexes:
        """By objective: how many more own units than enemies are there, the active unit left out."""
        others = [unit for unit in self.own if unit != self.active]
        return np.array(self.counts(others), np.int64) - np.array(self.counts(self.foes), np.int64)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {unit.id: number for number, unit in enumerate(self.field.units)}
