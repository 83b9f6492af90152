"""The transposition table: what earlier searches found out about a position.

Entries live in buckets of two. The first keeps the deepest search of its generation, the second the latest.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.games.quoridor.agents.master.moves import NO_MOVE
from ludex.kernels.jit import kernel, to_index, to_word

EXACT, LOWER, UPPER = 1, 2, 3
WIN = 30_000
"""A win here and now; one in n plies is worth n less."""
CERTAIN = WIN - 1_000
"""Scores beyond it are wins and losses that were seen to the end."""
MISSING = -1
MOST_GENERATIONS = 1 << 16

ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("score", np.int16),
        ("move", np.int16),
        ("generation", np.uint16),
        ("depth", np.uint8),
        ("bound", np.uint8),
    ]
)
"""Scores of wins and losses are counted from the position, so that they hold at any ply. An empty entry has bound 0."""
Table = NDArray[np.void]
"""ENTRY[entries]"""


def new_table(megabytes: int) -> Table:
    """An empty table of the largest power of two that fits."""
    return np.zeros(1 << (megabytes * 2**20 // ENTRY.itemsize).bit_length() - 1, ENTRY)


@kernel
def score_in(entry: Any, ply: int) -> int:
    """An entry's score, counted from a ply."""
    score = to_index(entry.score)
    if score >= CERTAIN:
        return score - ply
    return score + ply if score <= -CERTAIN else score


@kernel
def is_live(entry: Any, oldest: int, generation: int) -> bool:
    """Whether an entry is one, and no older than `oldest`."""
    return bool(entry.bound != 0 and oldest <= entry.generation <= generation)


@kernel
def probe(table: Table, key: int, oldest: int, generation: int) -> int:
    """The index of a position's live entry, or MISSING."""
    first = to_index(key & to_word(len(table) - 2))
    for index in range(first, first + 2):
        if table[index].key == key and is_live(table[index], oldest, generation):
            return index
    return MISSING


@kernel
def store(
    table: Table, key: int, move: int, score: int, depth: int, bound: int, ply: int, oldest: int, generation: int
) -> None:
    """Keep what a search of a position found. What is not live counts as empty, whatever it says."""
    index = to_index(key & to_word(len(table) - 2))
    entry = table[index]
    if is_live(entry, oldest, generation):
        if entry.key == key:
            if move == NO_MOVE:
                move = to_index(entry.move)
        elif entry.depth > depth and entry.generation == generation:
            entry = table[index + 1]
        else:
            table[index + 1] = entry
    if score >= CERTAIN:
        score += ply
    elif score <= -CERTAIN:
        score -= ply
    entry.key, entry.score, entry.move = key, score, move
    entry.generation, entry.depth, entry.bound = generation, depth, bound
