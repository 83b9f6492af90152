"""The learned evaluation inside kernels: rows of weights summed over features, then two small layers.

Its features are a short list of things that stand somewhere, from one player's side. The board is rotated so that the
player walks up. Walls are encoded three times: where they stand, and how far from each of the pawns. The rest are
squares, stocks and distances, single and in pairs, since a sum of rows cannot multiply.

Whole numbers throughout, so that a search counts the same nodes on every machine. The sums over walls are kept for each
ply of a line, in three groups (where walls stand, by my pawn, by theirs): a wall adds one row to each, a step changes
the group of one pawn.
"""

from collections.abc import Mapping
from io import BytesIO
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.compiled import Vector
from ludex.core.documents import LARGEST, read_arrays, read_tensors
from ludex.core.errors import BadNet
from ludex.games.quoridor.agents.master.moves import HORIZONTAL, NO_MOVE, VERTICAL
from ludex.games.quoridor.agents.master.transposition_table import CERTAIN
from ludex.games.quoridor.agents.master.workspace import LINE_ROWS
from ludex.games.quoridor.rules.board import Row
from ludex.games.quoridor.rules.position import LEFT, PAWN, TURN, H, V
from ludex.kernels.jit import kernel, to_index, to_word, trailing_zeros
from ludex.kernels.records import layout_of, new_record

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


WIDTH, HIDDEN = 64, 16
ROW_UNIT, MIDDLE_UNIT, OUT_UNIT = 256, 128, 256
"""The whole numbers that stand for 1.0 in each layer's weights."""
UNITS = {
    "rows": ROW_UNIT,
    "bias": ROW_UNIT,
    "middle": MIDDLE_UNIT,
    "middle_bias": ROW_UNIT * MIDDLE_UNIT,
    "out": OUT_UNIT,
    "out_bias": ROW_UNIT * MIDDLE_UNIT * OUT_UNIT,
}
_UNIT_BITS = (ROW_UNIT * MIDDLE_UNIT * OUT_UNIT).bit_length() - 1
POINTS = 300
"""Points of a score for each unit of log-odds."""
PLACES, BY_ME, BY_THEM = 0, 1, 2
ZIP = b"PK"
"""What an .npz file begins with."""


class Network:
    """The record's fields: weights, and arrays for the sums of a line."""

    rows: Annotated[NDArray[np.int16], FEATURES, WIDTH]
    bias: Annotated[NDArray[np.int16], WIDTH]
    middle: Annotated[NDArray[np.int16], BUCKETS, WIDTH, HIDDEN]
    middle_bias: Annotated[NDArray[np.int32], BUCKETS, HIDDEN]
    out: Annotated[NDArray[np.int32], BUCKETS, HIDDEN]
    out_bias: Annotated[Vector, BUCKETS]
    sums: Annotated[NDArray[np.int16], LINE_ROWS, 2, 3, WIDTH]
    """By ply, player and group, what walls add up to, seen by each player."""
    standing: Annotated[NDArray[np.int16], STANDING]
    summed: Annotated[NDArray[np.int16], WIDTH]
    across: Annotated[NDArray[np.int16], BUCKETS, HIDDEN, WIDTH]
    """`middle` with the weights of each hidden unit side by side."""


NET_LAYOUT = layout_of(Network)


def whole_numbers(weights: Mapping[str, NDArray[np.float32]]) -> dict[str, NDArray[np.signedinteger[Any]]]:
    """Trained weights, rounded to the whole numbers of the kernel. Raises `BadNet` if some are too large."""
    arrays = {}
    for name, unit in UNITS.items():
        whole, kind = np.rint(weights[name].astype(np.float64) * unit), NET_LAYOUT[name].base
        if np.abs(whole).max() > np.iinfo(kind).max:
            raise BadNet(f"{name}: a weight of {np.abs(weights[name]).max():g} does not fit into {kind}")
        arrays[name] = whole.astype(kind)
    return arrays


def save_weights(weights: Mapping[str, NDArray[np.float32]]) -> bytes:
    """Trained weights, rounded to whole numbers, as the bytes of an .npz file. Raises `BadNet` if one is too large."""
    file = BytesIO()
    whole: dict[str, Any] = whole_numbers(weights)
    np.savez_compressed(file, **whole)
    return file.getvalue()


def load_weights(data: bytes, source: str) -> Network:
    """The record of the weights in an .npz or safetensors file. Raises `BadNet` if the file is no such net."""
    record = new_record(Network)
    if data.startswith(ZIP):
        arrays = read_arrays(data, tuple(UNITS), source, BadNet, LARGEST)
    else:
        arrays = read_tensors(data, source, BadNet)
        if arrays.keys() != UNITS.keys():
            raise BadNet(f"{source}: expected arrays {', '.join(UNITS)}, found {', '.join(arrays) or 'none'}")
    for name, array in arrays.items():
        expected = getattr(record, name)
        if array.shape != expected.shape or array.dtype != expected.dtype:
            raise BadNet(
                f"{source}: {name} is {array.dtype}{list(array.shape)}, expected {expected.dtype}{list(expected.shape)}"
            )
        expected[:] = array
    record.across[:] = record.middle.transpose(0, 2, 1)
    return record


@kernel
def sum_from_nothing(net: Network, state: Row, ply: int) -> None:
    """Write a ply's sums for both players."""
    listed = np.empty(MOST_FEATURES, np.int16)
    for player in range(2):
        sums = net.sums[ply, player]
        sums[:] = 0
        for index in range(STANDING, list_features(state, player, 0, 0, listed)):
            _add(sums[(index - STANDING) % 3], net.rows[listed[index]])


@kernel
def sum_after(net: Network, state: Row, ply: int, via: int) -> None:
    """Write a ply's sums for both players from those of the ply before it; `state` is the position after `via`."""
    moved = 1 - to_index(state[TURN])
    for player in range(2):
        sums, before = net.sums[ply, player], net.sums[ply - 1, player]
        for group in range(3):
            for unit in range(WIDTH):
                sums[group, unit] = before[group, unit]
        if via >= HORIZONTAL:
            _add_wall(net, state, player, via, sums[PLACES], sums[BY_ME], sums[BY_THEM])
        elif via != NO_MOVE:
            group = BY_ME if moved == player else BY_THEM
            _sum_near(net, state, player, group, sums[group])


@kernel
def judge_after(net: Network, state: Row, ply: int, via: int, mine: int, theirs: int) -> int:
    """The mover's score of a position one move after the ply whose sums are ready; NO_MOVE scores that position."""
    player = to_index(state[TURN])
    before, summed = net.sums[ply - 1, player], net.summed
    if via >= HORIZONTAL or via == NO_MOVE:
        for unit in range(WIDTH):
            summed[unit] = before[PLACES, unit] + before[BY_ME, unit] + before[BY_THEM, unit]
        if via != NO_MOVE:
            _add_wall(net, state, player, via, summed, summed, summed)
    else:
        # The opponent has stepped: its group is summed again.
        _sum_near(net, state, player, BY_THEM, summed)
        _add(summed, before[PLACES])
        _add(summed, before[BY_ME])
    return _finish(net, state, player, mine, theirs)


@kernel
def _finish(net: Network, state: Row, player: int, mine: int, theirs: int) -> int:
    """The score of summed walls: what else stands is added, then come the layers."""
    summed = net.summed
    list_standing(state, player, mine, theirs, net.standing)
    row, at = net.rows, net.standing
    a, b, c, d, e, f = row[at[0]], row[at[1]], row[at[2]], row[at[3]], row[at[4]], row[at[5]]
    g, h, i, j, k = row[at[6]], row[at[7]], row[at[8]], row[at[9]], row[at[10]]
    for unit in range(WIDTH):
        value = summed[unit] + net.bias[unit] + a[unit] + b[unit] + c[unit] + d[unit] + e[unit] + f[unit]
        value += g[unit] + h[unit] + i[unit] + j[unit] + k[unit]
        summed[unit] = max(np.int16(value), np.int16(0))
    bucket = bucket_of(state)
    total = net.out_bias[bucket]
    for unit in range(HIDDEN):
        weights, mixed = net.across[bucket, unit], net.middle_bias[bucket, unit]
        # Cut to 32 bits at every step: else LLVM multiplies numbers of 64.
        for index in range(WIDTH):
            mixed = np.int32(mixed + np.int32(summed[index]) * np.int32(weights[index]))
        total += max(to_index(mixed), 0) * to_index(net.out[bucket, unit])
    score = to_index((total * POINTS) >> _UNIT_BITS)
    return max(1 - CERTAIN, min(CERTAIN - 1, score))


@kernel
def _sum_near(net: Network, state: Row, player: int, group: int, out: NDArray[np.int16]) -> None:
    """Write the sum of all walls as they stand by one of the pawns."""
    owner = player if group == BY_ME else 1 - player
    base = pawn_window(player, to_index(state[PAWN + owner])) + (NEAR_ME if group == BY_ME else NEAR_THEM)
    out[:] = 0
    for index in range(4):
        rest = state[H] if index == 0 else state[H + 1] if index == 1 else state[V] if index == 2 else state[V + 1]
        while rest != 0:
            code = 128 * (1 + (index >> 1)) + 64 * (index & 1) + trailing_zeros(rest)
            rest &= rest - to_word(1)
            _add(out, net.rows[base + wall_offset(player, code)])


@kernel
def _add_wall(
    net: Network,
    state: Row,
    player: int,
    wall: int,
    place: NDArray[np.int16],
    by_me: NDArray[np.int16],
    by_them: NDArray[np.int16],
) -> None:
    """Add the three rows of a wall."""
    away = wall_offset(player, wall)
    _add(place, net.rows[wall_place(player, wall)])
    _add(by_me, net.rows[NEAR_ME + pawn_window(player, to_index(state[PAWN + player])) + away])
    _add(by_them, net.rows[NEAR_THEM + pawn_window(player, to_index(state[PAWN + 1 - player])) + away])


@kernel
def _add(summed: NDArray[np.int16], row: NDArray[np.int16]) -> None:
    for unit in range(WIDTH):
        summed[unit] += row[unit]
