"""The rules of Nine Men's Morris on two bit boards: place men, then move them, and fly with three."""

import math
from typing import Final

from ludex.kit.bits64 import bit_count, has, to_word
from ludex.kit.rules import RUNNING, TURN, Mask, Vector, kernel

TAKING, STILL, HAND, MEN = 1, 2, 3, 5
"""Behind the turn: whether the mover takes a man, plies without a mill, and men in hand and on the board."""
MILLS, NEAR, PAIRS = 0, 16, 40
"""The board: the mills, the points beside each point, and from and to of every move."""
POINTS, NINE, THREE, QUIET = 24, 9, 3, 60
TAKE: Final = POINTS
MOVE: Final = 2 * POINTS
"""Where the actions of taking and of moving begin."""


@kernel
def initial(board: Vector, state: Vector) -> None:
    """All men in hand."""
    state[HAND] = state[HAND + 1] = NINE


@kernel
def in_mill(board: Vector, men: int, point: int) -> bool:
    """Whether a man stands in a mill."""
    for mill in range(MILLS, NEAR):
        if has(board[mill], point) and men & board[mill] == board[mill]:
            return True
    return False


@kernel
def can_step(board: Vector, state: Vector, player: int, start: int, end: int) -> bool:
    """Whether a player may move from one point to another."""
    men, taken = state[MEN + player], state[MEN] | state[MEN + 1]
    flies = bit_count(to_word(men)) == THREE
    return has(men, start) and not has(taken, end) and (flies or has(board[NEAR + start], end))


@kernel
def mobility(board: Vector, state: Vector, player: int) -> int:
    """How many moves a player has on the board."""
    count = 0
    for start in range(POINTS):
        if has(state[MEN + player], start):
            for end in range(POINTS):
                count += can_step(board, state, player, start, end)
    return count


@kernel
def legal(board: Vector, state: Vector, mask: Mask) -> None:
    """Take a man outside mills, if there is one; else place, or move."""
    turn = state[TURN]
    other = state[MEN + 1 - turn]
    if state[TAKING]:
        count = 0
        for point in range(POINTS):
            mask[TAKE + point] = has(other, point) and not in_mill(board, other, point)
            count += mask[TAKE + point]
        if count == 0:
            for point in range(POINTS):
                mask[TAKE + point] = has(other, point)
    elif state[HAND + turn] > 0:
        for point in range(POINTS):
            mask[point] = not has(state[MEN] | state[MEN + 1], point)
    else:
        for move in range(len(mask) - MOVE):
            mask[MOVE + move] = can_step(board, state, turn, board[PAIRS + 2 * move], board[PAIRS + 2 * move + 1])


@kernel
def apply(board: Vector, state: Vector, action: int) -> None:
    """A man that closes a mill is followed by a turn of the same player, who takes one."""
    turn = state[TURN]
    end = action
    state[STILL] += 1
    if TAKE <= action < MOVE:
        state[MEN + 1 - turn] &= ~(1 << (action - TAKE))
        state[TAKING] = 0
        state[STILL] = 0
    else:
        if action < TAKE:
            state[HAND + turn] -= 1
            state[STILL] = 0
        else:
            state[MEN + turn] &= ~(1 << board[PAIRS + 2 * (action - MOVE)])
            end = board[PAIRS + 2 * (action - MOVE) + 1]
        state[MEN + turn] |= 1 << end
        if in_mill(board, state[MEN + turn], end):
            state[TAKING] = 1
            return
    state[TURN] = 1 - turn


@kernel
def men_of(state: Vector, player: int) -> int:
    """The men of a player, in hand and on the board."""
    return int(bit_count(to_word(state[MEN + player])) + state[HAND + player])


@kernel
def outcome(board: Vector, state: Vector) -> float:
    """Two men are too few, and who cannot move has lost; without a mill for long the game is drawn."""
    turn = state[TURN]
    stuck = state[TAKING] == 0 and state[HAND + turn] == 0 and mobility(board, state, turn) == 0
    if men_of(state, turn) < THREE or stuck:
        return -1.0 if turn == 0 else 1.0
    return 0.0 if state[STILL] >= QUIET and state[TAKING] == 0 else RUNNING


@kernel
def feature(board: Vector, state: Vector, plane: int, site: int) -> float:
    """Whether a man is taken, the men in hand of the mover and of the other, and the plies without a mill."""
    if plane == 0:
        return float(state[TAKING])
    if plane == 3:
        return float(state[STILL] / QUIET)
    return float(state[HAND + (state[TURN] if plane == 1 else 1 - state[TURN])] / NINE)


@kernel
def estimate(board: Vector, state: Vector) -> float:
    """Men count most, then the room to move."""
    room = mobility(board, state, 0) - mobility(board, state, 1)
    return math.tanh(0.3 * (men_of(state, 0) - men_of(state, 1)) + 0.01 * room)
