"""The rules of Breakthrough on two bit boards: a man goes one row forward, and captures diagonally only."""

import math
from typing import Final

from ludex.kit.bits64 import bit_count, has, single, to_word
from ludex.kit.rules import RUNNING, TURN, Mask, Vector, kernel

MEN: Final = 1
"""Behind the turn: the men of either player."""
SIZE, GOALS, PAIRS = 0, 1, 3
"""The board: its size, the last row of either player, then from and to of every action."""
MAN, ROW = 0.08, 0.004
"""What a man and a row that it has advanced are worth."""


@kernel
def initial(board: Vector, state: Vector) -> None:
    """Two rows of men on either side."""
    size = board[SIZE]
    for cell in range(2 * size):
        state[MEN] |= 1 << cell
        state[MEN + 1] |= 1 << (size * size - 1 - cell)


@kernel
def legal(board: Vector, state: Vector, mask: Mask) -> None:
    """One row forward onto a free square, or diagonally onto one that the player does not hold."""
    turn, size = state[TURN], board[SIZE]
    own, other = state[MEN + turn], state[MEN + 1 - turn]
    for action in range(len(mask)):
        start, end = board[PAIRS + 2 * action], board[PAIRS + 2 * action + 1]
        forward = (end > start) == (turn == 0)
        straight = start % size == end % size
        mask[action] = forward and has(own, start) and not has(own, end) and not (straight and has(other, end))


@kernel
def apply(board: Vector, state: Vector, action: int) -> None:
    """Move a man, and take what stands there."""
    turn = state[TURN]
    start, end = board[PAIRS + 2 * action], board[PAIRS + 2 * action + 1]
    state[MEN + turn] = (to_word(state[MEN + turn]) & ~single(start)) | single(end)
    state[MEN + 1 - turn] = to_word(state[MEN + 1 - turn]) & ~single(end)
    state[TURN] = 1 - turn


@kernel
def rows_of(board: Vector, state: Vector, player: int) -> int:
    """How many rows the men of a player have advanced in all."""
    size, total = board[SIZE], 0
    for cell in range(size * size):
        if has(state[MEN + player], cell):
            total += cell // size if player == 0 else size - 1 - cell // size
    return total


@kernel
def outcome(board: Vector, state: Vector) -> float:
    """Who has reached the last row, or taken every man, has won."""
    last = 1 - state[TURN]
    if state[MEN + last] & board[GOALS + last] != 0 or state[MEN + 1 - last] == 0:
        return 1.0 if last == 0 else -1.0
    return RUNNING


@kernel
def estimate(board: Vector, state: Vector) -> float:
    """Men, and how far they are."""
    men = bit_count(to_word(state[MEN])) - bit_count(to_word(state[MEN + 1]))
    return math.tanh(MAN * men + ROW * (rows_of(board, state, 0) - rows_of(board, state, 1)))
