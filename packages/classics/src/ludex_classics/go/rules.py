"""The rules of Go on bit boards of two words: area scoring, simple ko, and a draw where a position comes back."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.seeding import mix
from ludex.kit.bits64 import bit_count, to_index, to_word
from ludex.kit.bits128 import Words, down, first, has, single, up
from ludex.kit.rules import RUNNING, TURN, Mask, Vector, kernel

STONES, KO, PASSES, PLIES, REPEATED, EARLIER = 1, 5, 7, 8, 9, 10
"""Behind the turn: two words of stones of either player, the point that a ko forbids, how many passes came last, plies,
whether a position came back, and the hashes of all positions so far."""
SIZE, POINTS, KOMI, MOST_PLIES, FULL, EAST, WEST = 0, 1, 2, 3, 4, 6, 8
"""The board: its size, how many points, White's komi in half points, the most plies, all points as words, and those
with a neighbour on either side."""
HASH_SHIFT: Final = 16
"""Hashes have 48 bits, so that every reader of JSON keeps them whole."""
REACH: Final = 4
POINT: Final = 0.07
"""How far stones reach, in an estimate, and what a point is worth."""


@kernel
def stones_of(state: Vector, player: int) -> Words:
    """The stones of a player."""
    return to_word(state[STONES + 2 * player]), to_word(state[STONES + 2 * player + 1])


@kernel
def beside(board: Vector, low: int, high: int) -> Words:
    """The points beside those of a set."""
    size = board[SIZE]
    east_low, east_high = up(low & to_word(board[EAST]), high & to_word(board[EAST + 1]), 1)
    west_low, west_high = down(low & to_word(board[WEST]), high & to_word(board[WEST + 1]), 1)
    north_low, north_high = up(low, high, size)
    south_low, south_high = down(low, high, size)
    low = east_low | west_low | south_low | north_low & to_word(board[FULL])
    return low, east_high | west_high | south_high | north_high & to_word(board[FULL + 1])


@kernel
def spread(board: Vector, low: int, high: int, through_low: int, through_high: int) -> Words:
    """A set with all that it reaches through points of another one."""
    last_low, last_high = to_word(0), to_word(0)
    while low != last_low or high != last_high:
        last_low, last_high = low, high
        next_low, next_high = beside(board, low, high)
        low |= next_low & through_low
        high |= next_high & through_high
    return low, high


@kernel
def free_points(board: Vector, state: Vector) -> Words:
    """The points without a stone."""
    low = to_word(board[FULL]) & ~to_word(state[STONES] | state[STONES + 2])
    return low, to_word(board[FULL + 1]) & ~to_word(state[STONES + 1] | state[STONES + 3])


@kernel
def legal(board: Vector, state: Vector, mask: Mask) -> None:
    """Free points where the stone, or a group that it joins or takes, has a liberty; not the ko; and the pass."""
    free_low, free_high = free_points(board, state)
    low, high = beside(board, free_low, free_high)
    for player in range(2):
        rest_low, rest_high = stones_of(state, player)
        own_low, own_high = rest_low, rest_high
        while rest_low | rest_high != 0:
            seed_low, seed_high = single(first(rest_low, rest_high))
            group_low, group_high = spread(board, seed_low, seed_high, own_low, own_high)
            rest_low &= ~group_low
            rest_high &= ~group_high
            near_low, near_high = beside(board, group_low, group_high)
            near_low &= free_low
            near_high &= free_high
            is_atari = bit_count(near_low) + bit_count(near_high) == 1
            if is_atari == (player != state[TURN]):
                low |= near_low
                high |= near_high
    low &= free_low & ~to_word(state[KO])
    high &= free_high & ~to_word(state[KO + 1])
    for point in range(board[POINTS]):
        mask[point] = has(low, high, point)
    mask[board[POINTS]] = 1


@kernel
def apply(board: Vector, state: Vector, action: int) -> None:
    """Put a stone and take the groups that it leaves without a liberty; or pass."""
    turn = state[TURN]
    state[KO] = state[KO + 1] = 0
    if action == board[POINTS]:
        state[PASSES] += 1
    else:
        state[PASSES] = 0
        put(board, state, action)
    state[TURN] = 1 - turn
    note(state, action == board[POINTS])


@kernel
def put(board: Vector, state: Vector, point: int) -> None:
    """Put a stone of the player to move, and take what it leaves without a liberty."""
    turn = state[TURN]
    free_low, free_high = free_points(board, state)
    own_low, own_high = stones_of(state, turn)
    other_low, other_high = stones_of(state, 1 - turn)
    low, high = single(point)
    free_low &= ~low
    free_high &= ~high
    near_low, near_high = beside(board, low, high)
    # A ko is a stone between the other's stones that takes one of them.
    alone = near_low & ~other_low | near_high & ~other_high == 0
    taken_low, taken_high = to_word(0), to_word(0)
    near_low &= other_low
    near_high &= other_high
    while near_low | near_high != 0:
        seed_low, seed_high = single(first(near_low, near_high))
        group_low, group_high = spread(board, seed_low, seed_high, other_low, other_high)
        near_low &= ~group_low
        near_high &= ~group_high
        around_low, around_high = beside(board, group_low, group_high)
        if around_low & free_low | around_high & free_high == 0:
            taken_low |= group_low
            taken_high |= group_high
    if alone and bit_count(taken_low) + bit_count(taken_high) == 1:
        state[KO] = taken_low
        state[KO + 1] = taken_high
    state[STONES + 2 * turn] = own_low | low
    state[STONES + 2 * turn + 1] = own_high | high
    state[STONES + 2 - 2 * turn] = other_low & ~taken_low
    state[STONES + 3 - 2 * turn] = other_high & ~taken_high


@kernel
def note(state: Vector, passed: bool) -> None:
    """Remember the position, and whether it was there before."""
    word = to_word(0)
    for index in range(STONES, STONES + 4):
        word = mix(word ^ to_word(state[index]))
    number = to_index(word >> to_word(HASH_SHIFT))
    plies = state[PLIES]
    if not passed:
        for ply in range(plies):
            if state[EARLIER + ply] == number:
                state[REPEATED] = 1
    state[EARLIER + plies] = number
    state[PLIES] = plies + 1


@kernel
def area_of(board: Vector, state: Vector, player: int) -> Words:
    """A player's stones, and the free points from which only these can be reached."""
    free_low, free_high = free_points(board, state)
    own_low, own_high = stones_of(state, player)
    other_low, other_high = stones_of(state, 1 - player)
    low, high = spread(board, own_low, own_high, free_low, free_high)
    other_low, other_high = spread(board, other_low, other_high, free_low, free_high)
    return low & ~other_low, high & ~other_high


@kernel
def outcome(board: Vector, state: Vector) -> float:
    """After two passes, or the last ply, the larger area wins; a position that comes back is a draw."""
    if state[REPEATED]:
        return 0.0
    if state[PASSES] < 2 and state[PLIES] < board[MOST_PLIES]:
        return RUNNING
    black_low, black_high = area_of(board, state, 0)
    white_low, white_high = area_of(board, state, 1)
    lead = bit_count(black_low) + bit_count(black_high) - bit_count(white_low) - bit_count(white_high)
    return float(min(1, max(-1, 2 * lead - board[KOMI])))


@kernel
def piece(board: Vector, state: Vector, site: int) -> int:
    """The stone on a point."""
    low, high = stones_of(state, 0)
    other_low, other_high = stones_of(state, 1)
    return int(has(low, high, site)) - int(has(other_low, other_high, site))


@kernel
def feature(board: Vector, state: Vector, plane: int, site: int) -> float:
    """Whether Black is to move, the point of the ko, and whether the other player has passed."""
    if plane == 0:
        return float(1 - state[TURN])
    if plane == 1:
        return 1.0 if has(state[KO], state[KO + 1], site) else 0.0
    return float(state[PASSES])


@kernel
def own(board: Vector, state: Vector, player: int, out: NDArray[np.int8]) -> None:
    """Whose area each point is, as `ludex.core.compiled` has it: 1 of the player, -1 of the other, 0 of neither."""
    low, high = area_of(board, state, player)
    other_low, other_high = area_of(board, state, 1 - player)
    for point in range(board[POINTS]):
        out[point] = int(has(low, high, point)) - int(has(other_low, other_high, point))


@kernel
def estimate(board: Vector, state: Vector) -> float:
    """Which points lie nearer to either player's stones, up to a few steps away."""
    free_low, free_high = free_points(board, state)
    low, high = stones_of(state, 0)
    other_low, other_high = stones_of(state, 1)
    for _ in range(REACH):
        near_low, near_high = beside(board, low, high)
        far_low, far_high = beside(board, other_low, other_high)
        add_low, add_high = near_low & free_low & ~far_low & ~other_low, near_high & free_high & ~far_high & ~other_high
        other_low |= far_low & free_low & ~near_low & ~low
        other_high |= far_high & free_high & ~near_high & ~high
        low |= add_low
        high |= add_high
    lead = bit_count(low) + bit_count(high) - bit_count(other_low) - bit_count(other_high)
    return math.tanh(POINT * (lead - board[KOMI] / 2))
