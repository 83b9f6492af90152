"""A node of the search: the position after a move, a value that is certain without a search, and the moves to try."""

from ludex.core.compiled import Vector
from ludex.games.quoridor.agents.master.moves import HORIZONTAL, NO_MOVE, TURN_WORD, VERTICAL, key_after, make, slot_of
from ludex.games.quoridor.agents.master.race import (
    RACE_SLOTS,
    RACES,
    UNDECIDED,
    bends,
    fill,
    is_cut,
    race_index,
    solve_race,
    unstoppable,
)
from ludex.games.quoridor.agents.master.transposition_table import WIN
from ludex.games.quoridor.agents.master.workspace import STALE, Workspace
from ludex.games.quoridor.rules.board import SLOTS, Row
from ludex.games.quoridor.rules.movegen import free_slots, pawn_moves, touched_slots
from ludex.games.quoridor.rules.paths import UNREACHABLE, distance
from ludex.games.quoridor.rules.position import LEFT, PAWN, TURN, H, V
from ludex.kernels.jit import copy_into, kernel, to_index, to_word
from ludex.kit.bits128 import Words, down, first, has, up, without_first


@kernel
def extend(ws: Workspace, ply: int, move: int, size: int) -> bool:
    """Write the position after a move to the next ply; False if the move cuts off a path.

    Distances are looked up after a step, and after a wall flooded only where it lies on a shortest path.
    """
    state, after = ws.states[ply], ws.states[ply + 1]
    turn = to_index(state[TURN])
    make(state, move, size, after)
    for player in range(2):
        ws.steps[ply + 1, player] = ws.steps[ply, player]
        ws.field_at[ply + 1, player] = ws.field_at[ply, player]
    if move < HORIZONTAL:
        ws.steps[ply + 1, turn] = ws.fields[ws.field_at[ply, turn], turn, move]
        ws.quiet[ply + 1] = ws.quiet[ply] + 1
    else:
        for player in range(2):
            if is_cut(ws.cuts[ply, player], move):
                steps = distance(after, player, size, ws.geometry)
                if steps == UNREACHABLE:
                    return False
                ws.steps[ply + 1, player] = steps
                ws.field_at[ply + 1, player] = STALE
            elif bends(ws.fields[ws.field_at[ply, player], player], move, size):
                ws.field_at[ply + 1, player] = STALE
        ws.quiet[ply + 1] = 0
    ws.keys[ws.base + ply + 1] = key_after(ws.keys[ws.base + ply], state, move, ws.random)
    ws.via[ply + 1] = move
    return True


@kernel
def pass_turn(ws: Workspace, ply: int) -> None:
    """Write the position with the turn given away to the next ply."""
    copy_into(ws.states[ply + 1], ws.states[ply])
    ws.states[ply + 1, TURN] ^= to_word(1)
    for player in range(2):
        ws.steps[ply + 1, player] = ws.steps[ply, player]
        ws.field_at[ply + 1, player] = ws.field_at[ply, player]
    ws.quiet[ply + 1] = 0
    ws.keys[ws.base + ply + 1] = ws.keys[ws.base + ply] ^ ws.random[TURN_WORD]
    ws.via[ply + 1] = NO_MOVE


@kernel
def refresh(ws: Workspace, ply: int, size: int) -> None:
    """See that a ply has the fields of both players."""
    for player in range(2):
        if ws.field_at[ply, player] == STALE:
            fill(ws.states[ply], player, size, ws.geometry, ws.fields[ply, player])
            ws.field_at[ply, player] = ply


@kernel
def is_repetition(ws: Workspace, ply: int) -> bool:
    """Whether the position stood before in the line, or twice in the game: then it is drawn, or can be.

    Within the line it is a draw at once: a player that gains nothing by it the first time gains nothing later.
    """
    last = ws.base + ply
    before = 0
    for back in range(4, ws.quiet[ply] + 1, 2):
        if ws.keys[last - back] == ws.keys[last]:
            before += 2 if back <= ply else 1
    return before >= 2


@kernel
def remember_line(ws: Workspace, ply: int, move: int) -> None:
    """A node's best line is its move and then its child's best line."""
    ws.lines[ply, 0] = move
    length = ws.lengths[ply + 1]
    for index in range(length):
        ws.lines[ply, index + 1] = ws.lines[ply + 1, index]
    ws.lengths[ply] = length + 1


OPEN = 32_767
"""No value: the node must be searched."""
RACE_DEPTH = 8
"""With less depth left, a table of races costs more than searching on."""


@kernel
def settled(ws: Workspace, ply: int, size: int) -> int:
    """The certain value of a node, or OPEN. The window is narrowed to the scores still possible."""
    turn = to_index(ws.states[ply, TURN])
    if ws.steps[ply, 1 - turn] == 0:
        return ply - WIN
    if ply > 0:
        if is_repetition(ws, ply) or ply >= ws.plies_left:
            return 0
        ws.alpha[ply] = max(ws.alpha[ply], ply - WIN)
        ws.beta[ply] = min(ws.beta[ply], WIN - ply - 1)
        if ws.alpha[ply] >= ws.beta[ply]:
            return to_index(ws.alpha[ply])
    if ws.steps[ply, turn] == 1:
        move = _goal_move(ws, ply, size)
        if move != NO_MOVE:
            ws.lengths[ply + 1] = 0
            ws.best_move[ply] = move
            remember_line(ws, ply, move)
            return WIN - ply - 1
    # The root needs a move, not only a value.
    return OPEN if ply == 0 else _value_without_walls(ws, ply, size)


@kernel
def _goal_move(ws: Workspace, ply: int, size: int) -> int:
    """The mover's step onto its goal, or NO_MOVE where the opponent stands on it."""
    moves = ws.moves[ply]
    turn = to_index(ws.states[ply, TURN])
    first = size * (size - 1) if turn == 0 else 0
    move = NO_MOVE
    for index in range(pawn_moves(ws.states[ply], size, moves)):
        if first <= moves[index] < first + size and (ply > 0 or ws.banned[moves[index]] == 0):
            move = to_index(moves[index])
    return move


@kernel
def _value_without_walls(ws: Workspace, ply: int, size: int) -> int:
    """The value where one player is out of walls and the other unstoppable, or both are and the race is known."""
    state = ws.states[ply]
    turn = to_index(state[TURN])
    if state[LEFT] != 0 and state[LEFT + 1] != 0:
        return OPEN
    refresh(ws, ply, size)
    for player in range(2):
        if state[LEFT + 1 - player] == 0:
            field = ws.fields[ws.field_at[ply, player], player]
            plies = unstoppable(state, player, size, field, ws.steps[ply, 1 - player])
            if plies != UNDECIDED and ply + plies <= ws.plies_left:
                return WIN - ply - plies if player == turn else ply + plies - WIN
    if state[LEFT] != 0 or state[LEFT + 1] != 0 or ws.depth[ply] < _race_depth(ws):
        return OPEN
    plies = _race(ws, ply, size)
    if ply + abs(plies) > ws.plies_left:
        return 0
    if plies > 0:
        return WIN - ply - plies
    return ply - plies - WIN if plies < 0 else 0


@kernel
def _race_depth(ws: Workspace) -> int:
    """The depth from which on a race is looked up: any, where the root is a race and one table serves all."""
    return 0 if ws.states[0, LEFT] == 0 and ws.states[0, LEFT + 1] == 0 else RACE_DEPTH


@kernel
def _race(ws: Workspace, ply: int, size: int) -> int:
    """Plies to the end of a race, negative if the mover loses it, 0 if neither player can force it."""
    state = ws.states[ply]
    slot = _race_slot(ws, state)
    if not _holds(ws.race_walls[slot], state):
        walls = ws.race_walls[slot]
        walls[0], walls[1], walls[2], walls[3] = state[H], state[H + 1], state[V], state[V + 1]
        ws.solved += 1
        solve_race(state, size, ws.races[slot], ws.race_queue, ws.race_moves)
    turn = to_index(state[TURN])
    return to_index(ws.races[slot, race_index(turn, to_index(state[PAWN + turn]), to_index(state[PAWN + 1 - turn]))])


@kernel
def _race_slot(ws: Workspace, state: Row) -> int:
    """The table of these walls, or the one they replace, in turn among the few that they may stand in.

    Solving a table costs as much as searching a hundred nodes, and a last wall can stand in about as many places: with
    a single slot for each of them, two that share it would be solved again and again.
    """
    # A product carries upwards alone: without the shifts, walls of the upper rows would share their slots.
    half = to_word(32)
    mixed = state[H] ^ (state[H + 1] << half)
    mixed = (mixed ^ (mixed >> half)) * to_word(0x9E3779B97F4A7C15)
    mixed ^= state[V] ^ (state[V + 1] << half)
    mixed = (mixed ^ (mixed >> half)) * to_word(0xBF58476D1CE4E5B9)
    first = to_index(mixed >> half) % (RACES // RACE_SLOTS) * RACE_SLOTS
    for slot in range(first, first + RACE_SLOTS):
        if _holds(ws.race_walls[slot], state):
            return slot
    return to_index(first + ws.solved % RACE_SLOTS)


@kernel
def _holds(walls: Row, state: Row) -> bool:
    """Whether a table is that of a position's walls."""
    return bool(walls[0] == state[H] and walls[1] == state[H + 1] and walls[2] == state[V] and walls[3] == state[V + 1])


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
