"""Distances of every square to a goal, and positions that need no search: unstoppable pawns, races without walls.

A field of distances depends on walls alone: it stays while pawns move, and the distance of a moved pawn is looked up.
"""

import numpy as np
from numpy.typing import NDArray

from ludex.core.compiled import Vector
from ludex.games.quoridor.agents.master.moves import VERTICAL, slot_of
from ludex.games.quoridor.rules.board import GOAL, SLOTS, Row
from ludex.games.quoridor.rules.movegen import MOST_PAWN_MOVES, neighbour, pawn_moves_of
from ludex.games.quoridor.rules.paths import spread
from ludex.games.quoridor.rules.position import EAST, NORTH, PAWN, TURN
from ludex.kernels.jit import kernel, to_index, to_word
from ludex.kit.bits128 import add, down, first, has, single, without_first

SQUARES = 128
FAR = 127
"""The distance of a square from which no way leads to the goal."""


@kernel
def fill(state: Row, player: int, size: int, geometry: Row, field: NDArray[np.int8]) -> None:
    """Write the steps from every square to a player's goal into `field: int8[SQUARES]`."""
    field[:] = FAR
    low, high = geometry[GOAL + 2 * player], geometry[GOAL + 2 * player + 1]
    front_low, front_high = low, high
    steps = 0
    while front_low | front_high != 0:
        while front_low | front_high != 0:
            field[first(front_low, front_high)] = steps
            front_low, front_high = without_first(front_low, front_high)
        next_low, next_high = spread(low, high, state, size)
        front_low, front_high = next_low & ~low, next_high & ~high
        low, high = next_low, next_high
        steps += 1


@kernel
def bends(field: NDArray[np.int8], code: int, size: int) -> bool:
    """Whether a wall closes an edge between different distances: any other leaves the field as it is."""
    slot = slot_of(code)
    along, across = (1, size) if code < VERTICAL else (size, 1)
    bent = field[slot] != field[slot + across]
    bent |= field[slot + along] != field[slot + along + across]
    return bool(bent)


@kernel
def find_cuts(state: Row, pawn: int, size: int, geometry: Row, field: NDArray[np.int8], cuts: Row) -> None:
    """Write the slots whose wall closes an edge of some shortest path into `cuts: uint64[4]`, H then V.

    Any other wall leaves the pawn's distance as it is.
    """
    north_low, north_high = to_word(0), to_word(0)
    east_low, east_high = to_word(0), to_word(0)
    front_low, front_high = single(pawn)
    steps = field[pawn]
    while steps > 0:
        steps -= 1
        next_low, next_high = to_word(0), to_word(0)
        while front_low | front_high != 0:
            square = first(front_low, front_high)
            front_low, front_high = without_first(front_low, front_high)
            if has(state[NORTH], state[NORTH + 1], square) and field[square + size] == steps:
                north_low, north_high = add(north_low, north_high, square)
                next_low, next_high = add(next_low, next_high, square + size)
            if square >= size and has(state[NORTH], state[NORTH + 1], square - size) and field[square - size] == steps:
                north_low, north_high = add(north_low, north_high, square - size)
                next_low, next_high = add(next_low, next_high, square - size)
            if has(state[EAST], state[EAST + 1], square) and field[square + 1] == steps:
                east_low, east_high = add(east_low, east_high, square)
                next_low, next_high = add(next_low, next_high, square + 1)
            # The square before column a is the last of the row below, and its edge east is always closed.
            if square > 0 and has(state[EAST], state[EAST + 1], square - 1) and field[square - 1] == steps:
                east_low, east_high = add(east_low, east_high, square - 1)
                next_low, next_high = add(next_low, next_high, square - 1)
        front_low, front_high = next_low, next_high
    low, high = down(north_low, north_high, 1)
    cuts[0] = (low | north_low) & geometry[SLOTS]
    cuts[1] = (high | north_high) & geometry[SLOTS + 1]
    low, high = down(east_low, east_high, size)
    cuts[2] = (low | east_low) & geometry[SLOTS]
    cuts[3] = (high | east_high) & geometry[SLOTS + 1]


@kernel
def is_cut(cuts: Row, code: int) -> bool:
    """Whether a wall is among `cuts: uint64[4]`."""
    start = 0 if code < VERTICAL else 2
    return has(cuts[start], cuts[start + 1], slot_of(code))


RACES = 256
"""Tables in memory, one per wall configuration."""
RACE_SLOTS = 8
"""Tables that a wall configuration may be kept in."""
MOST_RACERS = 2 * 128 * 128
"""The entries of a table."""
UNDECIDED = 0


@kernel
def unstoppable(state: Row, player: int, size: int, mine: NDArray[np.int8], theirs: int) -> int:
    """Plies in which a player surely wins against an opponent without walls at distance `theirs`, or UNDECIDED.

    The player walks a shortest path. If the opponent cannot come next to it in time, there is no jump and no standing
    in the way, and distances alone decide. `mine` is the player's field.
    """
    square = to_index(state[PAWN + player])
    steps = to_index(mine[square])
    second = 1 if to_index(state[TURN]) != player else 0
    if steps + second > theirs:
        return UNDECIDED
    low, high = single(to_index(state[PAWN + 1 - player]))
    for _ in range(1 + second):
        low, high = spread(low, high, state, size)
    for step in range(steps):
        if has(low, high, square):
            return UNDECIDED
        low, high = spread(low, high, state, size)
        if has(state[NORTH], state[NORTH + 1], square) and mine[square + size] == steps - step - 1:
            square += size
        elif has(state[EAST], state[EAST + 1], square) and mine[square + 1] == steps - step - 1:
            square += 1
        elif square > 0 and has(state[EAST], state[EAST + 1], square - 1) and mine[square - 1] == steps - step - 1:
            square -= 1
        else:
            square -= size
    return 2 * steps - 1 + second


@kernel
def solve_race(
    state: Row, size: int, out: NDArray[np.int16], queue: NDArray[np.int32], open_moves: NDArray[np.int8]
) -> None:
    """Solve all races among these walls into `out: int16[MOST_RACERS]`; `queue` and `open_moves` are as long.

    Index `race_index(turn, mover, other)`: n means the mover wins in n plies, -n that it loses in n, 0 that neither can
    force the end. Backwards from the finished races, each position once.
    """
    squares = size * size
    near = np.empty((squares, 4), np.int64)
    degree = np.zeros(squares, np.int64)
    # Bit p: a pawn of player p has arrived here.
    arrived = np.zeros(squares, np.uint8)
    arrived[squares - size :] = 1
    arrived[:size] = 2
    for square in range(squares):
        for direction in range(4):
            target = neighbour(state, square, direction, size)
            if target >= 0:
                near[square, degree[square]] = target
                degree[square] += 1
    out[:] = 0
    scratch = state.copy()
    moves = np.empty(MOST_PAWN_MOVES, np.int64)
    # How many moves of a position are not yet known to lose; 0 until it is first needed.
    open_moves[:] = 0
    tail = _collect_finished(arrived, queue)
    finished, head = tail, 0
    while head < tail:
        race = to_index(queue[head])
        depth = to_index(0) if head < finished else to_index(abs(out[race]))
        lost = head < finished or out[race] < 0
        head += 1
        turn, here, there = race >> 14, (race >> 7) & 127, race & 127
        # Before it the other player, now at `there`, came from some square while `here` stood where it stands.
        came = 1 - turn
        count = degree[there]
        touching = False
        for source in range(count):
            touching |= near[there, source] == here
        for source in range(count + degree[here] if touching else count):
            # A step; or, of pawns that touch, a jump over `here`.
            origin = near[there, source] if source < count else near[here, source - count]
            if origin in (here, there) or (arrived[origin] >> came) & 1 != 0:
                continue
            before = race_index(came, origin, here)
            if out[before] != 0 or (source >= count and not _jumps(scratch, came, origin, here, there, size, moves)):
                continue
            if not lost:
                if open_moves[before] == 0:
                    open_moves[before] = _count_moves(scratch, came, origin, here, size, moves, near, degree)
                open_moves[before] -= 1
                if open_moves[before] != 0:
                    continue
            out[before] = depth + 1 if lost else -(depth + 1)
            queue[tail] = before
            tail += 1


@kernel
def _collect_finished(arrived: NDArray[np.uint8], queue: NDArray[np.int32]) -> int:
    """Write the races that have just ended into a queue: lost for the mover, since the other has arrived."""
    count = 0
    for turn in range(2):
        for other in range(len(arrived)):
            if (arrived[other] >> (1 - turn)) & 1 == 0:
                continue
            for mover in range(len(arrived)):
                if mover != other and (arrived[mover] >> turn) & 1 == 0:
                    queue[count] = race_index(turn, mover, other)
                    count += 1
    return count


@kernel
def race_index(turn: int, mover: int, other: int) -> int:
    """Where a race stands in its table."""
    return (turn << 14) | (mover << 7) | other


@kernel
def _jumps(scratch: Row, player: int, origin: int, over: int, target: int, size: int, moves: Vector) -> bool:
    """Whether a player on `origin` reaches `target` by a jump over the opponent."""
    scratch[PAWN + player], scratch[PAWN + 1 - player] = origin, over
    reaches = False
    for index in range(pawn_moves_of(scratch, player, size, moves)):
        reaches |= moves[index] == target
    return reaches


@kernel
def _count_moves(
    scratch: Row, player: int, mine: int, theirs: int, size: int, moves: Vector, near: Vector, degree: Vector
) -> int:
    for index in range(degree[mine]):
        if near[mine, index] == theirs:
            scratch[PAWN + player], scratch[PAWN + 1 - player] = mine, theirs
            return pawn_moves_of(scratch, player, size, moves)
    return to_index(degree[mine])
