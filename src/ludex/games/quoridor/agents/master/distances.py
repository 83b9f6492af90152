"""Distances of every square to a goal, and the walls that stand in the way of a shortest path.

A field depends on walls alone: it stays while pawns move, and the distance of a moved pawn is looked up.
"""

import numpy as np
from numpy.typing import NDArray

from ludex.games.quoridor.agents.master.moves import VERTICAL, slot_of
from ludex.games.quoridor.rules.bits import add, down, first, has, single, without_first
from ludex.games.quoridor.rules.board import GOAL, SLOTS, Row
from ludex.games.quoridor.rules.paths import spread
from ludex.games.quoridor.rules.position import EAST, NORTH
from ludex.kernels.jit import kernel, to_word

SQUARES = 128
FAR = 127
"""The distance of a square from which no way leads to the goal."""


@kernel
def fill(state: Row, player: int, size: int, geometry: Row, field: NDArray[np.int8]) -> None:
    """Write the steps from every square to a player's goal into `field: int8[SQUARES]`."""
    field[:] = FAR
    low, high = geometry[GOAL + 2 * player], geometry[GOAL + 2 * player + 1]
    front_low, front_high = low, high
    steps = 0
    while front_low | front_high != 0:
        while front_low | front_high != 0:
            field[first(front_low, front_high)] = steps
            front_low, front_high = without_first(front_low, front_high)
        next_low, next_high = spread(low, high, state, size)
        front_low, front_high = next_low & ~low, next_high & ~high
        low, high = next_low, next_high
        steps += 1


@kernel
def bends(field: NDArray[np.int8], code: int, size: int) -> bool:
    """Whether a wall closes an edge between different distances: any other leaves the field as it is."""
    slot = slot_of(code)
    along, across = (1, size) if code < VERTICAL else (size, 1)
    bent = field[slot] != field[slot + across]
    bent |= field[slot + along] != field[slot + along + across]
    return bool(bent)


@kernel
def find_cuts(state: Row, pawn: int, size: int, geometry: Row, field: NDArray[np.int8], cuts: Row) -> None:
    """Write the slots whose wall closes an edge of some shortest path into `cuts: uint64[4]`, H then V.

    Any other wall leaves the pawn's distance as it is.
    """
    north_low, north_high = to_word(0), to_word(0)
    east_low, east_high = to_word(0), to_word(0)
    front_low, front_high = single(pawn)
    steps = field[pawn]
    while steps > 0:
        steps -= 1
        next_low, next_high = to_word(0), to_word(0)
        while front_low | front_high != 0:
            square = first(front_low, front_high)
            front_low, front_high = without_first(front_low, front_high)
            if has(state[NORTH], state[NORTH + 1], square) and field[square + size] == steps:
                north_low, north_high = add(north_low, north_high, square)
                next_low, next_high = add(next_low, next_high, square + size)
            if square >= size and has(state[NORTH], state[NORTH + 1], square - size) and field[square - size] == steps:
                north_low, north_high = add(north_low, north_high, square - size)
                next_low, next_high = add(next_low, next_high, square - size)
            if has(state[EAST], state[EAST + 1], square) and field[square + 1] == steps:
                east_low, east_high = add(east_low, east_high, square)
                next_low, next_high = add(next_low, next_high, square + 1)
            # The square before column a is the last of the row below, and its edge east is always closed.
            if square > 0 and has(state[EAST], state[EAST + 1], square - 1) and field[square - 1] == steps:
                east_low, east_high = add(east_low, east_high, square - 1)
                next_low, next_high = add(next_low, next_high, square - 1)
        front_low, front_high = next_low, next_high
    low, high = down(north_low, north_high, 1)
    cuts[0] = (low | north_low) & geometry[SLOTS]
    cuts[1] = (high | north_high) & geometry[SLOTS + 1]
    low, high = down(east_low, east_high, size)
    cuts[2] = (low | east_low) & geometry[SLOTS]
    cuts[3] = (high | east_high) & geometry[SLOTS + 1]


@kernel
def is_cut(cuts: Row, code: int) -> bool:
    """Whether a wall is among `cuts: uint64[4]`."""
    start = 0 if code < VERTICAL else 2
    return has(cuts[start], cuts[start + 1], slot_of(code))
