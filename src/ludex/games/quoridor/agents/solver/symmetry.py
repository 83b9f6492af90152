"""Symmetries of the board: the mirror image, and the rotation by 180° with the colours swapped."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.quoridor.rules.bits import single
from ludex.games.quoridor.rules.position import LEFT, H, V
from ludex.kernels.jit import copy_into, kernel, to_word, trailing_zeros

MIRRORED, SWAPPED = 1, 2
"""A symmetry is a sum of these."""
SYMMETRIES = 4
KEY_WORDS = 6
"""A configuration: the words of both kinds of walls, then the stocks of white and black."""
KEY_LEFT = 4


@kernel
def image(place: int, symmetry: int, size: int, last: int) -> int:
    """Where a square (`last` is size - 1) or a slot (size - 2) lies on the other board."""
    row, col = place // size, place % size
    if symmetry & MIRRORED:
        col = last - col
    if symmetry & SWAPPED:
        row, col = last - row, last - col
    return row * size + col


@kernel
def write_image(state: NDArray[np.uint64], symmetry: int, size: int, key: NDArray[np.uint64]) -> None:
    """Write a position's walls and stocks, as they are on the other board, into `key: uint64[KEY_WORDS]`."""
    key[:] = to_word(0)
    for walls in (H, V):
        for word in range(2):
            rest = state[walls + word]
            while rest != to_word(0):
                slot = image(trailing_zeros(rest) + 64 * word, symmetry, size, size - 2)
                low, high = single(slot)
                key[walls] |= low
                key[walls + 1] |= high
                rest &= rest - to_word(1)
    swap = 1 if symmetry & SWAPPED else 0
    for player in range(2):
        key[KEY_LEFT + player] = state[LEFT + (player ^ swap)]


@kernel
def canonical(state: NDArray[np.uint64], size: int, key: NDArray[np.uint64], other: NDArray[np.uint64]) -> int:
    """Write the smallest of the four images into `key`, and return the symmetry that makes it; `other` is scratch."""
    best = 0
    for symmetry in range(SYMMETRIES):
        write_image(state, symmetry, size, other)
        if symmetry == 0 or _less(other, key):
            copy_into(key, other)
            best = symmetry
    return best


@kernel
def count_own(state: NDArray[np.uint64], size: int) -> int:
    """How many of the four images of a configuration are itself."""
    key, other = np.empty(KEY_WORDS, np.uint64), np.empty(KEY_WORDS, np.uint64)
    canonical(state, size, key, other)
    count = 0
    for symmetry in range(SYMMETRIES):
        write_image(state, symmetry, size, other)
        if not _less(key, other):
            count += 1
    return count


@kernel
def _less(left: NDArray[np.uint64], right: NDArray[np.uint64]) -> bool:
    for word in range(KEY_WORDS):
        if left[word] != right[word]:
            return bool(left[word] < right[word])
    return False
