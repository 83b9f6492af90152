"""The rules of Hex on bit boards of two words: Blue connects top and bottom, Orange left and right."""

from typing import Final

from ludex.kit.bits128 import Words, add, both, count, either, first, has, read, some, spread, write
from ludex.kit.rules import RUNNING, TURN, Mask, Vector, kernel

STONES: Final = 1
"""Behind the turn: two words of stones of either player."""
SIZE, SIDES, SHIFTS, END = 0, 1, 9, 18
"""The board: its size, the two sides of either player as words, and `Grid.shifts_of` of lines."""


@kernel
def stones_of(state: Vector, player: int) -> Words:
    """The stones of a player."""
    return read(state, STONES + 2 * player)


@kernel
def connects(board: Vector, state: Vector, player: int) -> bool:
    """Whether stones of a player lead from one of the player's sides to the other."""
    own, side = stones_of(state, player), SIDES + 4 * player
    reached = spread(board, SHIFTS, END, both(own, read(board, side)), own)
    return some(both(reached, read(board, side + 2)))


@kernel
def legal(board: Vector, state: Vector, mask: Mask) -> None:
    """Every free cell; after the first stone also the swap."""
    taken = either(stones_of(state, 0), stones_of(state, 1))
    for cell in range(len(mask) - 1):
        mask[cell] = not has(*taken, cell)
    mask[len(mask) - 1] = state[TURN] == 1 and count(taken) == 1


@kernel
def apply(board: Vector, state: Vector, action: int) -> None:
    """Put a stone; or take over the first one, mirrored, since the players' sides lie across each other."""
    turn, size, cell = state[TURN], board[SIZE], action
    if action == size * size:
        stone = first(*stones_of(state, 0))
        state[STONES] = state[STONES + 1] = 0
        cell = stone % size * size + stone // size
    write(state, STONES + 2 * turn, add(*stones_of(state, turn), cell))
    state[TURN] = 1 - turn


@kernel
def outcome(board: Vector, state: Vector) -> float:
    """The player who connects both sides wins; on a full board one always does."""
    last = 1 - state[TURN]
    if connects(board, state, last):
        return 1.0 if last == 0 else -1.0
    return RUNNING


@kernel
def feature(board: Vector, state: Vector, plane: int, site: int) -> float:
    """Which sides the player to move connects."""
    return float(state[TURN])
