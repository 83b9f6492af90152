"""The fight phase: chargers first, then both sides in turns, the player whose turn it is not first."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.engine.attack import attack
from ludex.games.skirmish.engine.layout import ACTIVE
from ludex.games.skirmish.engine.scene import Scene
from ludex.games.skirmish.engine.scratch import Scratch
from ludex.games.skirmish.engine.unit import engaged, hex_of, stands
from ludex.kernels.jit import kernel, to_index


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
