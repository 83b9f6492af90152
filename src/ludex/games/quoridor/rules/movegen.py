"""Which moves are legal.

An action is a pawn's destination square, then the horizontal walls, then the vertical ones, slots row by row:
0..n*n-1, n*n..n*n+(n-1)^2-1, and so on.
"""

import numpy as np
from numpy.typing import NDArray

from ludex.core.compiled import Vector
from ludex.games.quoridor.rules.board import FIRST_COL, FIRST_ROW, LAST_COL, LAST_ROW, SLOTS, Row, wall_action, wall_of
from ludex.games.quoridor.rules.paths import UNREACHABLE, distance
from ludex.games.quoridor.rules.position import EAST, LEFT, NORTH, PAWN, STATE_WORDS, TURN, H, V
from ludex.kernels.jit import bit_count, copy_into, kernel, share, to_index, to_word
from ludex.kit.bits128 import Words, down, first, has, single, up, without_first

MOST_PAWN_MOVES = 5

share(wall_action)
share(wall_of)


@kernel
def neighbour(state: Row, square: int, direction: int, size: int) -> int:
    """The square one step north, east, south or west (0..3), or -1 where the board or a wall ends."""
    if direction == 0:
        return square + size if has(state[NORTH], state[NORTH + 1], square) else -1
    if direction == 1:
        return square + 1 if has(state[EAST], state[EAST + 1], square) else -1
    if direction == 2:
        return square - size if square >= size and has(state[NORTH], state[NORTH + 1], square - size) else -1
    return square - 1 if square % size > 0 and has(state[EAST], state[EAST + 1], square - 1) else -1


@kernel
def pawn_moves(state: Row, size: int, out: Vector) -> int:
    """Write the mover's destinations into `out: int64[MOST_PAWN_MOVES]`; returns how many."""
    return pawn_moves_of(state, to_index(state[TURN]), size, out)


@kernel
def pawn_moves_of(state: Row, player: int, size: int, out: Vector) -> int:
    """The destinations a player would have on the move, those ahead first.

    Straight over the adjacent opponent; sideways only if a wall or the border stands behind it.
    """
    mine, theirs = to_index(state[PAWN + player]), to_index(state[PAWN + 1 - player])
    count = 0
    for turned in range(4):
        # Black's directions are those seen from its own side of the board.
        direction = (turned + 2 * player) % 4
        target = neighbour(state, mine, direction, size)
        if target < 0:
            continue
        if target != theirs:
            out[count] = target
            count += 1
            continue
        beyond = neighbour(state, theirs, direction, size)
        if beyond >= 0:
            out[count] = beyond
            count += 1
            continue
        for side in ((direction + 1) % 4, (direction + 3) % 4):
            target = neighbour(state, theirs, side, size)
            if target >= 0:
                out[count] = target
                count += 1
    return count


@kernel
def free_slots(state: Row, size: int, geometry: Row, vertical: bool) -> Words:
    """The slots where a wall overlaps and crosses none, whether or not it cuts off a path."""
    own, other = (V, H) if vertical else (H, V)
    by = size if vertical else 1
    low, high = state[own], state[own + 1]
    up_low, up_high = up(low, high, by)
    down_low, down_high = down(low, high, by)
    return (
        geometry[SLOTS] & ~(low | up_low | down_low | state[other]),
        geometry[SLOTS + 1] & ~(high | up_high | down_high | state[other + 1]),
    )


@kernel
def touched_slots(state: Row, size: int, geometry: Row) -> Words:
    """The corners at which some wall has an end or its middle."""
    h_low, h_high, v_low, v_high = state[H], state[H + 1], state[V], state[V + 1]
    a_low, a_high = up(h_low, h_high, 1)
    b_low, b_high = down(h_low, h_high, 1)
    c_low, c_high = up(v_low, v_high, size)
    d_low, d_high = down(v_low, v_high, size)
    return (
        geometry[SLOTS] & (h_low | v_low | a_low | b_low | c_low | d_low),
        geometry[SLOTS + 1] & (h_high | v_high | a_high | b_high | c_high | d_high),
    )


@kernel
def cutting_slots(state: Row, size: int, geometry: Row, vertical: bool, low: int, high: int) -> Words:
    """Those of the slots whose wall would touch walls or the border at two of its three points.

    Any other wall leaves a way around it, so it cannot cut a path off.
    """
    by = size if vertical else 1
    first = FIRST_ROW if vertical else FIRST_COL
    last = LAST_ROW if vertical else LAST_COL
    mid_low, mid_high = touched_slots(state, size, geometry)
    one_low, one_high = up(mid_low, mid_high, by)
    two_low, two_high = down(mid_low, mid_high, by)
    one_low, one_high = one_low | geometry[first], one_high | geometry[first + 1]
    two_low, two_high = two_low | geometry[last], two_high | geometry[last + 1]
    return (
        low & ((one_low & mid_low) | (mid_low & two_low) | (one_low & two_low)),
        high & ((one_high & mid_high) | (mid_high & two_high) | (one_high & two_high)),
    )


@kernel
def put_wall(state: Row, slot: int, vertical: bool, size: int) -> None:
    """Close the two edges of a wall; the mover's stock and the turn stay as they are."""
    low, high = single(slot)
    next_low, next_high = single(slot + (size if vertical else 1))
    walls, edges = (V, EAST) if vertical else (H, NORTH)
    state[walls] |= low
    state[walls + 1] |= high
    state[edges] &= ~(low | next_low)
    state[edges + 1] &= ~(high | next_high)


@kernel
def keeps_paths(state: Row, slot: int, vertical: bool, size: int, geometry: Row, scratch: Row) -> bool:
    """Whether both players can still reach their goals after a wall; `scratch: uint64[STATE_WORDS]`."""
    copy_into(scratch, state)
    put_wall(scratch, slot, vertical, size)
    return distance(scratch, 0, size, geometry) != UNREACHABLE and distance(scratch, 1, size, geometry) != UNREACHABLE


@kernel
def legal_walls(state: Row, size: int, geometry: Row, vertical: bool, scratch: Row) -> Words:
    """The slots of all legal walls of one direction, whatever the mover's stock."""
    low, high = free_slots(state, size, geometry, vertical)
    cut_low, cut_high = cutting_slots(state, size, geometry, vertical, low, high)
    while cut_low | cut_high != 0:
        slot = first(cut_low, cut_high)
        cut_low, cut_high = without_first(cut_low, cut_high)
        if not keeps_paths(state, slot, vertical, size, geometry, scratch):
            bit_low, bit_high = single(slot)
            low, high = low & ~bit_low, high & ~bit_high
    return low, high


@kernel
def legal_mask(state: Row, size: int, geometry: Row, scratch: Row, out: NDArray[np.bool_] | NDArray[np.uint8]) -> int:
    """Write the mask of a live position into `out: [num_actions]`; returns how many moves there are."""
    out[:] = False
    moves = scratch[:MOST_PAWN_MOVES].view(np.int64)
    count = pawn_moves(state, size, moves)
    for index in range(count):
        out[moves[index]] = True
    if state[LEFT + to_index(state[TURN])] == 0:
        return count
    for vertical in (False, True):
        low, high = legal_walls(state, size, geometry, vertical, scratch)
        while low | high != 0:
            out[wall_action(first(low, high), vertical, size)] = True
            low, high = without_first(low, high)
            count += 1
    return count


@kernel
def is_legal(state: Row, action: int, size: int, geometry: Row) -> bool:
    """Whether one action on the board is legal in a live position: its value in `legal_mask`, computed alone."""
    if action < size * size:
        moves = np.empty(MOST_PAWN_MOVES, np.int64)
        reachable = False
        for index in range(pawn_moves(state, size, moves)):
            reachable |= moves[index] == action
        return reachable
    if state[LEFT + to_index(state[TURN])] == 0:
        return False
    slot, vertical = wall_of(action, size)
    low, high = free_slots(state, size, geometry, vertical)
    if not has(low, high, slot):
        return False
    low, high = cutting_slots(state, size, geometry, vertical, low, high)
    scratch = np.empty(STATE_WORDS, np.uint64)
    return not has(low, high, slot) or keeps_paths(state, slot, vertical, size, geometry, scratch)


@kernel
def count_legal(state: Row, size: int, geometry: Row, scratch: Row) -> int:
    """How many moves are legal in a live position."""
    moves = np.empty(MOST_PAWN_MOVES, np.int64)
    count = pawn_moves(state, size, moves)
    if state[LEFT + to_index(state[TURN])] != 0:
        for vertical in (False, True):
            low, high = legal_walls(state, size, geometry, vertical, scratch)
            count += bit_count(low) + bit_count(high)
    return count


@kernel
def play(state: Row, action: int, size: int, after: Row) -> None:
    """Write the position after a legal action into `after`."""
    copy_into(after, state)
    play_here(after, action, size)


@kernel
def play_here(state: Row, action: int, size: int) -> None:
    """Turn a position into the one after a legal action."""
    turn = to_index(state[TURN])
    if action < size * size:
        state[PAWN + turn] = to_word(action)
    else:
        slot, vertical = wall_of(action, size)
        put_wall(state, slot, vertical, size)
        state[LEFT + turn] -= to_word(1)
    state[TURN] = to_word(1 - turn)


@kernel
def reached(state: Row, player: int, size: int) -> bool:
    """Whether a player's pawn stands on its goal row."""
    row = to_index(state[PAWN + player]) // size
    return row == (size - 1 if player == 0 else 0)


@kernel
def perft(state: Row, depth: int, size: int, geometry: Row) -> int:
    """How many lines of exactly `depth` plies begin here; the last ply is counted in bulk."""
    if depth == 0:
        return 1
    actions = size * size + 2 * (size - 1) * (size - 1)
    states = np.empty((depth, STATE_WORDS), np.uint64)
    masks = np.zeros((depth, actions), np.bool_)
    cursors = np.zeros(depth, np.int64)
    scratch = np.empty(STATE_WORDS, np.uint64)
    copy_into(states[0], state)
    if depth == 1:
        return count_legal(states[0], size, geometry, scratch)
    legal_mask(states[0], size, geometry, scratch, masks[0])
    total, ply = 0, 0
    while ply >= 0:
        action = cursors[ply]
        while action < actions and not masks[ply, action]:
            action += 1
        cursors[ply] = action + 1
        if action >= actions:
            ply -= 1
            continue
        play(states[ply], action, size, states[ply + 1])
        mover = to_index(states[ply, TURN])
        if reached(states[ply + 1], mover, size):
            continue
        if ply + 2 == depth:
            total += count_legal(states[ply + 1], size, geometry, scratch)
        else:
            ply += 1
            cursors[ply] = 0
            legal_mask(states[ply], size, geometry, scratch, masks[ply])
    return total
