"""The original document's evaluation: five weighted terms, in whole numbers, from one player's side."""

import numpy as np

from ludex.core.compiled import Vector
from ludex.games.quoridor.rules.board import Row
from ludex.games.quoridor.rules.movegen import MOST_PAWN_MOVES, pawn_moves_of, reached
from ludex.games.quoridor.rules.paths import UNREACHABLE, distance
from ludex.games.quoridor.rules.position import LEFT, PAWN
from ludex.kernels.jit import kernel, to_index

INT_MAX, INT_MIN = 2**31 - 1, -(2**31)
BLOCKED_OPPONENT, BLOCKED_SELF = INT_MAX - 1, INT_MIN + 1
ENDGAME_DISTANCE = 3


@kernel
def evaluate(state: Row, player: int, weights: Vector, size: int, geometry: Row, terms: Vector) -> int:
    """The worth of a position for a player under `EvalWeights` as `int64[5]`; its terms go into `terms: int64[5]`."""
    other = 1 - player
    if reached(state, player, size):
        return INT_MAX
    if reached(state, other, size):
        return INT_MIN
    mine = distance(state, player, size, geometry)
    theirs = distance(state, other, size, geometry)
    if mine == UNREACHABLE:
        return BLOCKED_SELF
    if theirs == UNREACHABLE:
        return BLOCKED_OPPONENT
    terms[0] = weights[0] * (theirs - mine)
    terms[1] = weights[1] * (nearness(mine) - nearness(theirs))
    terms[2] = weights[2] * (to_index(state[LEFT + player]) - to_index(state[LEFT + other]))
    moves = np.empty(MOST_PAWN_MOVES, np.int64)
    terms[3] = weights[3] * (pawn_moves_of(state, player, size, moves) - pawn_moves_of(state, other, size, moves))
    terms[4] = weights[4] * ((theirs - straight(state, other, size)) - (mine - straight(state, player, size)))
    return to_index(terms[0] + terms[1] + terms[2] + terms[3] + terms[4])


@kernel
def nearness(steps: int) -> int:
    """Nothing far from the goal, and ever more within three steps of it."""
    return (ENDGAME_DISTANCE + 1 - steps) ** 2 if steps <= ENDGAME_DISTANCE else 0


@kernel
def straight(state: Row, player: int, size: int) -> int:
    """Steps to the goal if there were no walls."""
    row = to_index(state[PAWN + player]) // size
    return size - 1 - row if player == 0 else row
