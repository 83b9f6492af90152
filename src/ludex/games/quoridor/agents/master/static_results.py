"""Nodes whose value is certain without a search: goals, repetitions, the last ply, unstoppable pawns, races."""

from ludex.games.quoridor.agents.master.line import refresh, remember_line, repeated
from ludex.games.quoridor.agents.master.moves import NO_MOVE
from ludex.games.quoridor.agents.master.race import RACES, UNDECIDED, race_index, solve_race, unstoppable
from ludex.games.quoridor.agents.master.transposition_table import WIN
from ludex.games.quoridor.agents.master.workspace import ALPHA, BEST_MOVE, BETA, DEPTH, PLIES_LEFT, Workspace
from ludex.games.quoridor.rules.layout import LEFT, PAWN, TURN, H, V
from ludex.games.quoridor.rules.movegen import pawn_moves
from ludex.kernels.jit import kernel, to_index, to_word

OPEN = 32_767
"""No value: the node must be searched."""
RACE_DEPTH = 8
"""With less depth left, a table of races costs more than searching on."""


@kernel
def settled(ws: Workspace, ply: int, size: int) -> int:
    """The certain value of a node, or OPEN. The window is narrowed to the scores still possible."""
    frame = ws.frames[ply]
    turn = to_index(ws.states[ply, TURN])
    if ws.steps[ply, 1 - turn] == 0:
        return ply - WIN
    if ply > 0:
        if repeated(ws, ply) or ply >= ws.counters[PLIES_LEFT]:
            return 0
        frame[ALPHA] = max(frame[ALPHA], ply - WIN)
        frame[BETA] = min(frame[BETA], WIN - ply - 1)
        if frame[ALPHA] >= frame[BETA]:
            return to_index(frame[ALPHA])
    if ws.steps[ply, turn] == 1:
        move = _goal_move(ws, ply, size)
        if move != NO_MOVE:
            ws.lengths[ply + 1] = 0
            frame[BEST_MOVE] = move
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
    found = NO_MOVE
    for index in range(pawn_moves(ws.states[ply], size, moves)):
        if first <= moves[index] < first + size and (ply > 0 or ws.banned[moves[index]] == 0):
            found = to_index(moves[index])
    return found


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
            if plies != UNDECIDED and ply + plies <= ws.counters[PLIES_LEFT]:
                return WIN - ply - plies if player == turn else ply + plies - WIN
    if state[LEFT] != 0 or state[LEFT + 1] != 0 or ws.frames[ply, DEPTH] < _race_depth(ws):
        return OPEN
    plies = _race(ws, ply, size)
    if ply + abs(plies) > ws.counters[PLIES_LEFT]:
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
    mixed = (state[H] ^ (state[H + 1] << to_word(32))) * to_word(0x9E3779B97F4A7C15)
    mixed = (mixed ^ state[V] ^ (state[V + 1] << to_word(32))) * to_word(0xBF58476D1CE4E5B9)
    slot = to_index(mixed >> to_word(40)) % RACES
    walls = ws.race_walls[slot]
    if walls[0] != state[H] or walls[1] != state[H + 1] or walls[2] != state[V] or walls[3] != state[V + 1]:
        walls[0], walls[1], walls[2], walls[3] = state[H], state[H + 1], state[V], state[V + 1]
        solve_race(state, size, ws.races[slot], ws.race_queue, ws.race_moves)
    turn = to_index(state[TURN])
    return to_index(ws.races[slot, race_index(turn, to_index(state[PAWN + turn]), to_index(state[PAWN + 1 - turn]))])
