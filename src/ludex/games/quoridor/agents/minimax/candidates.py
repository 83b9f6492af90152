"""The moves the document's levels consider: every pawn move, walls on the opponent's way, walls around the opponent."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.quoridor.rules.layout import LEFT, PAWN, TURN
from ludex.games.quoridor.rules.movegen import is_legal, pawn_moves
from ludex.games.quoridor.rules.paths import MOST_STEPS, shortest_path
from ludex.kernels.jit import kernel, to_index

MOST_CANDIDATES = 512


@kernel
def candidates(state: NDArray[np.uint64], size: int, geometry: NDArray[np.uint64], out: NDArray[np.int64]) -> int:
    """Write legal actions into `out: int64[MOST_CANDIDATES]`, each once, in the document's order; returns how many."""
    count = pawn_moves(state, size, out)
    turn = to_index(state[TURN])
    if state[LEFT + turn] == 0:
        return count
    path = np.empty(MOST_STEPS, np.int64)
    steps = shortest_path(state, 1 - turn, size, geometry, path)
    for step in range(steps):
        here, there = path[step], path[step + 1]
        low = min(here, there)
        row, col = low // size, low % size
        if abs(here - there) == size:
            count = _consider(state, row, col - 1, False, size, geometry, out, count)
            count = _consider(state, row, col, False, size, geometry, out, count)
        else:
            count = _consider(state, row - 1, col, True, size, geometry, out, count)
            count = _consider(state, row, col, True, size, geometry, out, count)
    pawn = to_index(state[PAWN + 1 - turn])
    for row in range(pawn // size - 1, pawn // size + 1):
        for col in range(pawn % size - 1, pawn % size + 1):
            count = _consider(state, row, col, False, size, geometry, out, count)
            count = _consider(state, row, col, True, size, geometry, out, count)
    return count


@kernel
def _consider(
    state: NDArray[np.uint64],
    row: int,
    col: int,
    vertical: bool,
    size: int,
    geometry: NDArray[np.uint64],
    out: NDArray[np.int64],
    count: int,
) -> int:
    side = size - 1
    if row < 0 or col < 0 or row >= side or col >= side:
        return count
    action = size * size + (side * side if vertical else 0) + row * side + col
    for index in range(count):
        if out[index] == action:
            return count
    if not is_legal(state, action, size, geometry):
        return count
    out[count] = action
    return count + 1
