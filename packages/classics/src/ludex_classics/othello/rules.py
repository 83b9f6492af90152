"""The rules of Othello on two bit boards."""

import math
from typing import Final

from ludex.kit.bits64 import bit_count, has, ray, shift, single, to_word
from ludex.kit.rules import RUNNING, TURN, Mask, Vector, kernel

DISCS = 1
"""Behind the turn: the discs of either player."""
SQUARES, FIRST, CORNERS, SHIFTS = 0, 1, 3, 4
"""The board: how many squares, the first discs of either player, the corners, and `Grid.shifts`."""
CORNER: Final = 0.3
MOVE: Final = 0.05
"""What a corner and a square to move to are worth."""


@kernel
def initial(board: Vector, state: Vector) -> None:
    """Two discs of either player, crosswise in the middle."""
    state[DISCS] = board[FIRST]
    state[DISCS + 1] = board[FIRST + 1]


@kernel
def turned(board: Vector, own: int, other: int, cell: int) -> int:
    """The discs that a disc on a free square turns: rows of the other's that end at one of the player's own."""
    discs = to_word(0)
    for direction in range(SHIFTS, SHIFTS + 16, 2):
        by, movable = board[direction], board[direction + 1]
        row = ray(cell, by, movable, other)
        if shift(row | single(cell), by, movable) & own != 0:
            discs |= row
    return discs


@kernel
def squares_of(board: Vector, own: int, other: int) -> int:
    """The free squares on which a player turns discs."""
    squares = to_word(0)
    for direction in range(SHIFTS, SHIFTS + 16, 2):
        by, movable = board[direction], board[direction + 1]
        row = shift(own, by, movable) & other
        last = to_word(0)
        while row != last:
            last = row
            row |= shift(row, by, movable) & other
        squares |= shift(row, by, movable)
    return squares & ~(own | other)


@kernel
def legal(board: Vector, state: Vector, mask: Mask) -> None:
    """The squares on which discs are turned; without one, the pass."""
    turn = state[TURN]
    squares = squares_of(board, to_word(state[DISCS + turn]), to_word(state[DISCS + 1 - turn]))
    for cell in range(board[SQUARES]):
        mask[cell] = has(squares, cell)
    mask[board[SQUARES]] = squares == 0


@kernel
def apply(board: Vector, state: Vector, action: int) -> None:
    """Put a disc and turn what it encloses, or pass."""
    turn = state[TURN]
    own, other = to_word(state[DISCS + turn]), to_word(state[DISCS + 1 - turn])
    if action < board[SQUARES]:
        discs = turned(board, own, other, action)
        own |= discs | single(action)
        other &= ~discs
        state[DISCS + turn] = own
        state[DISCS + 1 - turn] = other
    state[TURN] = 1 - turn


@kernel
def outcome(board: Vector, state: Vector) -> float:
    """Once neither can move, most discs win."""
    first, second = to_word(state[DISCS]), to_word(state[DISCS + 1])
    if squares_of(board, first, second) | squares_of(board, second, first) != 0:
        return RUNNING
    return float(min(1, max(-1, bit_count(first) - bit_count(second))))


@kernel
def feature(board: Vector, state: Vector, plane: int, site: int) -> float:
    """Where the player to move would turn discs, and where the other player would."""
    player = state[TURN] if plane == 0 else 1 - state[TURN]
    own, other = to_word(state[DISCS + player]), to_word(state[DISCS + 1 - player])
    return 1.0 if not has(own | other, site) and turned(board, own, other, site) != 0 else 0.0


@kernel
def estimate(board: Vector, state: Vector) -> float:
    """Corners, which are never turned, and squares to move to, of which the other player should have few."""
    first, second = to_word(state[DISCS]), to_word(state[DISCS + 1])
    corners = bit_count(first & to_word(board[CORNERS])) - bit_count(second & to_word(board[CORNERS]))
    moves = bit_count(squares_of(board, first, second)) - bit_count(squares_of(board, second, first))
    return math.tanh(CORNER * corners + MOVE * moves)
