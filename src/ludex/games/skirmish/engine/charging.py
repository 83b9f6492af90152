"""The charge phase: choose a target, roll two dice, reach its side or fail."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.engine.dice import roll
from ludex.games.skirmish.engine.events import CHARGE_FAILED, CHARGE_ROLL, MOVED, tell
from ludex.games.skirmish.engine.layout import (
    ACTIVE,
    ADVANCED,
    CHARGED,
    CHARGING,
    DOING,
    FLED,
    NOWHERE,
    ROLLED,
    TARGET,
)
from ludex.games.skirmish.engine.scene import Scene
from ludex.games.skirmish.engine.scratch import Scratch
from ludex.games.skirmish.engine.unit import block, engaged, has, hex_of, put, put_mark, stands
from ludex.games.skirmish.hexes.reach import UNREACHED, reach
from ludex.kernels.jit import kernel, to_index


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
