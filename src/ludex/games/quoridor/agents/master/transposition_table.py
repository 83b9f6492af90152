"""The transposition table: what earlier searches found out about a position.

Entries live in buckets of two. The first keeps the deepest search of its generation, the second the latest.
"""

import numpy as np
from numpy.typing import NDArray

from ludex.games.quoridor.agents.master.moves import NO_MOVE
from ludex.kernels.jit import kernel, to_index, to_word

EXACT, LOWER, UPPER = 1, 2, 3
WIN = 30_000
"""A win here and now; one in n plies is worth n less."""
CERTAIN = WIN - 1_000
"""Scores beyond it are wins and losses that were seen to the end."""
BYTES_PER_ENTRY = 16
KEY, WORD = 0, 1
MISSING = -1
MOST_GENERATIONS = 1 << 16


Table = NDArray[np.uint64]
"""uint64[entries, 2]: each entry is a key and a word."""


def new_table(megabytes: int) -> Table:
    """An empty table."""
    return np.zeros((entries_for(megabytes), 2), np.uint64)


def entries_for(megabytes: int) -> int:
    """The largest power of two that fits.

    >>> entries_for(1)
    65536
    """
    return 1 << (megabytes * 2**20 // BYTES_PER_ENTRY).bit_length() - 1


@kernel
def pack(move: int, score: int, depth: int, bound: int, generation: int) -> int:
    """An entry's word: 16 bits of score, 16 of move, 8 of depth, 2 of bound, 16 of generation."""
    word = to_word(score + 32_768) | (to_word(move + 1) << to_word(16)) | (to_word(depth) << to_word(32))
    return word | (to_word(bound) << to_word(40)) | (to_word(generation) << to_word(48))


@kernel
def score_in(word: int, ply: int) -> int:
    """An entry's score; wins and losses are counted from the position, so that they hold at any ply."""
    score = to_index(word & to_word(0xFFFF)) - 32_768
    if score >= CERTAIN:
        return score - ply
    return score + ply if score <= -CERTAIN else score


@kernel
def move_in(word: int) -> int:
    """An entry's move, or NO_MOVE."""
    return to_index((word >> to_word(16)) & to_word(0xFFFF)) - 1


@kernel
def depth_in(word: int) -> int:
    """The depth an entry was searched to."""
    return to_index((word >> to_word(32)) & to_word(0xFF))


@kernel
def bound_in(word: int) -> int:
    """Whether an entry's score is EXACT or a LOWER or UPPER bound."""
    return to_index((word >> to_word(40)) & to_word(3))


@kernel
def generation_in(word: int) -> int:
    """The decision an entry stems from."""
    return to_index(word >> to_word(48))


@kernel
def is_live(word: int, oldest: int, generation: int) -> bool:
    """Whether an entry is one, and no older than `oldest`."""
    return word != 0 and oldest <= generation_in(word) <= generation


@kernel
def probe(table: Table, key: int, oldest: int, generation: int) -> int:
    """The index of a position's live entry, or MISSING."""
    first = to_index(key & to_word(len(table) - 2))
    for index in range(first, first + 2):
        if table[index, KEY] == key and is_live(table[index, WORD], oldest, generation):
            return index
    return MISSING


@kernel
def store(
    table: Table, key: int, move: int, score: int, depth: int, bound: int, ply: int, oldest: int, generation: int
) -> None:
    """Keep what a search of a position found. What is not live counts as empty, whatever it says."""
    index = to_index(key & to_word(len(table) - 2))
    old = table[index, WORD]
    if is_live(old, oldest, generation):
        if table[index, KEY] == key:
            if move == NO_MOVE:
                move = move_in(old)
        elif depth_in(old) > depth and generation_in(old) == generation:
            index += 1
        else:
            table[index + 1, KEY], table[index + 1, WORD] = table[index, KEY], old
    if score >= CERTAIN:
        score += ply
    elif score <= -CERTAIN:
        score -= ply
    table[index, KEY], table[index, WORD] = key, pack(move, score, depth, bound, generation)
