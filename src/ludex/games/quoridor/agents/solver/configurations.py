"""Every configuration that more walls can make, each once of its four images, in an open-addressed table.

A configuration is the walls that stand and the stocks. They are numbered by layers: those with a wall more come later.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.games.quoridor.rules.bits import add, first, without_first
from ludex.games.quoridor.rules.board import OPEN_EAST, OPEN_NORTH, Row
from ludex.games.quoridor.rules.movegen import free_slots, put_wall
from ludex.games.quoridor.rules.position import EAST, LEFT, NORTH, STATE_WORDS, H, V
from ludex.kernels.jit import copy_into, kernel, to_index, to_word

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
def write_image(state: Row, symmetry: int, size: int, key: Row) -> None:
    """Write a position's walls and stocks, as they are on the other board, into `key: uint64[KEY_WORDS]`."""
    key[:] = to_word(0)
    for walls in (H, V):
        low, high = state[walls], state[walls + 1]
        while low | high != to_word(0):
            slot = image(first(low, high), symmetry, size, size - 2)
            key[walls], key[walls + 1] = add(key[walls], key[walls + 1], slot)
            low, high = without_first(low, high)
    swap = 1 if symmetry & SWAPPED else 0
    for player in range(2):
        key[KEY_LEFT + player] = state[LEFT + (player ^ swap)]


@kernel
def canonical(state: Row, size: int, key: Row, other: Row) -> int:
    """Write the smallest of the four images into `key`, and return the symmetry that makes it; `other` is scratch."""
    best = 0
    for symmetry in range(SYMMETRIES):
        write_image(state, symmetry, size, other)
        if symmetry == 0 or _less(other, key):
            copy_into(key, other)
            best = symmetry
    return best


@kernel
def count_own(state: Row, size: int) -> int:
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
def _less(left: Row, right: Row) -> bool:
    for word in range(KEY_WORDS):
        if left[word] != right[word]:
            return bool(left[word] < right[word])
    return False


_MULTIPLIER = 0x9E3779B97F4A7C15


class Configurations(NamedTuple):
    """All configurations of a board, or of what a position can still become."""

    keys: Row
    """uint64[N, KEY_WORDS]"""
    places: NDArray[np.int32]
    """int32[a power of two]: by hash, the number of a configuration plus one, or 0."""


def enumerate_configurations(root: Row, most: int, size: int, geometry: Row) -> Configurations:
    """The configurations that begin with a position's own; `most` is a bound on how many there are."""
    keys = np.empty((most, KEY_WORDS), np.uint64)
    places = np.zeros(1 << most.bit_length(), np.int32)
    canonical(root, size, keys[0], np.empty(KEY_WORDS, np.uint64))
    places[place_of(keys, places, keys[0])] = 1
    begin, end = 0, 1
    while begin < end:
        begin, end = end, add_layer(keys, places, begin, end, size, geometry)
    return Configurations(keys[:end].copy(), places)


@kernel
def add_layer(keys: Row, places: NDArray[np.int32], begin: int, end: int, size: int, geometry: Row) -> int:
    """Number every configuration that has one wall more than those in `begin..end-1`; returns the new end."""
    state, after = np.empty(STATE_WORDS, np.uint64), np.empty(STATE_WORDS, np.uint64)
    key, other = np.empty(KEY_WORDS, np.uint64), np.empty(KEY_WORDS, np.uint64)
    count = to_index(end)
    for number in range(begin, end):
        read_key(keys[number], size, geometry, state)
        for vertical in (False, True):
            low, high = free_slots(state, size, geometry, vertical)
            while low | high != to_word(0):
                slot = first(low, high)
                low, high = without_first(low, high)
                for player in range(2):
                    if state[LEFT + player] == to_word(0):
                        continue
                    with_wall(state, slot, vertical, player, size, after)
                    canonical(after, size, key, other)
                    place = place_of(keys, places, key)
                    if places[place] == 0:
                        keys[count] = key
                        count += 1
                        places[place] = count
    return count


@kernel
def place_of(keys: Row, places: NDArray[np.int32], key: Row) -> int:
    """Where a configuration stands in the table, or would stand."""
    mixed = to_word(0)
    for word in range(KEY_WORDS):
        mixed = (mixed ^ key[word]) * to_word(_MULTIPLIER)
        mixed ^= mixed >> to_word(32)
    mask = len(places) - 1
    place = to_index(mixed & to_word(mask))
    while places[place] != 0 and not _same(keys[places[place] - 1], key):
        place = (place + 1) & mask
    return place


@kernel
def _same(left: Row, right: Row) -> bool:
    for word in range(KEY_WORDS):
        if left[word] != right[word]:
            return False
    return True


@kernel
def read_key(key: Row, size: int, geometry: Row, state: Row) -> None:
    """Put a configuration's walls and stocks on an empty board, `state: uint64[STATE_WORDS]`."""
    state[:] = to_word(0)
    for word in range(2):
        state[NORTH + word] = geometry[OPEN_NORTH + word]
        state[EAST + word] = geometry[OPEN_EAST + word]
        state[LEFT + word] = key[KEY_LEFT + word]
    for vertical in (False, True):
        walls = V if vertical else H
        low, high = key[walls], key[walls + 1]
        while low | high != to_word(0):
            put_wall(state, first(low, high), vertical, size)
            low, high = without_first(low, high)


@kernel
def with_wall(state: Row, slot: int, vertical: bool, player: int, size: int, after: Row) -> None:
    """Write the configuration after a player's wall into `after`."""
    copy_into(after, state)
    put_wall(after, slot, vertical, size)
    after[LEFT + player] -= to_word(1)
