"""The shoot phase."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.engine.attack import attack
from ludex.games.skirmish.engine.layout import ACTIVE, ADVANCED, FLED, NOBODY
from ludex.games.skirmish.engine.scene import RANGED, Scene
from ludex.games.skirmish.engine.scratch import Scratch
from ludex.games.skirmish.engine.unit import engaged, has, hex_of, stands, wounds_of
from ludex.kernels.jit import kernel, to_index


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
