"""What the learned evaluation sees: a short list of things that stand somewhere, from one player's side.

The board is rotated so that the player walks up. Walls are encoded three times: where they stand, and how far from each
of the pawns. The rest are squares, stocks and distances, single and in pairs, since a sum of rows cannot multiply.
"""

import numpy as np
from numpy.typing import NDArray

from ludex.games.quoridor.agents.master.moves import VERTICAL
from ludex.games.quoridor.rules.board import Row
from ludex.games.quoridor.rules.position import LEFT, PAWN, H, V
from ludex.kernels.jit import kernel, to_index, to_word, trailing_zeros

SIZE = 9
"""The board that the shipped network knows."""
WALLS = 10
_SQUARES = SIZE * SIZE
_LAST_SLOT = SIZE * (SIZE - 2) + SIZE - 2
_WINDOW = 16
"""A wall is up to 8 rows and columns away from a pawn, on either side."""
MOST_STEPS = 31
_PAIRED = 16
"""In pairs, distances from 15 on are one."""

WALL_AT = 0
MY_PAWN = WALL_AT + 2 * _SQUARES
THEIR_PAWN = MY_PAWN + _SQUARES
MY_WALLS = THEIR_PAWN + _SQUARES
THEIR_WALLS = MY_WALLS + WALLS + 1
MY_STEPS = THEIR_WALLS + WALLS + 1
THEIR_STEPS = MY_STEPS + MOST_STEPS + 1
BOTH_STEPS = THEIR_STEPS + MOST_STEPS + 1
BOTH_WALLS = BOTH_STEPS + _PAIRED * _PAIRED
PAWNS_APART = BOTH_WALLS + (WALLS + 1) ** 2
MY_PAWN_STEPS = PAWNS_APART + (2 * SIZE - 1) ** 2
THEIR_PAWN_STEPS = MY_PAWN_STEPS + _SQUARES * _PAIRED
NEAR_ME = THEIR_PAWN_STEPS + _SQUARES * _PAIRED
NEAR_THEM = NEAR_ME + 2 * _WINDOW * _WINDOW
FEATURES = NEAR_THEM + 2 * _WINDOW * _WINDOW
STANDING = 11
"""The features that are no walls."""
MOST_FEATURES = STANDING + 3 * 2 * WALLS
BUCKETS, BUCKET_WALLS = 4, 5
"""A stage of the game for every five walls in stock."""


@kernel
def list_features(state: Row, player: int, mine: int, theirs: int, out: NDArray[np.int16]) -> int:
    """Write a player's features of a position with these distances into `out: int16[MOST_FEATURES]`; returns how many.

    The first STANDING are those of `list_standing`; then come three for each wall: its place, by my pawn, by theirs.
    """
    list_standing(state, player, mine, theirs, out)
    count = STANDING
    me = pawn_window(player, to_index(state[PAWN + player]))
    them = pawn_window(player, to_index(state[PAWN + 1 - player]))
    for index in range(4):
        rest = state[H] if index == 0 else state[H + 1] if index == 1 else state[V] if index == 2 else state[V + 1]
        while rest != 0:
            code = 128 * (1 + (index >> 1)) + 64 * (index & 1) + trailing_zeros(rest)
            rest &= rest - to_word(1)
            out[count] = wall_place(player, code)
            away = wall_offset(player, code)
            out[count + 1] = NEAR_ME + me + away
            out[count + 2] = NEAR_THEM + them + away
            count += 3
    return count


@kernel
def list_standing(state: Row, player: int, mine: int, theirs: int, out: NDArray[np.int16]) -> None:
    """Write what is no wall: pawns, stocks and distances, the player's first."""
    me, them = to_index(state[PAWN + player]), to_index(state[PAWN + 1 - player])
    if player == 1:
        me, them = _SQUARES - 1 - me, _SQUARES - 1 - them
    my_walls, their_walls = to_index(state[LEFT + player]), to_index(state[LEFT + 1 - player])
    out[0] = MY_PAWN + me
    out[1] = THEIR_PAWN + them
    out[2] = MY_WALLS + my_walls
    out[3] = THEIR_WALLS + their_walls
    out[4] = MY_STEPS + min(mine, MOST_STEPS)
    out[5] = THEIR_STEPS + min(theirs, MOST_STEPS)
    mine, theirs = min(mine, _PAIRED - 1), min(theirs, _PAIRED - 1)
    my_row, their_row = row_of(me), row_of(them)
    up, right = their_row - my_row, (them - their_row * SIZE) - (me - my_row * SIZE)
    out[6] = BOTH_STEPS + mine * _PAIRED + theirs
    out[7] = BOTH_WALLS + my_walls * (WALLS + 1) + their_walls
    out[8] = PAWNS_APART + (up + SIZE - 1) * (2 * SIZE - 1) + right + SIZE - 1
    out[9] = MY_PAWN_STEPS + me * _PAIRED + mine
    out[10] = THEIR_PAWN_STEPS + them * _PAIRED + theirs


@kernel
def row_of(square: int) -> int:
    """A square's or a slot's row, without a division."""
    return (square * 57) >> 9


@kernel
def wall_place(player: int, code: int) -> int:
    """The feature of a wall where it stands."""
    slot = code & 127
    if player == 1:
        slot = _LAST_SLOT - slot
    return WALL_AT + slot + (_SQUARES if code >= VERTICAL else 0)


@kernel
def wall_offset(player: int, code: int) -> int:
    """A wall's part of the feature of its place by a pawn."""
    slot = code & 127
    if player == 1:
        slot = _LAST_SLOT - slot
    row = row_of(slot)
    return row * _WINDOW + slot - row * SIZE + (_WINDOW * _WINDOW if code >= VERTICAL else 0)


@kernel
def pawn_window(player: int, square: int) -> int:
    """A pawn's part of the feature of a wall's place by it."""
    if player == 1:
        square = _SQUARES - 1 - square
    row = row_of(square)
    return (8 - row) * _WINDOW + 8 - (square - row * SIZE)


@kernel
def bucket_of(state: Row) -> int:
    """The stage of the game."""
    return min(BUCKETS - 1, to_index(state[LEFT] + state[LEFT + 1]) // BUCKET_WALLS)
