"""Nodes whose value is certain without a search: goals, repetitions, the last ply, unstoppable pawns, races."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.quoridor.agents.master.line import is_repetition, refresh, remember_line
from ludex.games.quoridor.agents.master.moves import NO_MOVE
from ludex.games.quoridor.agents.master.race import RACE_SLOTS, RACES, UNDECIDED, race_index, solve_race, unstoppable
from ludex.games.quoridor.agents.master.transposition_table import WIN
from ludex.games.quoridor.agents.master.workspace import ALPHA, BEST_MOVE, BETA, DEPTH, PLIES_LEFT, SOLVED, Workspace
from ludex.games.quoridor.rules.movegen import pawn_moves
from ludex.games.quoridor.rules.position import LEFT, PAWN, TURN, H, V
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
        if is_repetition(ws, ply) or ply >= ws.counters[PLIES_LEFT]:
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
    slot = _race_slot(ws, state)
    if not _holds(ws.race_walls[slot], state):
        walls = ws.race_walls[slot]
        walls[0], walls[1], walls[2], walls[3] = state[H], state[H + 1], state[V], state[V + 1]
        ws.counters[SOLVED] += 1
        solve_race(state, size, ws.races[slot], ws.race_queue, ws.race_moves)
    turn = to_index(state[TURN])
    return to_index(ws.races[slot, race_index(turn, to_index(state[PAWN + turn]), to_index(state[PAWN + 1 - turn]))])


@kernel
def _race_slot(ws: Workspace, state: NDArray[np.uint64]) -> int:
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
    return to_index(first + ws.counters[SOLVED] % RACE_SLOTS)


@kernel
def _holds(walls: NDArray[np.uint64], state: NDArray[np.uint64]) -> bool:
    """Whether a table is that of a position's walls."""
    return bool(walls[0] == state[H] and walls[1] == state[H + 1] and walls[2] == state[V] and walls[3] == state[V + 1])
