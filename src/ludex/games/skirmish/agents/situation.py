"""A position as a scripted agent reads it before one decision."""

from collections import deque
from functools import cached_property, lru_cache
from typing import Any, Final, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import Fight, Shoot
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.hexes import NOWHERE
from ludex.games.skirmish.rules.odds import NO_STRIKE, Strike, charge_chance, strike
from ludex.games.skirmish.rules.position import Position
from ludex.games.skirmish.rules.scenario_files import Weapon

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
        self.numbers = {unit.id: number for number, unit in enumerate(game.units)}
        self.size = scenario.grid.size
        self.first = (0, len(scenario.forces[0]), len(game.units))
        self.distance: NDArray[np.int16] = scenario.grid.distance.astype(np.int16)
        self.sight: NDArray[np.bool_] = cast(Any, game.constants)["sight"][: self.size, : self.size].astype(np.bool_)
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
        """The expected effect of some arms of a unit on another one with `wounds` left."""
        if not arms or wounds <= 0:
            return NO_STRIKE
        key = (unit, arms, target, wounds)
        result = self._strikes.get(key)
        if result is None:
            weapons = [weapon for bit, weapon in self.arms(unit) if arms & bit]
            weapons += [self.units[unit].melee] if arms & MELEE else []
            result = self._strikes[key] = strike(weapons, self.units[target].type, wounds)
        return result

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


@lru_cache(maxsize=4)
def field_of(game: Skirmish) -> Field:
    """A game's field, made once."""
    return Field(game)


class Situation:
    """The units' hexes and wounds, and the holders of objectives, for the player to move."""

    def __init__(self, field: Field, position: Position) -> None:
        words = position.words.tolist()
        count = len(field.units)
        units = words[layout.UNITS : layout.UNITS + count * layout.UNIT_WORDS]
        self.field = field
        self.player: int = words[layout.TO_MOVE]
        self.phase: int = words[layout.PHASE]
        self.turn: int = words[layout.TURN]
        self.in_turn: int = words[layout.PLAYER]
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
        return self.field.numbers[unit_id]

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

    @cached_property
    def in_sight(self) -> list[int]:
        """The hexes in sight of the active unit and in range of a weapon it may still fire; none without a unit."""
        unit, field = self.active, self.field
        if unit == layout.NONE or self.has(unit, layout.FLED):
            return []
        advanced = self.has(unit, layout.ADVANCED)
        ranges = [weapon.range for _, weapon in field.arms(unit) if "assault" in weapon.keywords or not advanced]
        here = self.hexes[unit]
        near = (field.distance[here] > 0) & (field.distance[here] <= max(ranges, default=0))
        return [int(where) for where in np.flatnonzero(near & field.sight[here])]

    def melee(self, unit: int, target: int) -> Strike:
        """What a unit does to a target side by side with it."""
        return self.field.strike(unit, MELEE, target, self.wounds[target])

    def strike(self, meaning: Shoot | Fight) -> Strike:
        """What the active unit's shot or blow is expected to do to its target."""
        expect = self.fire if isinstance(meaning, Shoot) else self.melee
        return expect(self.active, self.number(meaning.targetId))

    def counts(self, units: list[int]) -> list[int]:
        """How many of some units are at each objective."""
        here = [self.hexes[unit] for unit in units]
        return [int(near) for near in self.field.near[:, here].sum(axis=1)]

    def scorings_to_come(self, player: int) -> int:
        """How many command phases a player still has: the second player's of this turn may lie ahead."""
        turns: int = self.field.game.scenario.game.turns
        return turns - self.turn + (player > self.in_turn)

    def holders(self) -> list[int | None]:
        """By objective: the player, 1 or 2, with more units there."""
        first, second = (self.counts(self.standing(player)) for player in (0, 1))
        return [
            None if ours == theirs else 1 if ours > theirs else 2 for ours, theirs in zip(first, second, strict=True)
        ]

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


STRUCK_BACK: Final = 0.5
"""How much the blow in return counts: a unit that does not charge is charged, and struck without having struck."""


class Outlook:
    """The active unit on each of some hexes, by exact odds over range and sight."""

    def __init__(self, situation: Situation, hexes: Hexes, advanced: bool) -> None:
        field, self.unit = situation.field, situation.active
        self.situation = situation
        there = [situation.hexes[foe] for foe in situation.foes]
        self.advanced = advanced
        self.away = field.distance[hexes][:, there]
        """[hexes, enemies]"""
        self.seen = field.sight[hexes][:, there]
        self.fled = situation.engaged(self.unit) & (hexes != situation.hexes[self.unit])

    def fire(self) -> Numbers:
        """By hex: the expected value that the best shot from there destroys."""
        situation, field, unit = self.situation, self.situation.field, self.unit
        friends = [situation.hexes[friend] for friend in situation.own if friend != unit]
        arms = np.zeros(self.away.shape, np.int64)
        engaged = np.array(
            [bool((field.distance[situation.hexes[foe], friends] == 1).any()) for foe in situation.foes], np.bool_
        )
        for bit, weapon in field.arms(unit):
            if self.advanced and "assault" not in weapon.keywords:
                continue
            able = self.seen & (self.away <= weapon.range)
            if "pistol" not in weapon.keywords:
                able &= ~engaged & (self.away > 1)
            arms |= np.where(able, bit, 0)
        values = np.array(
            [
                [field.strike(unit, number, foe, situation.wounds[foe]).value for foe in situation.foes]
                for number in range(MELEE)
            ]
        )
        best: Numbers = values[arms, np.arange(len(situation.foes))].max(axis=1, initial=0.0)
        return np.where(self.fled, 0.0, best)

    def charge(self) -> Numbers:
        """By hex: the expected value of the best charge from there, less what strikes back."""
        situation, field = self.situation, self.situation.field
        if self.advanced:
            return np.zeros(len(self.away))
        worth = np.array([max(0.0, trade(situation, self.unit, foe)) for foe in situation.foes])
        able = self.away <= field.game.scenario.game.charge_range
        chances = np.where(able, field.chances[np.maximum(self.away - 1, 0)], 0.0)
        best: Numbers = (chances * worth).max(axis=1, initial=0.0)
        return np.where(self.fled, 0.0, best)

    def risk(self) -> Numbers:
        """By hex: the value that all enemies together are expected to take from the unit in their next turn."""
        situation, field, unit = self.situation, self.situation.field, self.unit
        left = situation.wounds[unit]
        total: Numbers = np.zeros(len(self.away))
        for place, foe in enumerate(situation.foes):
            away, seen, move = self.away[:, place], self.seen[:, place], field.units[foe].type.move
            for bit, weapon in field.arms(foe):
                value = field.strike(foe, bit, unit, left).value
                total += np.where(seen & (away <= weapon.range), 0.9, 0.6 * (away <= weapon.range + move)) * value
            steps = np.maximum(away - 1 - move, 0)
            total += np.where(steps <= 12, field.chances[steps], 0.0) * field.strike(foe, MELEE, unit, left).value
        return np.minimum(total, float(field.units[unit].value))


def trade(situation: Situation, unit: int, foe: int) -> float:
    """The value a charge at an enemy's side is expected to destroy, less what the enemy strikes back if it lives."""
    blow, back = situation.melee(unit, foe), situation.melee(foe, unit)
    return blow.value - STRUCK_BACK * (1.0 - blow.kill) * back.value
