"""The rules of Go on bit boards of two words: area scoring, simple ko, and a draw where a position comes back."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.seeding import mix
from ludex.kit.bits64 import to_index, to_word
from ludex.kit.bits128 import Words, beside, both, count, either, first, has, read, single, some, spread, without, write
from ludex.kit.rules import RUNNING, TURN, Mask, Vector, kernel

STONES, KO, PASSES, PLIES, REPEATED, EARLIER = 1, 5, 7, 8, 9, 10
"""Behind the turn: two words of stones of either player, the point that a ko forbids, how many passes came last, plies,
whether a position came back, and the hashes of all positions so far."""
POINTS, KOMI, MOST_PLIES, FULL, SHIFTS, END = 0, 1, 2, 3, 5, 11
"""The board: its points, White's komi in half points, the most plies, all points as words, and `Grid.shifts_of` along
rows and columns."""
HASH_SHIFT: Final = 16
"""Hashes have 48 bits, so that every reader of JSON keeps them whole."""
REACH: Final = 4
POINT: Final = 0.07
"""How far stones reach, in an estimate, and what a point is worth."""


@kernel
def stones_of(state: Vector, player: int) -> Words:
    """The stones of a player."""
    return read(state, STONES + 2 * player)


@kernel
def around(board: Vector, points: Words) -> Words:
    """The points beside those of a set."""
    return beside(board, SHIFTS, END, points)


@kernel
def reach(board: Vector, points: Words, through: Words) -> Words:
    """A set with all that it reaches through points of another one."""
    return spread(board, SHIFTS, END, points, through)


@kernel
def free_points(board: Vector, state: Vector) -> Words:
    """The points without a stone."""
    return without(read(board, FULL), either(stones_of(state, 0), stones_of(state, 1)))


@kernel
def legal(board: Vector, state: Vector, mask: Mask) -> None:
    """Free points where the stone, or a group that it joins or takes, has a liberty; not the ko; and the pass."""
    free = free_points(board, state)
    points = around(board, free)
    for player in range(2):
        own = rest = stones_of(state, player)
        while some(rest):
            group = reach(board, single(first(*rest)), own)
            rest = without(rest, group)
            near = both(around(board, group), free)
            is_atari = count(near) == 1
            if is_atari == (player != state[TURN]):
                points = either(points, near)
    points = without(both(points, free), read(state, KO))
    for point in range(board[POINTS]):
        mask[point] = has(*points, point)
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
    turn, stone = state[TURN], single(point)
    free = without(free_points(board, state), stone)
    own, other = stones_of(state, turn), stones_of(state, 1 - turn)
    near = around(board, stone)
    # A ko is a stone between the other's stones that takes one of them.
    alone = not some(without(near, other))
    taken = to_word(0), to_word(0)
    near = both(near, other)
    while some(near):
        group = reach(board, single(first(*near)), other)
        near = without(near, group)
        if not some(both(around(board, group), free)):
            taken = either(taken, group)
    if alone and count(taken) == 1:
        write(state, KO, taken)
    write(state, STONES + 2 * turn, either(own, stone))
    write(state, STONES + 2 - 2 * turn, without(other, taken))


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
    free = free_points(board, state)
    return without(reach(board, stones_of(state, player), free), reach(board, stones_of(state, 1 - player), free))


@kernel
def outcome(board: Vector, state: Vector) -> float:
    """After two passes, or the last ply, the larger area wins; a position that comes back is a draw."""
    if state[REPEATED]:
        return 0.0
    if state[PASSES] < 2 and state[PLIES] < board[MOST_PLIES]:
        return RUNNING
    lead = count(area_of(board, state, 0)) - count(area_of(board, state, 1))
    return float(min(1, max(-1, 2 * lead - board[KOMI])))


@kernel
def feature(board: Vector, state: Vector, plane: int, site: int) -> float:
    """Whether Black is to move, the point of the ko, and whether the other player has passed."""
    if plane == 0:
        return float(1 - state[TURN])
    if plane == 1:
        return 1.0 if has(*read(state, KO), site) else 0.0
    return float(state[PASSES])


@kernel
def own(board: Vector, state: Vector, player: int, out: NDArray[np.int8]) -> None:
    """Whose area each point is, as `ludex.core.compiled` has it: 1 of the player, -1 of the other, 0 of neither."""
    mine, others = area_of(board, state, player), area_of(board, state, 1 - player)
    for point in range(board[POINTS]):
        out[point] = int(has(*mine, point)) - int(has(*others, point))


@kernel
def estimate(board: Vector, state: Vector) -> float:
    """Which points lie nearer to either player's stones, up to a few steps away."""
    free, black, white = free_points(board, state), stones_of(state, 0), stones_of(state, 1)
    for _ in range(REACH):
        near, far = around(board, black), around(board, white)
        more = both(without(near, either(far, white)), free)
        white = either(white, both(without(far, either(near, black)), free))
        black = either(black, more)
    return math.tanh(POINT * (count(black) - count(white) - board[KOMI] / 2))
