"""The line that is searched: how its next position is made, and what is known of each."""

from ludex.games.quoridor.agents.master.distances import bends, fill, is_cut
from ludex.games.quoridor.agents.master.moves import HORIZONTAL, NO_MOVE, make
from ludex.games.quoridor.agents.master.workspace import BASE, STALE, VIA, Workspace
from ludex.games.quoridor.agents.master.zobrist import TURN_WORD, key_after
from ludex.games.quoridor.rules.paths import UNREACHABLE, distance
from ludex.games.quoridor.rules.position import TURN
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
    base = ws.counters[BASE]
    ws.keys[base + ply + 1] = key_after(ws.keys[base + ply], state, move, ws.random)
    ws.frames[ply + 1, VIA] = move
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
    base = ws.counters[BASE]
    ws.keys[base + ply + 1] = ws.keys[base + ply] ^ ws.random[TURN_WORD]
    ws.frames[ply + 1, VIA] = NO_MOVE


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
    last = ws.counters[BASE] + ply
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
