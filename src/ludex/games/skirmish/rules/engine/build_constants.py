"""A scenario as the record that kernels read."""

from collections.abc import Sequence
from typing import cast

import numpy as np

from ludex.games.skirmish.rules.engine.attack import IMPOSSIBLE
from ludex.games.skirmish.rules.engine.branches import branch_sizes
from ludex.games.skirmish.rules.engine.constants import LAYOUT, MOST_STEPS, RANGED, Scene
from ludex.games.skirmish.rules.engine.layout import MOST_HEXES, MOST_OBJECTIVES, MOST_UNITS, MOST_WEAPONS, NOWHERE
from ludex.games.skirmish.rules.engine.rewards import placement_table, reward_terms
from ludex.games.skirmish.rules.engine.weapons import arms, harm
from ludex.games.skirmish.rules.engine.workspace import MOST_EVENTS
from ludex.games.skirmish.rules.errors import BadScenario
from ludex.games.skirmish.rules.hexes.line_of_sight import sight_table
from ludex.games.skirmish.rules.odds import charge_chance
from ludex.games.skirmish.rules.scenario.forces import Unit
from ludex.games.skirmish.rules.scenario.scenario import Scenario
from ludex.games.skirmish.rules.scenario.schemas import Weapon

ROLLS_OF_AN_ATTACK = 5
"""Hit, wound, save, damage and destruction: the events that one attack may have."""
OTHER_EVENTS = 32


def scene_of(scenario: Scenario) -> Scene:
    """The record of a scenario. Raises `BadScenario` for one that is larger than the engine's memory."""
    units = [unit for force in scenario.forces for unit in force]
    weapons = carried_weapons(units)
    grid, game = scenario.grid, scenario.game
    scene = np.zeros(1, LAYOUT)[0]
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
        scene[name] = value
    sizes = branch_sizes(game.deployment_max_unit_slots, game.deployment_max_hex_slots, grid.size)
    scene["branch"] = np.cumsum((0, *sizes))
    scene["first"] = (0, len(scenario.forces[0]), len(units))
    scoring = game.scoring
    scene["scoring"] = (scoring.first_turn, scoring.one, scoring.two, scoring.more, scoring.most_per_turn)
    scene["objective"][: len(scenario.objectives)] = scenario.objectives
    for place, objective in enumerate(scenario.objectives):
        around = np.flatnonzero(grid.distance[objective] <= game.objective_radius)
        scene["around_size"][place] = len(around)
        scene["around"][place, : len(around)] = around
    scene["neighbours"][: grid.size] = grid.neighbours
    scene["distance"][: grid.size, : grid.size] = grid.distance
    sees = sight_table(grid, scenario.walls)
    scene["sight"][: grid.size, : grid.size] = sees
    scene["reward"] = reward_terms(scenario)
    scene["placing"][:, : grid.size] = placement_table(scenario, sees)
    scene["wall"][: grid.size] = scenario.walls | ~grid.exists
    scene["forbidden"][: grid.size] = scenario.forbidden
    scene["pool"][:] = NOWHERE
    scene["slot"][:] = NOWHERE
    for player, pool in enumerate(scenario.pools):
        scene["pool_size"][player] = len(pool)
        scene["pool"][player, : len(pool)] = pool
        scene["slot"][player, list(pool)] = range(len(pool))
    for index, unit in enumerate(units):
        _set_unit(scene, index, unit, weapons)
        scene["arms"][index] = arms(unit, scenario.forces[2 - unit.player])
    for index, weapon in enumerate(weapons):
        _set_weapon(scene, index, weapon)
        for target, unit in enumerate(units):
            scene["harm"][index, target] = harm(weapon, unit)
    scene["arrives"] = [charge_chance(steps) for steps in range(MOST_STEPS)]
    return cast(Scene, scene)


def carried_weapons(units: Sequence[Unit]) -> list[Weapon]:
    """Every weapon that somebody carries, once; kernels know them by their place."""
    carried = [weapon for unit in units for weapon in (*unit.ranged, unit.melee)]
    return [weapon for place, weapon in enumerate(carried) if weapon not in carried[:place]]


def _set_unit(scene: np.void, index: int, unit: Unit, weapons: list[Weapon]) -> None:
    kind = unit.type
    scene["owner"][index] = unit.player - 1
    scene["move"][index] = kind.move
    scene["toughness"][index] = kind.toughness
    scene["save"][index] = kind.save
    scene["invulnerable"][index] = IMPOSSIBLE if kind.invulnerable_save is None else kind.invulnerable_save
    scene["wounds"][index] = kind.wounds
    scene["value"][index] = kind.value
    scene["melee"][index] = weapons.index(unit.melee)
    scene["ranged"][index] = [weapons.index(weapon) for weapon in unit.ranged] + [-1] * (RANGED - len(unit.ranged))
    scene["fixed"][index] = NOWHERE if unit.hex is None else unit.hex


def _set_weapon(scene: np.void, index: int, weapon: Weapon) -> None:
    scene["reaches"][index] = weapon.range
    scene["attacks"][index] = weapon.attacks
    scene["skill"][index] = weapon.skill
    scene["strength"][index] = weapon.strength
    scene["ap"][index] = weapon.ap
    scene["damage"][index] = weapon.damage
    scene["assault"][index] = "assault" in weapon.keywords
    scene["pistol"][index] = "pistol" in weapon.keywords


def require_room(scenario: Scenario) -> None:
    """Raise `BadScenario` if a scenario has more of something than kernels have room for."""
    units = [unit for force in scenario.forces for unit in force]
    weapons = carried_weapons(units)
    attacks = max(sum(weapon.attacks for weapon in unit.ranged) for unit in units)
    most_attacks = (MOST_EVENTS - OTHER_EVENTS) // ROLLS_OF_AN_ATTACK
    attacks = max(attacks, *(unit.melee.attacks for unit in units))
    for what, found, most in (
        ("numbers of hexes", scenario.grid.size, MOST_HEXES),
        ("units", len(units), MOST_UNITS),
        ("weapons", len(weapons), MOST_WEAPONS),
        ("objectives", len(scenario.objectives), MOST_OBJECTIVES),
        ("attacks of one unit", attacks, most_attacks),
    ):
        if found > most:
            raise BadScenario(f"{scenario.source}: {found} {what} are too many, expected at most {most}")
