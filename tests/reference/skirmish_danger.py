"""What fire and charges could do, and to whom, written down from the words: loops over units, odds as fractions.

Kernels, their record and their tables of odds are not used; distances and sight come from the grid's tables, which have
a reference of their own.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.position import Position, UnitState, unit_states
from ludex.games.skirmish.rules.scenario import Unit
from ludex.games.skirmish.rules.scenario_files import UnitType, Weapon
from tests.reference.hexes import adjacent, walk
from tests.reference.skirmish import odds_of_charge, odds_of_damage

VALUE, SEVERAL, FAR = 200, 4, 16


@lru_cache(maxsize=1024)
def harm(weapon: Weapon, target: UnitType) -> Fraction:
    """The wounds that all attacks of a weapon are expected to cost, if the target has enough of them."""
    chance = odds_of_damage(weapon.model_dump(), target.toughness, target.save, target.invulnerable_save)
    return weapon.attacks * weapon.damage * chance


@lru_cache(maxsize=1024)
def arrives(steps: int) -> Fraction:
    return odds_of_charge(steps)


class Onlooker:
    """One player's look at a position. Units are known by number, hexes by number as the engine counts them."""

    def __init__(self, game: Skirmish, position: Position, own: int) -> None:
        self.scenario, self.position, self.own = game.scenario, position, own
        self.units: tuple[Unit, ...] = tuple(game.units)
        self.states: list[UnitState] = list(unit_states(position, len(game.units)))
        self._sees = game.sees
        standing = [number for number, state in enumerate(self.states) if state.hex is not None]
        self._sides = [[number for number in standing if self.units[number].player == player] for player in (1, 2)]
        self._fears_known: dict[Weapon, Fraction] = {}

    def side(self, player: int) -> list[int]:
        """A player's units that stand on the board."""
        return self._sides[player]

    def place(self, unit: int) -> int:
        """The hex of a unit on the board."""
        occupied_hex = self.states[unit].hex
        assert occupied_hex is not None
        return occupied_hex

    def apart(self, here: int, there: int) -> int:
        return int(self.scenario.grid.distance[here, there])

    def between(self, unit: int, other: int) -> int:
        return self.apart(self.place(unit), self.place(other))

    def sees(self, here: int, there: int) -> bool:
        return bool(self._sees[here, there])

    def worth(self, unit: int) -> Fraction:
        return Fraction(self.units[unit].value, VALUE)

    def destroys(self, weapon: Weapon, target: int) -> Fraction:
        """The part of a whole unit that a weapon takes from what is left of it."""
        kind = self.units[target].type
        return min(harm(weapon, kind), Fraction(self.states[target].wounds)) / kind.wounds

    # What could happen now.

    def fire(self, unit: int, target: int) -> Fraction:
        """The part of a target that a unit's shots take from where both stand."""
        here, there = self.place(unit), self.place(target)
        player = self.units[unit].player - 1
        beside_a_friend = any(self.apart(self.place(friend), there) == 1 for friend in self.side(player))
        total = Fraction(0)
        for weapon in self._loaded(unit):
            near = self.apart(here, there) <= weapon.range and self.sees(here, there)
            if near and ("pistol" in weapon.keywords or not beside_a_friend):
                total += self.destroys(weapon, target)
        return min(total, Fraction(1))

    def charge(self, unit: int, target: int) -> Fraction:
        """The part of a target that a blow takes if they touch, else a charge, by the chance that it arrives."""
        apart = self.between(unit, target)
        if apart == 1:
            return self.blow(unit, target)
        if self._held_back(unit, "advanced") or self._held_back(unit, "fled") or self._engaged(unit):
            return Fraction(0)
        return self._arrives(apart) * self.blow(unit, target)

    def _arrives(self, apart: int) -> Fraction:
        return arrives(apart - 1) if apart <= self.scenario.game.charge_range else Fraction(0)

    def _engaged(self, unit: int) -> bool:
        """Whether a unit stands beside an enemy."""
        return any(self.between(unit, foe) == 1 for foe in self.side(2 - self.units[unit].player))

    def _held_back(self, unit: int, mark: str) -> bool:
        """Whether a mark counts: those of the player whose turn it is not are gone before it acts again."""
        turn = int(self.position.words[layout.PLAYER])
        return self.units[unit].player - 1 == turn and bool(getattr(self.states[unit], mark))

    def blow(self, unit: int, target: int) -> Fraction:
        return self.destroys(self.units[unit].melee, target)

    def _loaded(self, unit: int) -> Iterator[Weapon]:
        """The ranged weapons that a unit's marks let it fire."""
        if not self._held_back(unit, "fled"):
            for weapon in self.units[unit].ranged:
                if not self._held_back(unit, "advanced") or "assault" in weapon.keywords:
                    yield weapon

    # The planes.

    def choices(self) -> set[int]:
        """The hexes that the onlooker has to choose from; none without an onlooker."""
        if self.position.to_move != self.own:
            return set()
        taken = {state.hex for state in self.states if state.hex is not None}
        if self.position.phase == "deployment":
            mine = [state for unit, state in zip(self.units, self.states, strict=True) if unit.player - 1 == self.own]
            left = any(not state.deployed for state in mine)
            return set(self.scenario.pools[self.own]) - taken if left else set()
        if self.position.phase != "move" or self.position.active is None:
            return set()
        grid, active = self.scenario.grid, self.position.active
        near = adjacent(grid.cols, grid.rows)
        closed = {grid.col_row(where) for where in (*taken, *np.flatnonzero(self.scenario.walls).tolist())}
        for enemy in self.side(1 - self.own):
            closed |= near[grid.col_row(self.place(enemy))]
        words = self.position.words
        more = int(words[layout.ROLLED]) if words[layout.DOING] == layout.ADVANCING else 0
        steps = self.units[active].type.move + more
        reached = walk(grid.cols, grid.rows, grid.col_row(self.place(active)), steps, closed)
        return {grid.index(*place) for place in reached}

    def danger(self) -> NDArray[np.float64]:
        """[5, hexes]: fire, strike, under fire, within fire, within charge."""
        planes = np.zeros((5, self.scenario.grid.size))
        for where in self.choices():
            if self.position.phase == "move":
                active = self.position.active
                assert active is not None
                planes[:2, where] = self._hopes(active, where)
            planes[2:, where] = [min(total / SEVERAL, Fraction(SEVERAL)) for total in self._fears(where)]
        return planes

    def _hopes(self, active: int, where: int) -> tuple[float, float]:
        fire, strike = [Fraction(0)], [Fraction(0)]
        bound = self._engaged(active)
        if bound and where != self.states[active].hex:
            # It would have fled.
            return 0.0, 0.0
        charges = not bound and not self._held_back(active, "advanced")
        for enemy in self.side(1 - self.own):
            there = self.place(enemy)
            apart = self.apart(where, there)
            shots = [
                self.destroys(weapon, enemy)
                for weapon in self._loaded(active)
                if apart <= weapon.range and self.sees(where, there)
            ]
            fire.append(min(sum(shots, Fraction(0)), Fraction(1)) * self.worth(enemy))
            if apart == 1 or charges:
                strike.append(self.blow(active, enemy) * self.worth(enemy) * self._arrives(apart))
        return float(max(fire)), float(max(strike))

    def _fears(self, where: int) -> tuple[Fraction, Fraction, Fraction]:
        under, within, charged = Fraction(0), Fraction(0), Fraction(0)
        for enemy in self.side(1 - self.own):
            there, unit = self.place(enemy), self.units[enemy]
            apart = self.apart(where, there)
            for weapon in unit.ranged:
                if apart <= weapon.range and self.sees(where, there):
                    under += self._fear_of(weapon)
                if apart <= weapon.range + unit.type.move:
                    within += self._fear_of(weapon)
            charged += self._fear_of(unit.melee) * self._arrives(max(apart - unit.type.move, 1))
        return under, within, charged

    def _fear_of(self, weapon: Weapon) -> Fraction:
        """The part of what is left of the active unit that a weapon takes, or of the mean living one."""
        if weapon not in self._fears_known:
            self._fears_known[weapon] = self._mean_part(weapon)
        return self._fears_known[weapon]

    def _mean_part(self, weapon: Weapon) -> Fraction:
        active = self.position.active
        own = [number for number, unit in enumerate(self.units) if unit.player - 1 == self.own]
        asked = [number for number in own if self.states[number].wounds > 0]
        if active is not None and self.units[active].player - 1 == self.own:
            asked = [active]
        parts = [
            min(Fraction(1), harm(weapon, self.units[number].type) / self.states[number].wounds) for number in asked
        ]
        return sum(parts, Fraction(0)) / len(parts) if parts else Fraction(0)

    # The numbers of units.

    def carries(self, unit: int) -> list[float]:
        """Range, the part of the mean enemy that fire and blows take when nothing cuts them, assault, pistol."""
        carrier = self.units[unit]
        enemies = self.scenario.forces[2 - carrier.player]
        fire, blow = (
            sum(harm(weapon, enemy.type) / enemy.type.wounds for weapon in weapons for enemy in enemies) / len(enemies)
            for weapons in (carrier.ranged, (carrier.melee,))
        )
        longest = max((weapon.range for weapon in carrier.ranged), default=0)
        keywords = [keyword for weapon in carrier.ranged for keyword in weapon.keywords]
        return [longest / 18, float(fire), float(blow), float("assault" in keywords), float("pistol" in keywords)]

    def outlook(self, unit: int) -> dict[int, float]:
        """The numbers 22 to 33 of a unit, own or enemy."""
        features = dict.fromkeys(range(22, 34), 0.0)
        here, active = self.states[unit].hex, self.position.active
        if here is None:
            return features
        foes = self._faced(unit)
        fires = [float(self.worth(foe) * self.fire(unit, foe)) for foe in foes]
        charges = [float(self.worth(foe) * self.charge(unit, foe)) for foe in foes]
        features[22] = min([FAR, *(self.between(unit, foe) for foe in foes)]) / FAR
        features[23] = min([FAR, *(self.apart(here, there) for there in self.scenario.objectives)]) / FAR
        features[24], features[25] = max(fires, default=0.0), max(charges, default=0.0)
        features[26] = float(sum((self.worth(unit) * self.fire(foe, unit) for foe in foes), Fraction(0)))
        if active is not None and self.states[active].hex is not None:
            features[27] = min(self.between(unit, active), FAR) / FAR
            features[28] = float(self.sees(here, self.place(active)))
            if active in foes:
                features[29], features[30] = float(self.fire(active, unit)), float(self.charge(active, unit))
                features[31], features[32] = float(self.blow(active, unit)), float(self.blow(unit, active))
                features[33] = float(self.fire(unit, active))
        return features

    def _faced(self, unit: int) -> list[int]:
        """Its enemies on the board; while a unit is active, only that unit is faced, and it faces everybody."""
        foes = self.side(2 - self.units[unit].player)
        active = self.position.active
        return foes if active in (None, unit) else [foe for foe in foes if foe == active]

    # Objectives.

    def leads(self) -> NDArray[np.float64]:
        """[3, hexes]: how many objectives a hex holds, and by how many units more either side has them, in thirds."""
        planes = np.zeros((3, self.scenario.grid.size))
        radius = self.scenario.game.objective_radius
        for objective in self.scenario.objectives:
            count = [
                sum(self.apart(objective, self.place(unit)) <= radius for unit in self.side(player))
                for player in (self.own, 1 - self.own)
            ]
            lead = count[0] - count[1]
            for where in range(self.scenario.grid.size):
                if self.apart(objective, where) <= radius:
                    planes[:, where] += (1, max(lead, 0) / 3, max(-lead, 0) / 3)
        return planes
