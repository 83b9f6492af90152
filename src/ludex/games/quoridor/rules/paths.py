"""Ways to the goal, by flooding sets of squares. Pawns do not stand in the way of a path."""

import numpy as np

from ludex.core.compiled import Vector
from ludex.games.quoridor.rules.board import GOAL, Row
from ludex.games.quoridor.rules.position import EAST, NORTH, PAWN
from ludex.kernels.jit import kernel, to_index
from ludex.kit.bits128 import Words, down, has, single, up

UNREACHABLE = -1
MOST_STEPS = 128


@kernel
def spread(low: int, high: int, state: Row, size: int) -> Words:
    """The squares of a set and all that are one step away."""
    north_low, north_high = state[NORTH], state[NORTH + 1]
    east_low, east_high = state[EAST], state[EAST + 1]
    n_low, n_high = up(low & north_low, high & north_high, size)
    s_low, s_high = down(low, high, size)
    e_low, e_high = up(low & east_low, high & east_high, 1)
    w_low, w_high = down(low, high, 1)
    return (
        low | n_low | (s_low & north_low) | e_low | (w_low & east_low),
        high | n_high | (s_high & north_high) | e_high | (w_high & east_high),
    )


@kernel
def distance(state: Row, player: int, size: int, geometry: Row) -> int:
    """Steps of a player to the goal, or UNREACHABLE."""
    goal_low, goal_high = geometry[GOAL + 2 * player], geometry[GOAL + 2 * player + 1]
    low, high = single(to_index(state[PAWN + player]))
    steps = 0
    while (low & goal_low) | (high & goal_high) == 0:
        next_low, next_high = spread(low, high, state, size)
        if next_low == low and next_high == high:
            return UNREACHABLE
        low, high = next_low, next_high
        steps += 1
    return steps


@kernel
def reaching(state: Row, player: int, size: int, geometry: Row) -> Words:
    """The squares from which a player's goal can be reached, the goal's own among them."""
    low, high = geometry[GOAL + 2 * player], geometry[GOAL + 2 * player + 1]
    while True:
        next_low, next_high = spread(low, high, state, size)
        if next_low == low and next_high == high:
            return low, high
        low, high = next_low, next_high


@kernel
def shortest_path(state: Row, player: int, size: int, geometry: Row, path: Vector) -> int:
    """Write one shortest path's squares, the pawn's first, into `path: int64[MOST_STEPS]`; returns its steps.

    Of several steps back from the goal the first in the order south, west, east, north is taken, and of several goal
    squares the lowest, so that a position always has the same path.
    """
    # The flood of `distance`, with its layers stored: `distance` runs at every leaf of a search and stays without them.
    layers = np.empty((MOST_STEPS, 2), np.uint64)
    goal_low, goal_high = geometry[GOAL + 2 * player], geometry[GOAL + 2 * player + 1]
    low, high = single(to_index(state[PAWN + player]))
    layers[0, 0], layers[0, 1] = low, high
    steps = 0
    while (low & goal_low) | (high & goal_high) == 0:
        next_low, next_high = spread(low, high, state, size)
        if next_low == low and next_high == high:
            return UNREACHABLE
        low, high = next_low, next_high
        steps += 1
        layers[steps, 0], layers[steps, 1] = low, high
    square = 0
    while not has(low & goal_low, high & goal_high, square):
        square += 1
    path[steps] = square
    for step in range(steps - 1, -1, -1):
        square = _step_back(state, square, size, layers[step, 0], layers[step, 1])
        path[step] = square
    return steps


@kernel
def _step_back(state: Row, square: int, size: int, low: int, high: int) -> int:
    if square >= size and has(state[NORTH], state[NORTH + 1], square - size) and has(low, high, square - size):
        return square - size
    if square % size > 0 and has(state[EAST], state[EAST + 1], square - 1) and has(low, high, square - 1):
        return square - 1
    if has(state[EAST], state[EAST + 1], square) and has(low, high, square + 1):
        return square + 1
    return square + size
