"""What a network sees: planes over the board and one row of numbers, from the state that the mask comes from.

Who looks is "own", the other "enemy". `shown: int64[hexes]` says where on the planes each hex is: where it is, or for
player 2 where half a turn brings it, see `turning`.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.jit import kernel, to_index
from ludex.games.skirmish.engine.deployment import FINE, can_place, hex_fault
from ludex.games.skirmish.engine.layout import (
    ACTIVE,
    ADVANCED,
    CHARGED,
    CONFIRMED,
    DEPLOYED,
    DEPLOYMENT,
    DOING,
    FLED,
    NOBODY,
    NOWHERE,
    OVER,
    PHASE,
    PHASES,
    PLAYER,
    POINTS,
    READY,
    ROLLED,
    TARGET,
    TO_MOVE,
    TURN,
    UNDEPLOYS,
)
from ludex.games.skirmish.engine.scene import Scene
from ludex.games.skirmish.engine.unit import has, hex_of, stands, wounds_of

OPEN: Final = 0
"""Hexes that can be entered."""
OBJECTIVE: Final = 1
OWN_ZONE: Final = 2
ENEMY_ZONE: Final = 3
"""The pools, through the whole game."""
PLACEABLE: Final = 4
"""Where the current deployer can place a unit now."""
OWN: Final = 5
"""And the next five planes: a unit, its wounds left, its value, whether it is ready, and whether it stands apart."""
ENEMY: Final = 10
OF_A_UNIT: Final = 5
ACTIVE_UNIT: Final = 15
TARGETED: Final = 16
PLANES: Final = 17

GENERAL: Final = 23
"""Numbers about the whole game: phases one-hot, then those of `_general`."""
UNIT_NUMBERS: Final = 14
"""Numbers about each unit slot, own slots first."""
_VALUE, _MOVE, _TOUGHNESS, _SAVE, _POINTS, _DICE = 200.0, 12.0, 8.0, 7.0, 75.0, 12.0
"""What numbers are divided by, to be of the size of 1."""


def vector_length(unit_slots: int) -> int:
    """How many numbers the row has.

    >>> vector_length(10)
    303
    """
    return GENERAL + 2 * unit_slots * UNIT_NUMBERS


@kernel
def observe(
    scene: Scene,
    state: NDArray[np.int16],
    own: int,
    shown: NDArray[np.int64],
    planes: NDArray[np.float32],
    vector: NDArray[np.float32],
) -> None:
    """Fill `planes: float32[PLANES, hexes]` and `vector: float32[V]` for one player."""
    planes[:] = 0.0
    vector[:] = 0.0
    for where in range(scene.size):
        there = shown[where]
        planes[OPEN, there] = 1.0 - scene.wall[where]
        planes[OWN_ZONE, there] = scene.slot[own, where] != NOWHERE
        planes[ENEMY_ZONE, there] = scene.slot[1 - own, where] != NOWHERE
    for i in range(scene.objectives):
        planes[OBJECTIVE, shown[scene.objective[i]]] = 1.0
    if state[PHASE] == DEPLOYMENT and state[TO_MOVE] == own and can_place(scene, state, own):
        for slot in range(scene.pool_size[own]):
            where = to_index(scene.pool[own, slot])
            planes[PLACEABLE, shown[where]] = hex_fault(scene, state, where) == FINE
    for unit in range(scene.units):
        mine = scene.owner[unit] == own
        player = to_index(scene.owner[unit])
        slot = unit - to_index(scene.first[player])
        base = GENERAL + ((0 if mine else to_index(scene.unit_slots)) + slot) * UNIT_NUMBERS
        _unit(scene, state, unit, shown, planes[OWN if mine else ENEMY :], vector[base : base + UNIT_NUMBERS])
    if state[ACTIVE] != NOBODY:
        planes[ACTIVE_UNIT, shown[hex_of(state, to_index(state[ACTIVE]))]] = 1.0
    if state[TARGET] != NOBODY:
        planes[TARGETED, shown[hex_of(state, to_index(state[TARGET]))]] = 1.0
    _general(scene, state, own, vector)


@kernel
def _unit(
    scene: Scene,
    state: NDArray[np.int16],
    unit: int,
    shown: NDArray[np.int64],
    planes: NDArray[np.float32],
    numbers: NDArray[np.float32],
) -> None:
    """One unit: on its planes if it stands on the board, and in its slot's numbers in any case."""
    left = wounds_of(state, unit) / scene.wounds[unit]
    value = scene.value[unit] / _VALUE
    ready = has(state, unit, READY)
    spent = has(state, unit, ADVANCED) or has(state, unit, FLED)
    numbers[0] = has(state, unit, DEPLOYED)
    numbers[1] = left > 0.0
    numbers[2] = left
    numbers[3] = ready
    numbers[4] = state[ACTIVE] == unit
    numbers[5] = has(state, unit, ADVANCED)
    numbers[6] = has(state, unit, FLED)
    numbers[7] = has(state, unit, CHARGED)
    numbers[8] = value
    numbers[9] = scene.move[unit] / _MOVE
    numbers[10] = scene.toughness[unit] / _TOUGHNESS
    numbers[11] = scene.save[unit] / _SAVE
    numbers[12] = scene.ranged[unit, 0] != NOBODY
    if stands(state, unit):
        where = shown[hex_of(state, unit)]
        numbers[13] = 1.0
        planes[0, where] = 1.0
        planes[1, where] = left
        planes[2, where] = value
        planes[3, where] = ready
        planes[4, where] = spent


@kernel
def _general(scene: Scene, state: NDArray[np.int16], own: int, vector: NDArray[np.float32]) -> None:
    vector[state[PHASE]] = 1.0
    at = len(PHASES)
    vector[at] = state[TURN] / scene.turns
    vector[at + 1] = own
    vector[at + 2] = state[PLAYER] == own
    vector[at + 15] = state[TO_MOVE] == own
    vector[at + 3] = state[POINTS + own] / _POINTS
    vector[at + 4] = state[POINTS + 1 - own] / _POINTS
    vector[at + 5] = state[PHASE] == DEPLOYMENT and can_place(scene, state, own)
    vector[at + 6] = state[UNDEPLOYS + own] > 0
    vector[at + 7] = state[CONFIRMED + own]
    vector[at + 8] = state[CONFIRMED + 1 - own]
    vector[at + 9] = state[ROLLED] / _DICE
    vector[at + 10 + state[DOING]] = 1.0
    vector[at + 13] = state[ACTIVE] != NOBODY
    vector[at + 14] = state[PHASE] == OVER
