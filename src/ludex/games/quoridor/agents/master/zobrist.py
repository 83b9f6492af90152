"""Keys of positions: the exclusive or of one random word for every thing that stands somewhere."""

import numpy as np

from ludex.core.seeding import Rng
from ludex.games.quoridor.agents.master.moves import HORIZONTAL, MOVE_CODES
from ludex.games.quoridor.rules.board import Row
from ludex.games.quoridor.rules.position import LEFT, PAWN, TURN, H, V
from ludex.kernels.jit import kernel, to_index, to_word, trailing_zeros

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
