"""The values of all configurations of walls, those with a wall more first.

A configuration is the walls that stand and the stocks. Every one that more walls can make is kept once of its four
images, in an open-addressed table, numbered by layers: those with a wall more come later.

A value is the number of plies to the end, the winner hurrying and the loser delaying. Its parity gives the winner: the
player that moves last has won, so an odd number is a win for the mover. Only live positions are held: white on the
first n - 1 rows, black on the last n - 1. Each has the number (turn * m + white) * m + black - n, with m = n * (n - 1).
"""

import numpy as np
from numpy.typing import NDArray

from ludex.core.compiled import Vector
from ludex.games.quoridor.rules.board import OPEN_EAST, OPEN_NORTH, Row
from ludex.games.quoridor.rules.movegen import MOST_PAWN_MOVES, free_slots, pawn_moves_of, put_wall, reached
from ludex.games.quoridor.rules.paths import reaching
from ludex.games.quoridor.rules.position import EAST, LEFT, NORTH, PAWN, STATE_WORDS, TURN, H, V
from ludex.kernels.jit import copy_into, kernel, to_index, to_word
from ludex.kit.bits128 import add, first, has, without_first

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
        if symmetry == 0 or is_less(other, key):
            copy_into(key, other)
            best = symmetry
    return best


@kernel
def is_less(left: Row, right: Row) -> bool:
    """Whether a configuration comes before another one."""
    for word in range(KEY_WORDS):
        if left[word] != right[word]:
            return bool(left[word] < right[word])
    return False


_MULTIPLIER = 0x9E3779B97F4A7C15


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


IMPOSSIBLE, DRAW = 0, 255
"""Values of positions with a pawn that is cut off or on the other, and of those that neither player wins."""
MOST_PLIES = 250
"""A longer win would not fit."""
_NEVER = 255
_NONE = -1


def per_configuration(size: int) -> int:
    """How many numbers of positions a configuration has, the impossible among them."""
    return 2 * (size * (size - 1)) ** 2


@kernel
def solve_range(
    keys: Row, places: NDArray[np.int32], values: NDArray[np.uint8], begin: int, end: int, size: int, geometry: Row
) -> bool:
    """Write `values: uint8[N, 2 * m * m]` of the configurations `end-1` down to `begin`; False if a win is too long."""
    nodes = values.shape[1]
    offsets = position_offsets(size)
    state = np.empty(STATE_WORDS, np.uint64)
    won, lost = np.empty(nodes, np.uint8), np.empty(nodes, np.uint8)
    for number in range(end - 1, begin - 1, -1):
        read_key(keys[number], size, geometry, state)
        mark_possible(state, size, geometry, values[number])
        won[:] = _NEVER
        lost[:] = 0
        see_walls(state, keys, places, values, size, geometry, offsets, won, lost)
        if not settle(state, size, won, lost, values[number]):
            return False
    return True


@kernel
def position_offsets(size: int) -> Vector:
    """int64[4, 2, n * n]: what each pawn's square adds to the number of a position's image."""
    squares, live = size * size, size * (size - 1)
    offsets = np.zeros((SYMMETRIES, 2, squares), np.int64)
    for symmetry in range(SYMMETRIES):
        for player in range(2):
            for square in range(squares):
                there = image(square, symmetry, size, size - 1)
                as_white = (player == 0) != (symmetry & SWAPPED != 0)
                offsets[symmetry, player, square] = there * live if as_white else there - size
    return offsets


@kernel
def mark_possible(state: Row, size: int, geometry: Row, values: NDArray[np.uint8]) -> None:
    """Mark the positions of a configuration in which neither player is cut off as DRAW, the others as IMPOSSIBLE."""
    live = size * (size - 1)
    white_low, white_high = reaching(state, 0, size, geometry)
    black_low, black_high = reaching(state, 1, size, geometry)
    values[:] = IMPOSSIBLE
    for white in range(live):
        if not has(white_low, white_high, white):
            continue
        for black in range(size, live + size):
            if white != black and has(black_low, black_high, black):
                values[white * live + black - size] = DRAW
                values[(live + white) * live + black - size] = DRAW


@kernel
def see_walls(
    state: Row,
    keys: Row,
    places: NDArray[np.int32],
    values: NDArray[np.uint8],
    size: int,
    geometry: Row,
    offsets: Vector,
    won: NDArray[np.uint8],
    lost: NDArray[np.uint8],
) -> None:
    """Write each position's soonest win by a wall into `won`, and into `lost` its latest loss, or DRAW if one draws.

    A wall that cuts a player off leads to a position that is marked as impossible: so its legality costs nothing here.
    """
    live = size * (size - 1)
    after = np.empty(STATE_WORDS, np.uint64)
    key, other = np.empty(KEY_WORDS, np.uint64), np.empty(KEY_WORDS, np.uint64)
    for vertical in (False, True):
        low, high = free_slots(state, size, geometry, vertical)
        while low | high != to_word(0):
            slot = first(low, high)
            low, high = without_first(low, high)
            for player in range(2):
                if state[LEFT + player] == to_word(0):
                    continue
                with_wall(state, slot, vertical, player, size, after)
                symmetry = canonical(after, size, key, other)
                there = values[places[place_of(keys, places, key)] - 1]
                mover = player if symmetry & SWAPPED else 1 - player
                for white in range(live):
                    base = mover * live * live + offsets[symmetry, 0, white]
                    node = (player * live + white) * live
                    for black in range(size, live + size):
                        value = there[base + offsets[symmetry, 1, black]]
                        if value == DRAW:
                            lost[node] = DRAW
                        elif value != IMPOSSIBLE:
                            if value & 1:
                                lost[node] = max(lost[node], value + 1)
                            else:
                                won[node] = min(won[node], value + 1)
                        node += 1


@kernel
def settle(state: Row, size: int, won: NDArray[np.uint8], lost: NDArray[np.uint8], values: NDArray[np.uint8]) -> bool:
    """Go back from the ends, level by level, over the moves of the pawns; False if a win is too long.

    A live mover always has a pawn move: two pawns alone in a closed place would have both goals in it, and no two
    adjacent squares hold both. So a position is lost once all its pawn moves are, and its walls.
    """
    nodes = len(values)
    heads = np.full(nodes, _NONE, np.int32)
    edges_next = np.empty(nodes * MOST_PAWN_MOVES, np.int32)
    edges_from = np.empty(nodes * MOST_PAWN_MOVES, np.int32)
    degrees = np.zeros(nodes, np.int8)
    join_pawn_moves(state, size, values, won, heads, edges_next, edges_from, degrees)
    due = np.full(_NEVER + 1, _NONE, np.int32)
    later = np.empty(nodes, np.int32)
    last = 0
    for node in range(nodes):
        if values[node] == DRAW and won[node] != _NEVER:
            later[node] = due[won[node]]
            due[won[node]] = node
            last = max(last, to_index(won[node]))
    settled = np.empty(nodes, np.int32)
    begin, end, level = 0, 0, 0
    while level < last or begin < end:
        level += 1
        if level > MOST_PLIES:
            return False
        fresh = end
        node = to_index(due[level])
        while node != _NONE:
            if values[node] == DRAW:
                values[node] = level
                settled[fresh] = node
                fresh += 1
            node = to_index(later[node])
        for index in range(begin, end):
            edge = heads[settled[index]]
            while edge != _NONE:
                node = to_index(edges_from[edge])
                edge = edges_next[edge]
                if values[node] != DRAW:
                    continue
                degrees[node] -= 1
                if level & 1 or (degrees[node] == 0 and won[node] == _NEVER and lost[node] <= level):
                    values[node] = level
                    settled[fresh] = node
                    fresh += 1
                elif degrees[node] == 0 and won[node] == _NEVER and lost[node] != DRAW:
                    later[node] = due[lost[node]]
                    due[lost[node]] = node
                    last = max(last, to_index(lost[node]))
        begin, end = end, fresh
    return True


@kernel
def join_pawn_moves(
    state: Row,
    size: int,
    values: NDArray[np.uint8],
    won: NDArray[np.uint8],
    heads: NDArray[np.int32],
    edges_next: NDArray[np.int32],
    edges_from: NDArray[np.int32],
    degrees: NDArray[np.int8],
) -> None:
    """List the pawn moves by where they lead, and count them by where they begin; one that ends the game wins in 1."""
    live = size * (size - 1)
    moves = np.empty(MOST_PAWN_MOVES, np.int64)
    edges = 0
    for player in range(2):
        for white in range(live):
            for black in range(size, live + size):
                node = (player * live + white) * live + black - size
                if values[node] == IMPOSSIBLE:
                    continue
                state[PAWN], state[PAWN + 1] = to_word(white), to_word(black)
                count = pawn_moves_of(state, player, size, moves)
                for index in range(count):
                    state[PAWN + player] = to_word(moves[index])
                    if reached(state, player, size):
                        won[node] = 1
                        continue
                    there = position_number(state, 1 - player, size)
                    edges_from[edges] = node
                    edges_next[edges] = heads[there]
                    heads[there] = edges
                    edges += 1
                    degrees[node] += 1


@kernel
def position_number(state: Row, turn: int, size: int) -> int:
    """The number of a live position within its configuration."""
    live = size * (size - 1)
    return (turn * live + to_index(state[PAWN])) * live + to_index(state[PAWN + 1]) - size


@kernel
def value_of(state: Row, keys: Row, places: NDArray[np.int32], values: NDArray[np.uint8], size: int) -> int:
    """The value of a live position, or IMPOSSIBLE where its configuration is not known."""
    key, other = np.empty(KEY_WORDS, np.uint64), np.empty(KEY_WORDS, np.uint64)
    symmetry = canonical(state, size, key, other)
    number = places[place_of(keys, places, key)] - 1
    if number < 0:
        return IMPOSSIBLE
    offsets = position_offsets(size)
    turn = to_index(state[TURN])
    live = size * (size - 1)
    mover = 1 - turn if symmetry & SWAPPED else turn
    where = mover * live * live
    for player in range(2):
        where += offsets[symmetry, player, to_index(state[PAWN + player])]
    return to_index(values[number, where])
