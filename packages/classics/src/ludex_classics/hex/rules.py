"""The rules of Hex on bit boards of two words: Blue connects top and bottom, Orange left and right."""

from typing import Final

from ludex.kit.bits64 import bit_count, to_word
from ludex.kit.bits128 import Words, add, first, has, shift
from ludex.kit.rules import RUNNING, TURN, Mask, Vector, kernel

STONES: Final = 1
"""Behind the turn: two words of stones of either player."""
SIZE, SIDES, SHIFTS, END = 0, 1, 9, 27
"""The board: its size, the two sides of either player as words, and `Grid.shifts_of`."""


@kernel
def stones_of(state: Vector, player: int) -> Words:
    """The stones of a player."""
    return to_word(state[STONES + 2 * player]), to_word(state[STONES + 2 * player + 1])


@kernel
def connects(board: Vector, state: Vector, player: int) -> bool:
    """Whether stones of a player lead from one of the player's sides to the other."""
    own_low, own_high = stones_of(state, player)
    side = SIDES + 4 * player
    low, high = own_low & to_word(board[side]), own_high & to_word(board[side + 1])
    last_low, last_high = to_word(0), to_word(0)
    while low != last_low or high != last_high:
        last_low, last_high = low, high
        for step in range(SHIFTS, END, 3):
            next_low, next_high = shift(low, high, board[step], board[step + 1], board[step + 2])
            low |= next_low & own_low
            high |= next_high & own_high
    return (low & to_word(board[side + 2])) | (high & to_word(board[side + 3])) != 0


@kernel
def taken(state: Vector) -> Words:
    """The cells with a stone."""
    return to_word(state[STONES] | state[STONES + 2]), to_word(state[STONES + 1] | state[STONES + 3])


@kernel
def legal(board: Vector, state: Vector, mask: Mask) -> None:
    """Every free cell; after the first stone also the swap."""
    low, high = taken(state)
    for cell in range(len(mask) - 1):
        mask[cell] = not has(low, high, cell)
    mask[len(mask) - 1] = state[TURN] == 1 and bit_count(low) + bit_count(high) == 1


@kernel
def apply(board: Vector, state: Vector, action: int) -> None:
    """Put a stone; or take over the first one, mirrored, since the players' sides lie across each other."""
    turn, size, cell = state[TURN], board[SIZE], action
    if action == size * size:
        low, high = stones_of(state, 0)
        stone = first(low, high)
        state[STONES] = state[STONES + 1] = 0
        cell = stone % size * size + stone // size
    low, high = stones_of(state, turn)
    low, high = add(low, high, cell)
    state[STONES + 2 * turn] = low
    state[STONES + 2 * turn + 1] = high
    state[TURN] = 1 - turn


@kernel
def outcome(board: Vector, state: Vector) -> float:
    """The player who connects both sides wins; on a full board one always does."""
    last = 1 - state[TURN]
    if connects(board, state, last):
        return 1.0 if last == 0 else -1.0
    return RUNNING


@kernel
def piece(board: Vector, state: Vector, site: int) -> int:
    """The stone on a cell."""
    low, high = stones_of(state, 0)
    other_low, other_high = stones_of(state, 1)
    return int(has(low, high, site)) - int(has(other_low, other_high, site))


@kernel
def feature(board: Vector, state: Vector, plane: int, site: int) -> float:
    """Which sides the player to move connects."""
    return float(state[TURN])
