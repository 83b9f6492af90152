"""The line that is searched: how its next position is made, and nodes whose value is certain without a search."""

from ludex.games.quoridor.agents.master.distances import bends, fill, is_cut
from ludex.games.quoridor.agents.master.moves import HORIZONTAL, NO_MOVE, make
from ludex.games.quoridor.agents.master.race import RACE_SLOTS, RACES, UNDECIDED, race_index, solve_race, unstoppable
from ludex.games.quoridor.agents.master.transposition_table import WIN
from ludex.games.quoridor.agents.master.workspace import STALE, Workspace
from ludex.games.quoridor.agents.master.zobrist import TURN_WORD, key_after
from ludex.games.quoridor.rules.board import Row
from ludex.games.quoridor.rules.movegen import pawn_moves
from ludex.games.quoridor.rules.paths import UNREACHABLE, distance
from ludex.games.quoridor.rules.position import LEFT, PAWN, TURN, H, V
from ludex.kernels.jit import copy_into, kernel, to_index, to_word


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
    return OPEN if ply == 0 else _unwalled(ws, ply, size)


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
def _unwalled(ws: Workspace, ply: int, size: int) -> int:
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
