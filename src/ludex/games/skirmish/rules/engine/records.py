"""The records that kernels receive as single pointers: a scenario's constants, and scratch memory, one per thread."""

import threading
from collections.abc import Sequence
from typing import Annotated, Any, Final, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.dice import NO_SAVE
from ludex.games.skirmish.rules.engine.branches import BRANCHES, branch_sizes
from ludex.games.skirmish.rules.engine.layout import MOST_HEXES, MOST_OBJECTIVES, MOST_UNITS, MOST_WEAPONS, NOWHERE
from ludex.games.skirmish.rules.hexes import sight_table
from ludex.games.skirmish.rules.odds import attack_chance, charge_chance
from ludex.games.skirmish.rules.scenario import Scenario, Unit
from ludex.games.skirmish.rules.scenario_files import BadScenario, Weapon
from ludex.kernels.records import new_record

MOST_EVENTS: Final = 256
EVENT_WORDS: Final = 4


class Scratch:
    """What kernels write for themselves, and the dice and the events of a ply."""

    blocked: Annotated[NDArray[np.uint8], MOST_HEXES]
    barred: Annotated[NDArray[np.uint8], MOST_HEXES]
    steps: Annotated[NDArray[np.int16], MOST_HEXES]
    queue: Annotated[NDArray[np.int16], MOST_HEXES]
    """For walks, see `hexes.reach`."""
    generator: Annotated[NDArray[np.uint64], 1]
    """The random generator of the ply."""
    events: Annotated[NDArray[np.int16], MOST_EVENTS, EVENT_WORDS]
    """What happened in the last ply, see `events`."""
    count: Annotated[NDArray[np.int64], 1]
    """How many events there are."""


def event_bytes(work: Scratch) -> bytes:
    """The events of the last ply, four int16 words each."""
    record = cast(Any, work)
    events: NDArray[np.int16] = record["events"][: record["count"][0]]
    return events.tobytes()


class _ThreadScratch(threading.local):
    """One record per thread: kernels release the GIL."""

    def __init__(self) -> None:
        self.work = new_record(Scratch)


_LOCAL = _ThreadScratch()


def thread_scratch() -> Scratch:
    """This thread's record."""
    return _LOCAL.work


RANGED: int = 2
"""Ranged weapons a unit may have."""
ARM_NUMBERS: int = 5
"""Numbers that describe a unit's weapons."""
MOST_STEPS: int = 256
"""More steps than lie between any two hexes."""

PerUnit: TypeAlias = Annotated[NDArray[np.int16], MOST_UNITS]
PerWeapon: TypeAlias = Annotated[NDArray[np.int16], MOST_WEAPONS]
WeaponFlags: TypeAlias = Annotated[NDArray[np.uint8], MOST_WEAPONS]
HexFlags: TypeAlias = Annotated[NDArray[np.uint8], MOST_HEXES]
HexPairs: TypeAlias = Annotated[NDArray[np.uint8], MOST_HEXES, MOST_HEXES]
PlayerHexes: TypeAlias = Annotated[NDArray[np.int16], 2, MOST_HEXES]


class Constants:
    """The record's fields with the shapes of its arrays; a scenario's record is made by `build_constants`."""

    size: int
    """Numbers of hexes, holes included."""
    units: int
    branch: Annotated[NDArray[np.int64], BRANCHES + 1]
    """Where each branch of the action space begins, and where the last ends."""
    first: Annotated[NDArray[np.int64], 3]
    """Where the units of each player begin, and where they all end."""
    unit_slots: int
    hex_slots: int
    """`deployment_max_unit_slots` and `deployment_max_hex_slots`."""
    alternated: int
    """1 for `alternated_p1_start`, 0 for `player_by_player`."""
    confirmed_by_players: int
    """1 for `per_player`, 0 for `none`."""
    max_undeploys: int
    starts_with_command: int
    """1 if `post_deployment_start_phase` is `command`."""
    turns: int
    charge_range: int
    objective_radius: int
    scoring: Annotated[NDArray[np.int64], 5]
    """First turn, points for one, for two, for more, and the most per turn."""
    objectives: int

    objective: Annotated[NDArray[np.int16], MOST_OBJECTIVES]
    """Their hexes."""
    around: Annotated[NDArray[np.int16], MOST_OBJECTIVES, MOST_HEXES]
    """The hexes that each is held from, as many as `around_size` says."""
    around_size: Annotated[NDArray[np.int64], MOST_OBJECTIVES]
    neighbours: Annotated[NDArray[np.int16], MOST_HEXES, 6]
    distance: HexPairs
    sight: HexPairs
    wall: HexFlags
    """1 for walls and holes."""
    forbidden: HexFlags
    """1 where the scenario allows no deployment."""
    pool: PlayerHexes
    """The hexes of each player's slots, -1 after the last."""
    pool_size: Annotated[NDArray[np.int64], 2]
    slot: PlayerHexes
    """Each hex's slot in a player's pool, or -1."""

    fixed: PerUnit
    """Where each unit stands from the beginning, or -1."""
    owner: PerUnit
    move: PerUnit
    toughness: PerUnit
    save: PerUnit
    invulnerable: PerUnit
    """7 if there is none."""
    wounds: PerUnit
    value: PerUnit
    ranged: Annotated[NDArray[np.int16], MOST_UNITS, RANGED]
    """Weapons, or -1."""
    melee: PerUnit

    reaches: PerWeapon
    attacks: PerWeapon
    skill: PerWeapon
    strength: PerWeapon
    ap: PerWeapon
    damage: PerWeapon
    assault: WeaponFlags
    pistol: WeaponFlags
    harm: Annotated[NDArray[np.float64], MOST_WEAPONS, MOST_UNITS]
    """The wounds that a weapon's attacks are expected to cost a unit that can take them all."""
    arms: Annotated[NDArray[np.float32], MOST_UNITS, ARM_NUMBERS]
    """A unit's weapons, see `build_constants.arms`."""
    arrives: Annotated[NDArray[np.float64], MOST_STEPS]
    """By steps, the probability that a charge carries so far."""

    reward: Annotated[NDArray[np.float64], 6]
    """For a win, a loss, a draw, damage dealt, damage taken and a point, see `lanes`."""
    placing: Annotated[NDArray[np.float64], 2, MOST_HEXES]
    """Each player's reward for a unit on each hex."""


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
    units = scenario.units
    weapons = carried_weapons(units)
    grid, game = scenario.grid, scenario.game
    constants = cast(Any, new_record(Constants))
    for name, value in {
        "size": grid.size,
        "units": len(units),
        "unit_slots": game.deployment_max_unit_slots,
        "hex_slots": game.deployment_max_hex_slots,
        "alternated": scenario.config.deployment_order_mode == "alternated_p1_start",
        "confirmed_by_players": scenario.config.deployment_confirmation == "per_player",
        "max_undeploys": scenario.config.max_undeploys,
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


def reward_terms(scenario: Scenario) -> tuple[float, ...]:
    """The rewards of a scenario in the order of WIN to POINT."""
    terms = scenario.game.rewards
    return (terms.win, terms.loss, terms.draw, terms.damage_dealt, terms.damage_taken, terms.objective_point)


def placement_table(scenario: Scenario, sees: NDArray[np.bool_]) -> NDArray[np.float64]:
    """float64[2, hexes]: each player's reward for a unit on each hex; 0 outside the player's pool.

    Nearness is 1 on an objective and falls with the distance to the nearest one, to 0 across the board. Cover is the
    share of the enemy's pool that does not see the hex.
    """
    grid, terms = scenario.grid, scenario.game.rewards.deployment
    table = np.zeros((2, grid.size))
    for player, pool in enumerate(scenario.pools):
        enemies = list(scenario.pools[1 - player])
        for where in pool:
            nearest = int(grid.distance[where, list(scenario.objectives)].min(initial=grid.cols))
            near = max(0.0, 1.0 - nearest / grid.cols)
            cover = 1.0 - float(np.mean(sees[where, enemies])) if enemies else 1.0
            table[player, where] = terms.per_placement + terms.near_objective * near + terms.in_cover * cover
    return table


def carried_weapons(units: Sequence[Unit]) -> list[Weapon]:
    """Every weapon that a unit carries, once; kernels know them by index."""
    carried = [weapon for unit in units for weapon in (*unit.ranged, unit.melee)]
    return [weapon for place, weapon in enumerate(carried) if weapon not in carried[:place]]


def _set_unit(constants: Any, index: int, unit: Unit, weapons: list[Weapon]) -> None:
    for name in ("move", "toughness", "save", "wounds", "value"):
        constants[name][index] = getattr(unit.type, name)
    constants["invulnerable"][index] = unit.type.invulnerable_save or NO_SAVE
    constants["owner"][index] = unit.player - 1
    constants["melee"][index] = weapons.index(unit.melee)
    constants["ranged"][index] = [weapons.index(weapon) for weapon in unit.ranged] + [-1] * (RANGED - len(unit.ranged))
    constants["fixed"][index] = NOWHERE if unit.hex is None else unit.hex


def _set_weapon(constants: Any, index: int, weapon: Weapon) -> None:
    constants["reaches"][index] = weapon.range
    for name in ("attacks", "skill", "strength", "ap", "damage"):
        constants[name][index] = getattr(weapon, name)
    for keyword in ("assault", "pistol"):
        constants[keyword][index] = keyword in weapon.keywords


def require_capacity(scenario: Scenario) -> None:
    """Raise `BadScenario` if a scenario exceeds the fixed sizes of the engine's arrays."""
    units = scenario.units
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
