"""What a network sees: planes over the board and one row of numbers, from the state that the mask comes from.

The observing player is "own", the other "enemy". `shown: int64[hexes]` is the place of each hex on the planes: its own,
or for player 2 the one rotated by 180°, see `orientation`.
"""

from typing import Final

import numpy as np

from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.engine.danger import (
    DANGER_PLANES,
    VALUE,
    Mapping,
    Numbers,
    charge_share,
    fill_danger,
    fire_share,
    weapon_share,
)
from ludex.games.skirmish.rules.engine.deployment import FINE, can_place, hex_fault
from ludex.games.skirmish.rules.engine.layout import State
from ludex.games.skirmish.rules.engine.records import ARM_NUMBERS, Constants, Scratch
from ludex.games.skirmish.rules.engine.units import has, hex_of, stands, units_near, wounds_of
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
"""The number of a unit that encodes its hex: (hex + 1) / PLACES, exact in half precision; 0 is nowhere."""
PLACES: Final = 1024.0
ARMS: Final = 17
"""The first of the numbers that describe a unit's weapons, see `weapons.arms`."""
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
    constants: Constants, state: State, own: int, mapping: Mapping, planes: Numbers, vector: Numbers, work: Scratch
) -> None:
    """Fill `planes: float32[PLANES, hexes]` and `vector: float32[V]` for one player."""
    planes[:] = 0.0
    vector[:] = 0.0
    for where in range(constants.size):
        there = mapping[where]
        planes[OPEN, there] = 1.0 - constants.wall[where]
        planes[OWN_ZONE, there] = constants.slot[own, where] != layout.NOWHERE
        planes[ENEMY_ZONE, there] = constants.slot[1 - own, where] != layout.NOWHERE
    for i in range(constants.objectives):
        planes[OBJECTIVE, mapping[constants.objective[i]]] = 1.0
    if state[layout.PHASE] == layout.DEPLOYMENT and state[layout.TO_MOVE] == own and can_place(constants, state, own):
        for slot in range(constants.pool_size[own]):
            where = to_index(constants.pool[own, slot])
            planes[PLACEABLE, mapping[where]] = hex_fault(constants, state, where) == FINE
    for unit in range(constants.units):
        mine = constants.owner[unit] == own
        player = to_index(constants.owner[unit])
        slot = unit - to_index(constants.first[player])
        base = GENERAL + ((0 if mine else to_index(constants.unit_slots)) + slot) * UNIT_NUMBERS
        _unit(constants, state, unit, mapping, planes[OWN if mine else ENEMY :], vector[base : base + UNIT_NUMBERS])
    if state[layout.ACTIVE] != layout.NONE:
        planes[ACTIVE_UNIT, mapping[hex_of(state, to_index(state[layout.ACTIVE]))]] = 1.0
    if state[layout.TARGET] != layout.NONE:
        planes[TARGETED, mapping[hex_of(state, to_index(state[layout.TARGET]))]] = 1.0
    _leads(constants, state, own, mapping, planes)
    fill_danger(constants, state, own, mapping, planes[DANGER:], work)
    _outlook(constants, state, own, vector)
    _general(constants, state, own, vector)
    for i in range(len(vector)):
        vector[i] = min(vector[i], np.float32(GREATEST))


@kernel
def _unit(constants: Constants, state: State, unit: int, mapping: Mapping, planes: Numbers, numbers: Numbers) -> None:
    """One unit: on its planes if it stands on the board, and in its slot's numbers in any case."""
    left = wounds_of(state, unit) / constants.wounds[unit]
    value = constants.value[unit] / VALUE
    ready = has(state, unit, layout.READY)
    spent = has(state, unit, layout.ADVANCED) or has(state, unit, layout.FLED)
    numbers[0] = has(state, unit, layout.DEPLOYED)
    numbers[1] = left > 0.0
    numbers[2] = left
    numbers[3] = ready
    numbers[4] = state[layout.ACTIVE] == unit
    numbers[5] = has(state, unit, layout.ADVANCED)
    numbers[6] = has(state, unit, layout.FLED)
    numbers[7] = has(state, unit, layout.CHARGED)
    numbers[8] = value
    numbers[9] = constants.move[unit] / _MOVE
    numbers[10] = constants.toughness[unit] / _TOUGHNESS
    numbers[11] = constants.save[unit] / _SAVE
    numbers[12] = constants.ranged[unit, 0] != layout.NONE
    if stands(state, unit):
        where = mapping[hex_of(state, unit)]
        numbers[13] = 1.0
        planes[0, where] = 1.0
        planes[1, where] = left
        planes[2, where] = value
        planes[3, where] = ready
        planes[4, where] = spent
        numbers[PLACE] = (where + 1) / PLACES
        _standing(constants, state, unit, numbers)
    numbers[15] = constants.wounds[unit] / _WOUNDS
    numbers[16] = constants.invulnerable[unit] / _SAVE
    copy_into(numbers[ARMS : ARMS + ARM_NUMBERS], constants.arms[unit])


@kernel
def _standing(constants: Constants, state: State, unit: int, numbers: Numbers) -> None:
    """How far a unit on the board is from objectives and from the active unit."""
    here = hex_of(state, unit)
    nearest = _FAR
    for i in range(constants.objectives):
        nearest = min(nearest, float(constants.distance[here, constants.objective[i]]))
    numbers[22] = 1.0
    numbers[23] = nearest / _FAR
    active = to_index(state[layout.ACTIVE])
    if active != layout.NONE and stands(state, active):
        there = hex_of(state, active)
        numbers[27] = min(float(constants.distance[here, there]), _FAR) / _FAR
        numbers[28] = constants.sight[here, there]


@kernel
def _outlook(constants: Constants, state: State, own: int, vector: Numbers) -> None:
    """What opposed units on the board could do to each other from where they stand.

    All of them while a unit has to be activated, else the active unit and its enemies.
    """
    active = to_index(state[layout.ACTIVE])
    for mine in range(constants.first[own], constants.first[own + 1]):
        if not stands(state, mine) or (active != layout.NONE and constants.owner[active] == own and mine != active):
            continue
        ours = vector[GENERAL + (mine - to_index(constants.first[own])) * UNIT_NUMBERS :]
        for foe in range(constants.first[1 - own], constants.first[2 - own]):
            if not stands(state, foe) or (active != layout.NONE and constants.owner[active] != own and foe != active):
                continue
            slot = to_index(constants.unit_slots) + foe - to_index(constants.first[1 - own])
            theirs = vector[GENERAL + slot * UNIT_NUMBERS :]
            apart = min(float(constants.distance[hex_of(state, mine), hex_of(state, foe)]), _FAR) / _FAR
            _observe_exchange(constants, state, mine, foe, apart, ours, theirs, active)
            _observe_exchange(constants, state, foe, mine, apart, theirs, ours, active)


@kernel
def _observe_exchange(
    constants: Constants, state: State, unit: int, foe: int, apart: float, numbers: Numbers, foes: Numbers, active: int
) -> None:
    """What one unit could do to another, in the numbers of both."""
    fire, charge = fire_share(constants, state, unit, foe), charge_share(constants, state, unit, foe)
    worth = constants.value[foe] / VALUE
    numbers[22] = min(numbers[22], np.float32(apart))
    numbers[24] = max(numbers[24], np.float32(worth * fire))
    numbers[25] = max(numbers[25], np.float32(worth * charge))
    foes[26] += worth * fire
    if unit == active:
        foes[29] = fire
        foes[30] = charge
        foes[31] = weapon_share(constants, state, to_index(constants.melee[unit]), foe)
    elif foe == active:
        numbers[32] = weapon_share(constants, state, to_index(constants.melee[unit]), foe)
        numbers[33] = fire


@kernel
def _leads(constants: Constants, state: State, own: int, mapping: Mapping, planes: Numbers) -> None:
    """Where objectives are held from, and each side's lead in units there."""
    for i in range(constants.objectives):
        lead = units_near(constants, state, i, own) - units_near(constants, state, i, 1 - own)
        for place in range(constants.around_size[i]):
            there = mapping[constants.around[i, place]]
            planes[AT_OBJECTIVE, there] += 1.0
            planes[OWN_LEAD, there] = min(planes[OWN_LEAD, there] + max(lead, 0) / _LEAD, GREATEST)
            planes[ENEMY_LEAD, there] = min(planes[ENEMY_LEAD, there] + max(-lead, 0) / _LEAD, GREATEST)


@kernel
def _general(constants: Constants, state: State, own: int, vector: Numbers) -> None:
    vector[state[layout.PHASE]] = 1.0
    at = len(layout.PHASES)
    vector[at] = state[layout.TURN] / constants.turns
    vector[at + 1] = own
    vector[at + 2] = state[layout.PLAYER] == own
    vector[at + 15] = state[layout.TO_MOVE] == own
    vector[at + 3] = state[layout.POINTS + own] / _POINTS
    vector[at + 4] = state[layout.POINTS + 1 - own] / _POINTS
    vector[at + 5] = state[layout.PHASE] == layout.DEPLOYMENT and can_place(constants, state, own)
    vector[at + 6] = state[layout.UNDEPLOYS + own] > 0
    vector[at + 7] = state[layout.CONFIRMED + own]
    vector[at + 8] = state[layout.CONFIRMED + 1 - own]
    vector[at + 9] = state[layout.ROLLED] / _DICE
    vector[at + 10 + state[layout.DOING]] = 1.0
    vector[at + 13] = state[layout.ACTIVE] != layout.NONE
    vector[at + 14] = state[layout.PHASE] == layout.OVER
