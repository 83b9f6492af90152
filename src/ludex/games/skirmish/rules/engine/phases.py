"""The phases of a turn: move, shoot, charge and fight."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine.attack import attack, roll
from ludex.games.skirmish.rules.engine.constants import RANGED, Constants
from ludex.games.skirmish.rules.engine.events import ADVANCE_ROLL, CHARGE_FAILED, CHARGE_ROLL, MOVED, add_event
from ludex.games.skirmish.rules.engine.events import FLED as FLED_EVENT
from ludex.games.skirmish.rules.engine.layout import (
    ACTIVE,
    ADVANCED,
    ADVANCING,
    CHARGED,
    CHARGING,
    DOING,
    FLED,
    NONE,
    NOTHING,
    NOWHERE,
    ROLLED,
    TARGET,
)
from ludex.games.skirmish.rules.engine.units import bar, block, engaged, has, hex_of, put, put_mark, stands, wounds_of
from ludex.games.skirmish.rules.engine.workspace import Scratch
from ludex.games.skirmish.rules.hexes.grid import UNREACHED, reach
from ludex.kernels.jit import kernel, to_index


@kernel
def walk(constants: Constants, state: NDArray[np.int16], unit: int, work: Scratch) -> int:
    """Fill `work.steps` with what the active unit can reach: around walls, units and hexes next to the enemy.

    `work.queue` then begins with the hexes reached, the own first; returns how many.
    """
    steps = to_index(constants.move[unit])
    if state[DOING] == ADVANCING:
        steps += to_index(state[ROLLED])
    block(constants, state, work)
    bar(constants, state, 1 - to_index(constants.owner[unit]), work)
    return reach(hex_of(state, unit), steps, work.blocked, work.barred, constants.neighbours, work.steps, work.queue)


@kernel
def can_advance(constants: Constants, state: NDArray[np.int16], unit: int) -> bool:
    """A unit next to an enemy can only flee."""
    enemy = 1 - to_index(constants.owner[unit])
    return state[DOING] == NOTHING and not engaged(constants, state, hex_of(state, unit), enemy)


@kernel
def advance(state: NDArray[np.int16], states: NDArray[np.uint64], lane: int, work: Scratch) -> None:
    """Roll a die for more steps; the unit then shoots with assault weapons only, and does not charge."""
    unit, die = to_index(state[ACTIVE]), roll(states, lane)
    add_event(work, ADVANCE_ROLL, unit, die, 0)
    put_mark(state, unit, ADVANCED)
    state[DOING] = ADVANCING
    state[ROLLED] = die


@kernel
def move(constants: Constants, state: NDArray[np.int16], where: int, work: Scratch) -> None:
    """Walk to a hex. A unit that leaves an enemy's side has fled, and neither shoots nor charges this turn."""
    unit = to_index(state[ACTIVE])
    here = hex_of(state, unit)
    if engaged(constants, state, here, 1 - to_index(constants.owner[unit])):
        put_mark(state, unit, FLED)
        add_event(work, FLED_EVENT, unit, 0, 0)
    put(state, unit, where)
    add_event(work, MOVED, unit, here, where)


@kernel
def can_fire(constants: Constants, state: NDArray[np.int16], unit: int, weapon: int, target: int) -> bool:
    """Whether a weapon may be fired at an enemy this turn."""
    if has(state, unit, ADVANCED) and not constants.assault[weapon]:
        return False
    return aims(constants, state, unit, weapon, target)


@kernel
def aims(constants: Constants, state: NDArray[np.int16], unit: int, weapon: int, target: int) -> bool:
    """Whether an enemy is in a weapon's range and sight, and not next to a friend unless it is a pistol."""
    here, there = hex_of(state, unit), hex_of(state, target)
    if constants.distance[here, there] > constants.reaches[weapon] or not constants.sight[here, there]:
        return False
    return constants.pistol[weapon] != 0 or not engaged(constants, state, there, to_index(constants.owner[unit]))


@kernel
def can_shoot(constants: Constants, state: NDArray[np.int16], unit: int, target: int) -> bool:
    """Whether any weapon of a unit may be fired at an enemy."""
    if has(state, unit, FLED) or not stands(state, target):
        return False
    for i in range(RANGED):
        weapon = to_index(constants.ranged[unit, i])
        if weapon != NONE and can_fire(constants, state, unit, weapon, target):
            return True
    return False


@kernel
def has_target(constants: Constants, state: NDArray[np.int16], unit: int) -> bool:
    """Whether a unit may shoot any enemy."""
    enemy = 1 - to_index(constants.owner[unit])
    for target in range(constants.first[enemy], constants.first[enemy + 1]):
        if can_shoot(constants, state, unit, target):
            return True
    return False


@kernel
def shoot(
    constants: Constants, state: NDArray[np.int16], target: int, states: NDArray[np.uint64], lane: int, work: Scratch
) -> None:
    """Fire every weapon that may be fired at the target, one after the other."""
    unit = to_index(state[ACTIVE])
    for i in range(RANGED):
        weapon = to_index(constants.ranged[unit, i])
        if weapon != NONE and wounds_of(state, target) > 0 and can_fire(constants, state, unit, weapon, target):
            attack(constants, state, unit, target, weapon, states, lane, work)


@kernel
def can_charge(constants: Constants, state: NDArray[np.int16], unit: int, target: int) -> bool:
    """Whether a unit may try to charge an enemy."""
    here = hex_of(state, unit)
    if has(state, unit, ADVANCED) or has(state, unit, FLED) or not stands(state, target):
        return False
    if engaged(constants, state, here, 1 - to_index(constants.owner[unit])):
        return False
    return to_index(constants.distance[here, hex_of(state, target)]) <= constants.charge_range


@kernel
def has_prey(constants: Constants, state: NDArray[np.int16], unit: int) -> bool:
    """Whether a unit may try to charge any enemy."""
    enemy = 1 - to_index(constants.owner[unit])
    for target in range(constants.first[enemy], constants.first[enemy + 1]):
        if can_charge(constants, state, unit, target):
            return True
    return False


@kernel
def run_up(constants: Constants, state: NDArray[np.int16], work: Scratch) -> None:
    """Fill `work.steps` with what the charging unit can reach: around walls and units, past enemies."""
    block(constants, state, work)
    work.barred[: constants.size] = 0
    here, steps = hex_of(state, to_index(state[ACTIVE])), to_index(state[ROLLED])
    reach(here, steps, work.blocked, work.barred, constants.neighbours, work.steps, work.queue)


@kernel
def landing(constants: Constants, state: NDArray[np.int16], direction: int, work: Scratch) -> int:
    """The hex on one side of the charged unit, if the charger can reach it, else NOWHERE; after `run_up`."""
    there = to_index(constants.neighbours[hex_of(state, to_index(state[TARGET])), direction])
    return there if there != NOWHERE and work.steps[there] != UNREACHED else NOWHERE


@kernel
def charge(
    constants: Constants, state: NDArray[np.int16], target: int, states: NDArray[np.uint64], lane: int, work: Scratch
) -> bool:
    """Roll for the charge; False if no side of the target can be reached."""
    unit = to_index(state[ACTIVE])
    first, second = roll(states, lane), roll(states, lane)
    add_event(work, CHARGE_ROLL, unit, first, second)
    state[DOING] = CHARGING
    state[ROLLED] = first + second
    state[TARGET] = target
    run_up(constants, state, work)
    for direction in range(constants.neighbours.shape[1]):
        if landing(constants, state, direction, work) != NOWHERE:
            return True
    add_event(work, CHARGE_FAILED, unit, target, 0)
    return False


@kernel
def land(constants: Constants, state: NDArray[np.int16], direction: int, work: Scratch) -> None:
    """Put the charger next to its target."""
    unit = to_index(state[ACTIVE])
    here = hex_of(state, unit)
    there = to_index(constants.neighbours[hex_of(state, to_index(state[TARGET])), direction])
    put(state, unit, there)
    put_mark(state, unit, CHARGED)
    add_event(work, MOVED, unit, here, there)


@kernel
def can_fight(constants: Constants, state: NDArray[np.int16], unit: int, target: int) -> bool:
    """Whether two units stand side by side."""
    return stands(state, target) and constants.distance[hex_of(state, unit), hex_of(state, target)] == 1


@kernel
def has_foe(constants: Constants, state: NDArray[np.int16], unit: int) -> bool:
    """Whether a unit stands next to an enemy."""
    return stands(state, unit) and engaged(constants, state, hex_of(state, unit), 1 - to_index(constants.owner[unit]))


@kernel
def fight(
    constants: Constants, state: NDArray[np.int16], target: int, states: NDArray[np.uint64], lane: int, work: Scratch
) -> None:
    """Strike with the melee weapon."""
    unit = to_index(state[ACTIVE])
    attack(constants, state, unit, target, to_index(constants.melee[unit]), states, lane, work)
