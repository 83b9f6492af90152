"""A scenario as the record that kernels read."""

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.dice import NO_SAVE
from ludex.games.skirmish.rules.engine.branches import branch_sizes
from ludex.games.skirmish.rules.engine.constants import LAYOUT, MOST_STEPS, RANGED, Constants
from ludex.games.skirmish.rules.engine.layout import MOST_HEXES, MOST_OBJECTIVES, MOST_UNITS, MOST_WEAPONS, NOWHERE
from ludex.games.skirmish.rules.engine.rewards import placement_table, reward_terms
from ludex.games.skirmish.rules.engine.workspace import MOST_EVENTS
from ludex.games.skirmish.rules.errors import BadScenario
from ludex.games.skirmish.rules.hexes.line_of_sight import sight_table
from ludex.games.skirmish.rules.odds import attack_chance, charge_chance
from ludex.games.skirmish.rules.scenario.forces import Unit
from ludex.games.skirmish.rules.scenario.scenario import Scenario
from ludex.games.skirmish.rules.scenario.schemas import Weapon

LONGEST = 18.0
"""What ranges are divided by, to be of the size of 1."""


def harm(weapon: Weapon, target: Unit) -> float:
    """The wounds that a weapon's attacks are expected to cost a unit that can take them all."""
    return weapon.attacks * attack_chance(weapon, target.type) * weapon.damage


def arms(unit: Unit, enemies: Sequence[Unit]) -> NDArray[np.float32]:
    """float32[5]: range, the part of the mean enemy that fire and blows destroy, then assault and pistol."""
    fire = sum(harm(weapon, enemy) / enemy.type.wounds for weapon in unit.ranged for enemy in enemies)
    blow = sum(harm(unit.melee, enemy) / enemy.type.wounds for enemy in enemies)
    keywords = {keyword for weapon in unit.ranged for keyword in weapon.keywords}
    count = max(len(enemies), 1)
    longest = max((weapon.range for weapon in unit.ranged), default=0) / LONGEST
    return np.array([longest, fire / count, blow / count, "assault" in keywords, "pistol" in keywords], np.float32)


ROLLS_OF_AN_ATTACK = 5
"""Hit, wound, save, damage and destruction: the events that one attack may have."""
OTHER_EVENTS = 32


def build_constants(scenario: Scenario) -> Constants:
    """The record of a scenario, which must pass `require_capacity`."""
    units = [unit for force in scenario.forces for unit in force]
    weapons = carried_weapons(units)
    grid, game = scenario.grid, scenario.game
    constants = np.zeros(1, LAYOUT)[0]
    for name, value in {
        "size": grid.size,
        "units": len(units),
        "unit_slots": game.deployment_max_unit_slots,
        "hex_slots": game.deployment_max_hex_slots,
        "alternated": scenario.deployment_order_mode == "alternated_p1_start",
        "confirmed_by_players": scenario.deployment_confirmation == "per_player",
        "max_undeploys": scenario.max_undeploys,
        "starts_with_command": game.post_deployment_start_phase == "command",
        "turns": game.turns,
        "charge_range": game.charge_range,
        "objective_radius": game.objective_radius,
        "objectives": len(scenario.objectives),
    }.items():
        constants[name] = value
    sizes = branch_sizes(game.deployment_max_unit_slots, game.deployment_max_hex_slots, grid.size)
    constants["branch"] = np.cumsum((0, *sizes))
    constants["first"] = (0, len(scenario.forces[0]), len(units))
    scoring = game.scoring
    constants["scoring"] = (scoring.first_turn, scoring.one, scoring.two, scoring.more, scoring.most_per_turn)
    constants["objective"][: len(scenario.objectives)] = scenario.objectives
    for place, objective in enumerate(scenario.objectives):
        around = np.flatnonzero(grid.distance[objective] <= game.objective_radius)
        constants["around_size"][place] = len(around)
        constants["around"][place, : len(around)] = around
    constants["neighbours"][: grid.size] = grid.neighbours
    constants["distance"][: grid.size, : grid.size] = grid.distance
    sees = sight_table(grid, scenario.walls)
    constants["sight"][: grid.size, : grid.size] = sees
    constants["reward"] = reward_terms(scenario)
    constants["placing"][:, : grid.size] = placement_table(scenario, sees)
    constants["wall"][: grid.size] = scenario.walls | ~grid.exists
    constants["forbidden"][: grid.size] = scenario.forbidden
    constants["pool"][:] = NOWHERE
    constants["slot"][:] = NOWHERE
    for player, pool in enumerate(scenario.pools):
        constants["pool_size"][player] = len(pool)
        constants["pool"][player, : len(pool)] = pool
        constants["slot"][player, list(pool)] = range(len(pool))
    for index, unit in enumerate(units):
        _set_unit(constants, index, unit, weapons)
        constants["arms"][index] = arms(unit, scenario.forces[2 - unit.player])
    for index, weapon in enumerate(weapons):
        _set_weapon(constants, index, weapon)
        for target, unit in enumerate(units):
            constants["harm"][index, target] = harm(weapon, unit)
    constants["arrives"] = [charge_chance(steps) for steps in range(MOST_STEPS)]
    return cast(Constants, constants)


def carried_weapons(units: Sequence[Unit]) -> list[Weapon]:
    """Every weapon that a unit carries, once; kernels know them by index."""
    carried = [weapon for unit in units for weapon in (*unit.ranged, unit.melee)]
    return [weapon for place, weapon in enumerate(carried) if weapon not in carried[:place]]


def _set_unit(constants: np.void, index: int, unit: Unit, weapons: list[Weapon]) -> None:
    kind = unit.type
    constants["owner"][index] = unit.player - 1
    constants["move"][index] = kind.move
    constants["toughness"][index] = kind.toughness
    constants["save"][index] = kind.save
    constants["invulnerable"][index] = NO_SAVE if kind.invulnerable_save is None else kind.invulnerable_save
    constants["wounds"][index] = kind.wounds
    constants["value"][index] = kind.value
    constants["melee"][index] = weapons.index(unit.melee)
    constants["ranged"][index] = [weapons.index(weapon) for weapon in unit.ranged] + [-1] * (RANGED - len(unit.ranged))
    constants["fixed"][index] = NOWHERE if unit.hex is None else unit.hex


def _set_weapon(constants: np.void, index: int, weapon: Weapon) -> None:
    constants["reaches"][index] = weapon.range
    constants["attacks"][index] = weapon.attacks
    constants["skill"][index] = weapon.skill
    constants["strength"][index] = weapon.strength
    constants["ap"][index] = weapon.ap
    constants["damage"][index] = weapon.damage
    constants["assault"][index] = "assault" in weapon.keywords
    constants["pistol"][index] = "pistol" in weapon.keywords


def require_capacity(scenario: Scenario) -> None:
    """Raise `BadScenario` if a scenario exceeds the fixed sizes of the engine's arrays."""
    units = [unit for force in scenario.forces for unit in force]
    weapons = carried_weapons(units)
    attacks = max(sum(weapon.attacks for weapon in unit.ranged) for unit in units)
    most_attacks = (MOST_EVENTS - OTHER_EVENTS) // ROLLS_OF_AN_ATTACK
    attacks = max(attacks, *(unit.melee.attacks for unit in units))
    for what, count, most in (
        ("numbers of hexes", scenario.grid.size, MOST_HEXES),
        ("units", len(units), MOST_UNITS),
        ("weapons", len(weapons), MOST_WEAPONS),
        ("objectives", len(scenario.objectives), MOST_OBJECTIVES),
        ("attacks of one unit", attacks, most_attacks),
    ):
        if count > most:
            raise BadScenario(f"{scenario.source}: {count} {what} are too many, expected at most {most}")
