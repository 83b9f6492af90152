"""What a network sees: planes over the board and one row of numbers, from the state that the mask comes from.

Who looks is "own", the other "enemy". `shown: int64[hexes]` says where on the planes each hex is: where it is, or for
player 2 where half a turn brings it, see `turning`.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine.constants import ARM_NUMBERS, Scene
from ludex.games.skirmish.rules.engine.danger import DANGER_PLANES, VALUE, charged, fill_danger, fired, share
from ludex.games.skirmish.rules.engine.deployment import FINE, can_place, hex_fault
from ludex.games.skirmish.rules.engine.layout import (
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
from ludex.games.skirmish.rules.engine.scoring import units_near
from ludex.games.skirmish.rules.engine.units import has, hex_of, stands, wounds_of
from ludex.games.skirmish.rules.engine.workspace import Scratch
from ludex.kernels.jit import copy_into, kernel, to_index

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
AT_OBJECTIVE: Final = 17
"""How many objectives a unit on the hex would count for."""
OWN_LEAD: Final = 18
ENEMY_LEAD: Final = 19
"""There, how many units more the own side has, or the enemy."""
DANGER: Final = 20
"""And the next five planes: see `danger`."""
PLANES: Final = DANGER + DANGER_PLANES

GENERAL: Final = 23
"""Numbers about the whole game: phases one-hot, then those of `_general`."""
UNIT_NUMBERS: Final = 34
"""Numbers about each unit slot, own slots first."""
PLACE: Final = 14
"""The number of a unit that tells its hex: (hex + 1) / PLACES, which half precision holds exactly; 0 is nowhere."""
PLACES: Final = 1024.0
ARMS: Final = 17
"""The first of the numbers that tell what a unit carries, see `arms`."""
_MOVE, _TOUGHNESS, _SAVE, _POINTS, _DICE = 12.0, 8.0, 7.0, 75.0, 12.0
_WOUNDS, _FAR, _LEAD = 8.0, 16.0, 3.0
"""What numbers are divided by, to be of the size of 1."""
GREATEST: Final = 16.0
"""No number of an observation is greater, whatever the scenario's schemas allow."""


def vector_length(unit_slots: int) -> int:
    """How many numbers the row has.

    >>> vector_length(10)
    703
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
    work: Scratch,
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
    _leads(scene, state, own, shown, planes)
    fill_danger(scene, state, own, shown, planes[DANGER:], work)
    _outlook(scene, state, own, vector)
    _general(scene, state, own, vector)
    for i in range(len(vector)):
        vector[i] = min(vector[i], np.float32(GREATEST))


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
    value = scene.value[unit] / VALUE
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
        numbers[PLACE] = (where + 1) / PLACES
        _standing(scene, state, unit, numbers)
    numbers[15] = scene.wounds[unit] / _WOUNDS
    numbers[16] = scene.invulnerable[unit] / _SAVE
    copy_into(numbers[ARMS : ARMS + ARM_NUMBERS], scene.arms[unit])


@kernel
def _standing(scene: Scene, state: NDArray[np.int16], unit: int, numbers: NDArray[np.float32]) -> None:
    """How far a unit on the board is from objectives and from the active unit."""
    here = hex_of(state, unit)
    nearest = _FAR
    for i in range(scene.objectives):
        nearest = min(nearest, float(scene.distance[here, scene.objective[i]]))
    numbers[22] = 1.0
    numbers[23] = nearest / _FAR
    active = to_index(state[ACTIVE])
    if active != NOBODY and stands(state, active):
        there = hex_of(state, active)
        numbers[27] = min(float(scene.distance[here, there]), _FAR) / _FAR
        numbers[28] = scene.sight[here, there]


@kernel
def _outlook(scene: Scene, state: NDArray[np.int16], own: int, vector: NDArray[np.float32]) -> None:
    """What opposed units on the board could do to each other from where they stand.

    All of them while somebody has to be activated, else the active unit and its enemies.
    """
    active = to_index(state[ACTIVE])
    for mine in range(scene.first[own], scene.first[own + 1]):
        if not stands(state, mine) or (active != NOBODY and scene.owner[active] == own and mine != active):
            continue
        ours = vector[GENERAL + (mine - to_index(scene.first[own])) * UNIT_NUMBERS :]
        for foe in range(scene.first[1 - own], scene.first[2 - own]):
            if not stands(state, foe) or (active != NOBODY and scene.owner[active] != own and foe != active):
                continue
            slot = to_index(scene.unit_slots) + foe - to_index(scene.first[1 - own])
            theirs = vector[GENERAL + slot * UNIT_NUMBERS :]
            apart = min(float(scene.distance[hex_of(state, mine), hex_of(state, foe)]), _FAR) / _FAR
            _faced(scene, state, mine, foe, apart, ours, theirs, active)
            _faced(scene, state, foe, mine, apart, theirs, ours, active)


@kernel
def _faced(
    scene: Scene,
    state: NDArray[np.int16],
    unit: int,
    foe: int,
    apart: float,
    numbers: NDArray[np.float32],
    foes: NDArray[np.float32],
    active: int,
) -> None:
    """What one unit could do to another, in the numbers of both."""
    fire, charge = fired(scene, state, unit, foe), charged(scene, state, unit, foe)
    worth = scene.value[foe] / VALUE
    numbers[22] = min(numbers[22], np.float32(apart))
    numbers[24] = max(numbers[24], np.float32(worth * fire))
    numbers[25] = max(numbers[25], np.float32(worth * charge))
    foes[26] += worth * fire
    if unit == active:
        foes[29] = fire
        foes[30] = charge
        foes[31] = share(scene, state, to_index(scene.melee[unit]), foe)
    elif foe == active:
        numbers[32] = share(scene, state, to_index(scene.melee[unit]), foe)
        numbers[33] = fire


@kernel
def _leads(
    scene: Scene, state: NDArray[np.int16], own: int, shown: NDArray[np.int64], planes: NDArray[np.float32]
) -> None:
    """Where objectives are held from, and who has how many more units there."""
    for i in range(scene.objectives):
        lead = units_near(scene, state, i, own) - units_near(scene, state, i, 1 - own)
        for place in range(scene.around_size[i]):
            there = shown[scene.around[i, place]]
            planes[AT_OBJECTIVE, there] += 1.0
            planes[OWN_LEAD, there] = min(planes[OWN_LEAD, there] + max(lead, 0) / _LEAD, GREATEST)
            planes[ENEMY_LEAD, there] = min(planes[ENEMY_LEAD, there] + max(-lead, 0) / _LEAD, GREATEST)


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
