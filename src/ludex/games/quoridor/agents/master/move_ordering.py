"""Which moves a node tries, and in which order."""

from ludex.core.compiled import Vector
from ludex.games.quoridor.agents.master.moves import HORIZONTAL, VERTICAL, slot_of
from ludex.games.quoridor.agents.master.workspace import Workspace
from ludex.games.quoridor.rules.bits import Words, down, first, has, up, without_first
from ludex.games.quoridor.rules.board import SLOTS, Row
from ludex.games.quoridor.rules.movegen import free_slots, pawn_moves, touched_slots
from ludex.games.quoridor.rules.position import LEFT, PAWN, TURN
from ludex.kernels.jit import kernel, to_index, to_word

TABLE_FIRST, KILLER_FIRST, KILLER_SECOND = 1 << 40, 1 << 30, (1 << 30) - 1
FORWARD, CUTS_THEM, CUTS_ME = 20_000, 8_000, -4_000
HISTORY_LIMIT = 16_384
CUT_DEPTH, NEAR_DEPTH = 2, 6
"""Up to these depths only walls in the way count, and then those near something."""


@kernel
def list_moves(ws: Workspace, ply: int, depth: int, table_move: int, size: int) -> int:
    """Write a node's moves and their promise into `ws.moves[ply]` and `ws.order[ply]`; returns how many.

    Walls are checked for overlaps only: whether one cuts off a path is found out when it is made.
    """
    state, moves, order = ws.states[ply], ws.moves[ply], ws.order[ply]
    turn = to_index(state[TURN])
    field = ws.fields[ws.field_at[ply, turn], turn]
    here = to_index(field[to_index(state[PAWN + turn])])
    count = pawn_moves(state, size, moves)
    for index in range(count):
        order[index] = FORWARD * (here - field[moves[index]]) + ws.history[turn, moves[index]]
    if state[LEFT + turn] != 0:
        for vertical in (False, True):
            low, high = _slots(ws, ply, depth, vertical, size)
            count = _list_walls(ws, ply, vertical, low, high, count)
    return _put_first(ws, ply, count, table_move, size)


@kernel
def list_rest(ws: Workspace, ply: int, depth: int, count: int, size: int) -> int:
    """Add the walls that `list_moves` left out at this depth; returns how many moves there are then."""
    if ws.states[ply, LEFT + to_index(ws.states[ply, TURN])] != 0:
        for vertical in (False, True):
            low, high = free_slots(ws.states[ply], size, ws.geometry, vertical)
            had_low, had_high = _slots(ws, ply, depth, vertical, size)
            count = _list_walls(ws, ply, vertical, low & ~had_low, high & ~had_high, count)
    return count


@kernel
def _slots(ws: Workspace, ply: int, depth: int, vertical: bool, size: int) -> Words:
    """The slots whose walls a node of this depth tries.

    The nearer the horizon, the fewer: up to CUT_DEPTH only walls in the opponent's way, up to NEAR_DEPTH also those
    that touch another or stand near a pawn, and above it all that fit.
    """
    state = ws.states[ply]
    low, high = free_slots(state, size, ws.geometry, vertical)
    if depth > NEAR_DEPTH:
        return low, high
    start = 2 if vertical else 0
    cuts = ws.cuts[ply, 1 - to_index(state[TURN])]
    if depth <= CUT_DEPTH:
        return low & cuts[start], high & cuts[start + 1]
    near_low, near_high = _near(ws, ply)
    touch_low, touch_high = _touching(state, size, ws.geometry, vertical)
    return low & (cuts[start] | near_low | touch_low), high & (cuts[start + 1] | near_high | touch_high)


@kernel
def _list_walls(ws: Workspace, ply: int, vertical: bool, low: int, high: int, count: int) -> int:
    """Add the walls on some slots to a node's moves."""
    turn = to_index(ws.states[ply, TURN])
    start = 2 if vertical else 0
    base = VERTICAL if vertical else HORIZONTAL
    theirs, mine = ws.cuts[ply, 1 - turn], ws.cuts[ply, turn]
    while low | high != 0:
        slot = first(low, high)
        low, high = without_first(low, high)
        promise = ws.history[turn, base + slot]
        if has(theirs[start], theirs[start + 1], slot):
            promise += CUTS_THEM
        if has(mine[start], mine[start + 1], slot):
            promise += CUTS_ME
        ws.moves[ply, count] = base + slot
        ws.order[ply, count] = promise
        count += 1
    return count


@kernel
def _put_first(ws: Workspace, ply: int, count: int, table_move: int, size: int) -> int:
    """Raise the table's move, adding a wall that was left out; where the table has none, raise the killers."""
    state, moves, order = ws.states[ply], ws.moves[ply], ws.order[ply]
    for index in range(count):
        if moves[index] == table_move:
            order[index] = TABLE_FIRST
            return count
    walls = state[LEFT + to_index(state[TURN])]
    if table_move >= HORIZONTAL and walls != 0 and _fits(state, table_move, size, ws.geometry):
        moves[count] = table_move
        order[count] = TABLE_FIRST
        return count + 1
    for index in range(count):
        if moves[index] == ws.killers[ply, 0]:
            order[index] += KILLER_FIRST
        elif moves[index] == ws.killers[ply, 1]:
            order[index] += KILLER_SECOND
    return count


@kernel
def take_best(ws: Workspace, ply: int, cursor: int, count: int) -> int:
    """Bring the most promising of the moves left to the cursor; of equal ones the first."""
    moves, order = ws.moves[ply], ws.order[ply]
    best = cursor
    for index in range(cursor + 1, count):
        if order[index] > order[best]:
            best = index
    move, promise = moves[best], order[best]
    moves[best], order[best] = moves[cursor], order[cursor]
    moves[cursor], order[cursor] = move, promise
    return to_index(move)


@kernel
def reward(ws: Workspace, ply: int, depth: int, move: int, cursor: int) -> None:
    """Record the move that refuted a node, and lower the history of those tried before it."""
    turn = to_index(ws.states[ply, TURN])
    if ws.killers[ply, 0] != move:
        ws.killers[ply, 1] = ws.killers[ply, 0]
        ws.killers[ply, 0] = move
    bonus = min(depth * depth * 16, 1_600)
    _shift(ws.history[turn], move, bonus)
    for index in range(cursor):
        if ws.moves[ply, index] != move:
            _shift(ws.history[turn], to_index(ws.moves[ply, index]), -bonus)


@kernel
def _shift(history: Vector, move: int, bonus: int) -> None:
    history[move] += bonus - history[move] * abs(bonus) // HISTORY_LIMIT


@kernel
def _near(ws: Workspace, ply: int) -> Words:
    """The slots within two rows and columns of a pawn."""
    state = ws.states[ply]
    low, high = to_word(0), to_word(0)
    for player in range(2):
        square = to_index(state[PAWN + player])
        low |= ws.near[square, 0]
        high |= ws.near[square, 1]
    return low, high


@kernel
def _touching(state: Row, size: int, geometry: Row, vertical: bool) -> Words:
    """The slots whose wall would touch another one."""
    by = size if vertical else 1
    low, high = touched_slots(state, size, geometry)
    up_low, up_high = up(low, high, by)
    down_low, down_high = down(low, high, by)
    return (low | up_low | down_low) & geometry[SLOTS], (high | up_high | down_high) & geometry[SLOTS + 1]


@kernel
def _fits(state: Row, move: int, size: int, geometry: Row) -> bool:
    """Whether a wall overlaps none: a table's move may stem from another position with the same key."""
    low, high = free_slots(state, size, geometry, move >= VERTICAL)
    return has(low, high, slot_of(move))
