"""Reading and writing the units of a state."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine.constants import Constants
from ludex.games.skirmish.rules.engine.layout import HEX, MARKS, NONE, NOWHERE, UNIT_WORDS, UNITS, WOUNDS
from ludex.games.skirmish.rules.engine.workspace import Scratch
from ludex.kernels.jit import copy_into, kernel, to_index


@kernel
def hex_of(state: NDArray[np.int16], unit: int) -> int:
    """Where a unit stands, or NOWHERE."""
    return to_index(state[UNITS + unit * UNIT_WORDS + HEX])


@kernel
def wounds_of(state: NDArray[np.int16], unit: int) -> int:
    """What a unit can still take; 0 is destroyed."""
    return to_index(state[UNITS + unit * UNIT_WORDS + WOUNDS])


@kernel
def has(state: NDArray[np.int16], unit: int, mark: int) -> bool:
    """Whether a unit carries a mark."""
    return to_index(state[UNITS + unit * UNIT_WORDS + MARKS]) & mark != 0


@kernel
def put_mark(state: NDArray[np.int16], unit: int, mark: int) -> None:
    """Give a unit a mark."""
    state[UNITS + unit * UNIT_WORDS + MARKS] |= mark


@kernel
def take_mark(state: NDArray[np.int16], unit: int, mark: int) -> None:
    """Take a mark from a unit, or several."""
    state[UNITS + unit * UNIT_WORDS + MARKS] &= ~mark


@kernel
def put(state: NDArray[np.int16], unit: int, where: int) -> None:
    """Move a unit to a hex, or NOWHERE."""
    state[UNITS + unit * UNIT_WORDS + HEX] = where


@kernel
def stands(state: NDArray[np.int16], unit: int) -> bool:
    """Whether a unit is on the board."""
    return hex_of(state, unit) != NOWHERE


@kernel
def occupant(constants: Constants, state: NDArray[np.int16], where: int) -> int:
    """The unit on a hex, or NONE."""
    for unit in range(constants.units):
        if hex_of(state, unit) == where:
            return unit
    return NONE


@kernel
def engaged(constants: Constants, state: NDArray[np.int16], where: int, player: int) -> bool:
    """Whether a hex is next to a unit of this player."""
    for unit in range(constants.first[player], constants.first[player + 1]):
        if stands(state, unit) and constants.distance[hex_of(state, unit), where] == 1:
            return True
    return False


@kernel
def block(constants: Constants, state: NDArray[np.int16], work: Scratch) -> None:
    """Mark the hexes that no unit can enter: walls, holes and units."""
    copy_into(work.blocked[: constants.size], constants.wall)
    for unit in range(constants.units):
        if stands(state, unit):
            work.blocked[hex_of(state, unit)] = 1


@kernel
def bar(constants: Constants, state: NDArray[np.int16], player: int, work: Scratch) -> None:
    """Mark the hexes next to a unit of this player, which others do not walk through."""
    work.barred[: constants.size] = 0
    for unit in range(constants.first[player], constants.first[player + 1]):
        if stands(state, unit):
            here = hex_of(state, unit)
            for direction in range(constants.neighbours.shape[1]):
                there = constants.neighbours[here, direction]
                if there != NOWHERE:
                    work.barred[there] = 1
