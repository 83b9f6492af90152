"""The original document's search: minimax to a fixed depth with alpha-beta cut-offs and noise on its evaluations.

As the seed has it, the search knows no draws: repetition and the move limit end a match, not a line.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core.compiled import Vector
from ludex.games.quoridor.agents.minimax.evaluation import INT_MAX, INT_MIN, evaluate
from ludex.games.quoridor.rules.board import Row, wall_action
from ludex.games.quoridor.rules.movegen import is_legal, pawn_moves, play, reached
from ludex.games.quoridor.rules.paths import MOST_STEPS, shortest_path
from ludex.games.quoridor.rules.position import LEFT, PAWN, STATE_WORDS, TURN
from ludex.kernels.jit import copy_into, draw_below, kernel, to_index

MOST_CANDIDATES = 512


@kernel
def candidates(state: Row, size: int, geometry: Row, out: Vector) -> int:
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
def _consider(state: Row, row: int, col: int, vertical: bool, size: int, geometry: Row, out: Vector, count: int) -> int:
    if row < 0 or col < 0 or row >= size - 1 or col >= size - 1:
        return count
    action = wall_action(row * size + col, vertical, size)
    for index in range(count):
        if out[index] == action:
            return count
    if not is_legal(state, action, size, geometry):
        return count
    out[count] = action
    return count + 1


INFINITY = 2**40


class Setting(NamedTuple):
    """What is the same in all nodes of a search."""

    noise: int
    weights: Vector
    """int64[5]: `EvalWeights`."""
    size: int
    geometry: Row
    rng: Row
    """uint64[1]"""
    nodes: Vector
    """int64[1]: how many were searched."""
    stop: NDArray[np.uint8]
    """uint8[1]: raised to end the search."""


@kernel
def search_root(state: Row, depth: int, setting: Setting, actions: Vector, values: Vector) -> int:
    """Write every candidate and its value into `actions, values: int64[MOST_CANDIDATES]`; returns how many.

    Each is searched with a full window, so that its value is its own and not a bound. Candidates that are not finished
    when the search is stopped are left out.
    """
    states = np.empty((depth + 1, STATE_WORDS), np.uint64)
    copy_into(states[0], state)
    count = candidates(states[0], setting.size, setting.geometry, actions)
    for index in range(count):
        play(states[0], actions[index], setting.size, states[1])
        values[index] = _search(states, depth, setting)
        if setting.stop[0] != 0:
            return index
    return count


@kernel
def _search(states: Row, depth: int, setting: Setting) -> int:
    """The value of `states[1]` for the player to move in `states[0]`, searched down to `states[depth]`.

    A loop with a stack of its own: a kernel that calls itself crashes when it is read back from the cache.
    """
    root = to_index(states[0, TURN])
    moves = np.empty((depth + 1, MOST_CANDIDATES), np.int64)
    counts = np.zeros(depth + 1, np.int64)
    cursors = np.zeros(depth + 1, np.int64)
    alphas = np.full(depth + 1, -INFINITY, np.int64)
    betas = np.full(depth + 1, INFINITY, np.int64)
    bests = np.zeros(depth + 1, np.int64)
    ply, value = 1, to_index(0)
    entering = True
    while ply > 0 and setting.stop[0] == 0:
        maximising = to_index(states[ply, TURN]) == root
        if entering:
            setting.nodes[0] += 1
            settled, value = _settled(states[ply], ply, depth, root, setting)
            if settled:
                ply -= 1
                entering = False
                continue
            counts[ply] = candidates(states[ply], setting.size, setting.geometry, moves[ply])
            cursors[ply] = 0
            bests[ply] = -INFINITY if maximising else INFINITY
        elif maximising:
            bests[ply] = max(bests[ply], value)
            alphas[ply] = max(alphas[ply], value)
        else:
            bests[ply] = min(bests[ply], value)
            betas[ply] = min(betas[ply], value)
        if cursors[ply] == counts[ply] or betas[ply] <= alphas[ply]:
            value = bests[ply]
            ply -= 1
            entering = False
            continue
        play(states[ply], moves[ply, cursors[ply]], setting.size, states[ply + 1])
        cursors[ply] += 1
        alphas[ply + 1], betas[ply + 1] = alphas[ply], betas[ply]
        ply += 1
        entering = True
    return value


@kernel
def _settled(state: Row, ply: int, depth: int, root: int, setting: Setting) -> tuple[bool, int]:
    """Whether a node needs no search, and its value then.

    A win is worth a point less for every ply it takes, a loss a point more: sooner wins and later losses are better.
    """
    size, noise = setting.size, setting.noise
    if reached(state, root, size):
        return True, to_index(INT_MAX - ply)
    if reached(state, 1 - root, size):
        return True, to_index(INT_MIN + ply)
    if ply < depth:
        return False, to_index(0)
    terms = np.empty(5, np.int64)
    value = to_index(evaluate(state, root, setting.weights, size, setting.geometry, terms))
    if noise > 0:
        value += draw_below(setting.rng, 0, 2 * noise + 1) - noise
    return True, value
