"""The phases of a turn: move, shoot, charge and fight."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine.attack import attack, roll
from ludex.games.skirmish.rules.engine.constants import RANGED, Scene
from ludex.games.skirmish.rules.engine.events import ADVANCE_ROLL, CHARGE_FAILED, CHARGE_ROLL, MOVED, tell
from ludex.games.skirmish.rules.engine.events import FLED as FLED_EVENT
from ludex.games.skirmish.rules.engine.layout import (
    ACTIVE,
    ADVANCED,
    ADVANCING,
    CHARGED,
    CHARGING,
    DOING,
    FLED,
    NOBODY,
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
def walk(scene: Scene, state: NDArray[np.int16], unit: int, work: Scratch) -> int:
    """Fill `work.steps` with what the active unit can reach: around walls, units and hexes next to the enemy.

    `work.queue` then begins with the hexes reached, the own first; returns how many.
    """
    steps = to_index(scene.move[unit])
    if state[DOING] == ADVANCING:
        steps += to_index(state[ROLLED])
    block(scene, state, work)
    bar(scene, state, 1 - to_index(scene.owner[unit]), work)
    return reach(hex_of(state, unit), steps, work.blocked, work.barred, scene.neighbours, work.steps, work.queue)


@kernel
def can_advance(scene: Scene, state: NDArray[np.int16], unit: int) -> bool:
    """A unit next to an enemy can only flee."""
    enemy = 1 - to_index(scene.owner[unit])
    return state[DOING] == NOTHING and not engaged(scene, state, hex_of(state, unit), enemy)


@kernel
def advance(state: NDArray[np.int16], states: NDArray[np.uint64], lane: int, work: Scratch) -> None:
    """Roll a die for more steps; the unit then shoots with assault weapons only, and does not charge."""
    unit, die = to_index(state[ACTIVE]), roll(states, lane)
    tell(work, ADVANCE_ROLL, unit, die, 0)
    put_mark(state, unit, ADVANCED)
    state[DOING] = ADVANCING
    state[ROLLED] = die


@kernel
def move(scene: Scene, state: NDArray[np.int16], where: int, work: Scratch) -> None:
    """Walk to a hex. Who leaves an enemy's side has fled, and neither shoots nor charges this turn."""
    unit = to_index(state[ACTIVE])
    here = hex_of(state, unit)
    if engaged(scene, state, here, 1 - to_index(scene.owner[unit])):
        put_mark(state, unit, FLED)
        tell(work, FLED_EVENT, unit, 0, 0)
    put(state, unit, where)
    tell(work, MOVED, unit, here, where)


@kernel
def can_fire(scene: Scene, state: NDArray[np.int16], unit: int, weapon: int, target: int) -> bool:
    """Whether a weapon may be fired at an enemy this turn."""
    if has(state, unit, ADVANCED) and not scene.assault[weapon]:
        return False
    return aims(scene, state, unit, weapon, target)


@kernel
def aims(scene: Scene, state: NDArray[np.int16], unit: int, weapon: int, target: int) -> bool:
    """Whether an enemy is in a weapon's range and sight, and not next to a friend unless it is a pistol."""
    here, there = hex_of(state, unit), hex_of(state, target)
    if scene.distance[here, there] > scene.reaches[weapon] or not scene.sight[here, there]:
        return False
    return scene.pistol[weapon] != 0 or not engaged(scene, state, there, to_index(scene.owner[unit]))


@kernel
def can_shoot(scene: Scene, state: NDArray[np.int16], unit: int, target: int) -> bool:
    """Whether any weapon of a unit may be fired at an enemy."""
    if has(state, unit, FLED) or not stands(state, target):
        return False
    for i in range(RANGED):
        weapon = to_index(scene.ranged[unit, i])
        if weapon != NOBODY and can_fire(scene, state, unit, weapon, target):
            return True
    return False


@kernel
def has_target(scene: Scene, state: NDArray[np.int16], unit: int) -> bool:
    """Whether a unit may shoot anybody."""
    enemy = 1 - to_index(scene.owner[unit])
    for target in range(scene.first[enemy], scene.first[enemy + 1]):
        if can_shoot(scene, state, unit, target):
            return True
    return False


@kernel
def shoot(
    scene: Scene, state: NDArray[np.int16], target: int, states: NDArray[np.uint64], lane: int, work: Scratch
) -> None:
    """Fire every weapon that may be fired at the target, one after the other."""
    unit = to_index(state[ACTIVE])
    for i in range(RANGED):
        weapon = to_index(scene.ranged[unit, i])
        if weapon != NOBODY and wounds_of(state, target) > 0 and can_fire(scene, state, unit, weapon, target):
            attack(scene, state, unit, target, weapon, states, lane, work)


@kernel
def can_charge(scene: Scene, state: NDArray[np.int16], unit: int, target: int) -> bool:
    """Whether a unit may try to charge an enemy."""
    here = hex_of(state, unit)
    if has(state, unit, ADVANCED) or has(state, unit, FLED) or not stands(state, target):
        return False
    if engaged(scene, state, here, 1 - to_index(scene.owner[unit])):
        return False
    return to_index(scene.distance[here, hex_of(state, target)]) <= scene.charge_range


@kernel
def has_prey(scene: Scene, state: NDArray[np.int16], unit: int) -> bool:
    """Whether a unit may try to charge anybody."""
    enemy = 1 - to_index(scene.owner[unit])
    for target in range(scene.first[enemy], scene.first[enemy + 1]):
        if can_charge(scene, state, unit, target):
            return True
    return False


@kernel
def run_up(scene: Scene, state: NDArray[np.int16], work: Scratch) -> None:
    """Fill `work.steps` with what the charging unit can reach: around walls and units, past enemies."""
    block(scene, state, work)
    work.barred[: scene.size] = 0
    here, steps = hex_of(state, to_index(state[ACTIVE])), to_index(state[ROLLED])
    reach(here, steps, work.blocked, work.barred, scene.neighbours, work.steps, work.queue)


@kernel
def landing(scene: Scene, state: NDArray[np.int16], direction: int, work: Scratch) -> int:
    """The hex on one side of the charged unit, if the charger can reach it, else NOWHERE; after `run_up`."""
    there = to_index(scene.neighbours[hex_of(state, to_index(state[TARGET])), direction])
    return there if there != NOWHERE and work.steps[there] != UNREACHED else NOWHERE


@kernel
def charge(
    scene: Scene, state: NDArray[np.int16], target: int, states: NDArray[np.uint64], lane: int, work: Scratch
) -> bool:
    """Roll for the charge; False if no side of the target can be reached."""
    unit = to_index(state[ACTIVE])
    first, second = roll(states, lane), roll(states, lane)
    tell(work, CHARGE_ROLL, unit, first, second)
    state[DOING] = CHARGING
    state[ROLLED] = first + second
    state[TARGET] = target
    run_up(scene, state, work)
    for direction in range(scene.neighbours.shape[1]):
        if landing(scene, state, direction, work) != NOWHERE:
            return True
    tell(work, CHARGE_FAILED, unit, target, 0)
    return False


@kernel
def land(scene: Scene, state: NDArray[np.int16], direction: int, work: Scratch) -> None:
    """Put the charger next to its target."""
    unit = to_index(state[ACTIVE])
    here = hex_of(state, unit)
    there = to_index(scene.neighbours[hex_of(state, to_index(state[TARGET])), direction])
    put(state, unit, there)
    put_mark(state, unit, CHARGED)
    tell(work, MOVED, unit, here, there)


@kernel
def can_fight(scene: Scene, state: NDArray[np.int16], unit: int, target: int) -> bool:
    """Whether two units stand side by side."""
    return stands(state, target) and scene.distance[hex_of(state, unit), hex_of(state, target)] == 1


@kernel
def has_foe(scene: Scene, state: NDArray[np.int16], unit: int) -> bool:
    """Whether a unit stands next to an enemy."""
    return stands(state, unit) and engaged(scene, state, hex_of(state, unit), 1 - to_index(scene.owner[unit]))


@kernel
def fight(
    scene: Scene, state: NDArray[np.int16], target: int, states: NDArray[np.uint64], lane: int, work: Scratch
) -> None:
    """Strike with the melee weapon."""
    unit = to_index(state[ACTIVE])
    attack(scene, state, unit, target, to_index(scene.melee[unit]), states, lane, work)
