"""How the engine writes a move, and the keys of positions.

A move is a square, or a slot's square with the wall's direction added: unlike an action's index it needs no division to
be taken apart. A key is the exclusive or of one random word for every thing that stands somewhere.
"""

import numpy as np

from ludex.core.seeding import Rng
from ludex.games.quoridor.rules.board import Row, wall_action, wall_of
from ludex.games.quoridor.rules.movegen import put_wall
from ludex.games.quoridor.rules.position import LEFT, PAWN, TURN, H, V
from ludex.kernels.jit import copy_into, kernel, to_index, to_word, trailing_zeros

HORIZONTAL, VERTICAL = 128, 256
MOVE_CODES = 384
NO_MOVE = -1


def code_of(action: int, size: int) -> int:
    """The engine's move of an action's index.

    >>> code_of(4, 9), code_of(81, 9), code_of(81 + 64 + 9, 9)
    (4, 128, 266)
    """
    if action < size * size:
        return action
    slot, vertical = wall_of(action, size)
    return (VERTICAL if vertical else HORIZONTAL) + slot


def action_of(code: int, size: int) -> int:
    """The action's index of an engine's move.

    >>> action_of(266, 9)
    154
    """
    return code if code < HORIZONTAL else wall_action(code & 127, code >= VERTICAL, size)


@kernel
def slot_of(code: int) -> int:
    """The square that names a wall's slot."""
    return code & 127


@kernel
def make(state: Row, code: int, size: int, after: Row) -> None:
    """Write the position after a legal move into `after`."""
    copy_into(after, state)
    turn = to_index(state[TURN])
    if code < HORIZONTAL:
        after[PAWN + turn] = to_word(code)
    else:
        put_wall(after, slot_of(code), code >= VERTICAL, size)
        after[LEFT + turn] -= to_word(1)
    after[TURN] = to_word(1 - turn)


# A wall's word stands at its move's code; then pawns by square, stocks by number, and the turn.
PAWN_WORDS, LEFT_WORDS, TURN_WORD = MOVE_CODES, MOVE_CODES + 256, MOVE_CODES + 384
WORDS = TURN_WORD + 1


def zobrist() -> Row:
    """uint64[WORDS], the same in every process."""
    rng = Rng(0x7F9F_C6EA_E32B_CFED)
    return np.array([rng.bits() for _ in range(WORDS)], np.uint64)


@kernel
def key_of(state: Row, random: Row) -> int:
    """A position's key from scratch; walls left are part of it, since the board does not say which player put which."""
    key = random[TURN_WORD] if state[TURN] != 0 else to_word(0)
    for player in range(2):
        key ^= random[PAWN_WORDS + 128 * player + to_index(state[PAWN + player])]
        key ^= random[LEFT_WORDS + 64 * player + to_index(state[LEFT + player])]
    for index in range(4):
        rest = state[(H, H + 1, V, V + 1)[index]]
        while rest != 0:
            key ^= random[HORIZONTAL + 128 * (index // 2) + 64 * (index % 2) + trailing_zeros(rest)]
            rest &= rest - to_word(1)
    return key


@kernel
def key_after(key: int, state: Row, code: int, random: Row) -> int:
    """The key after a move in a position with this key."""
    turn = to_index(state[TURN])
    key ^= random[TURN_WORD]
    if code < HORIZONTAL:
        pawns = PAWN_WORDS + 128 * turn
        key ^= random[pawns + to_index(state[PAWN + turn])] ^ random[pawns + code]
        return key
    left = LEFT_WORDS + 64 * turn + to_index(state[LEFT + turn])
    key ^= random[code] ^ random[left] ^ random[left - 1]
    return key
