"""Principal variation search over a stack of its own.

A kernel that calls itself crashes when it is read back from the cache, so a node's variables live in rows, and one loop
walks down and up: `entering` a node, or coming back to it with a child's `value`.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.games.quoridor.agents.master.moves import NO_MOVE
from ludex.games.quoridor.agents.master.network import Network, judge_after, sum_after, sum_from_nothing
from ludex.games.quoridor.agents.master.node import (
    FORWARD,
    NEAR_DEPTH,
    OPEN,
    extend,
    list_moves,
    list_rest,
    pass_turn,
    refresh,
    remember_line,
    reward,
    settled,
    take_best,
)
from ludex.games.quoridor.agents.master.race import find_cuts
from ludex.games.quoridor.agents.master.transposition_table import (
    CERTAIN,
    EXACT,
    LOWER,
    MISSING,
    UPPER,
    WIN,
    Table,
    probe,
    score_in,
    store,
)
from ludex.games.quoridor.agents.master.workspace import (
    FULL,
    INFINITY,
    MOST_PLIES,
    NARROW,
    PASSED,
    REDUCED,
    Workspace,
)
from ludex.games.quoridor.rules.position import LEFT, PAWN, TURN
from ludex.kernels.jit import kernel, to_index

STEP = 100
"""The value of one step of distance."""
TEMPO = 50
WALL = 45
AHEAD, AHEAD_PER_WALL = 150, 20
"""For a player ahead of an opponent without walls: nothing can be put in its way, and every wall of its own helps."""


@kernel
def evaluate(mine: int, theirs: int, my_walls: int, their_walls: int) -> int:
    """The worth of a live position to its mover: distances to the goals and walls left, the mover's first."""
    score = STEP * (theirs - mine) + TEMPO + WALL * (my_walls - their_walls)
    if their_walls == 0 and mine <= theirs:
        score += AHEAD + AHEAD_PER_WALL * my_walls
    if my_walls == 0 and theirs < mine:
        score -= AHEAD + AHEAD_PER_WALL * their_walls
    return score


MARGIN, MARGIN_DEPTH = 130, 3
"""A position better than beta by this margin per ply left is cut off, up to this depth."""
PASS_DEPTH, PASS_REDUCTION = 3, 3
REDUCTION_DEPTH, UNREDUCED = 3, 3
"""From this depth on, moves after the first few are searched less deep at first."""
REDUCTIONS = np.array(
    [[int(0.4 + math.log(max(d, 1)) * math.log(max(m, 1)) / 1.4) for m in range(256)] for d in range(MOST_PLIES + 1)],
    np.int64,
)


@kernel
def search(
    ws: Workspace, net: Network, table: Table, size: int, depth: int, alpha: int, beta: int, stop: NDArray[np.uint8]
) -> int:
    """The value of `ws.states[0]` for its mover, within the window; the best line is written to `ws.lines[0]`.

    An aborted search raises `ws.aborted` and returns nothing of worth; `ws.best_move[0]` is then the best of the moves
    that were finished.
    """
    ws.aborted = 0
    _open(ws, 0, depth, alpha, beta, False)
    ply, value = 0, to_index(0)
    entering = True
    while True:
        if entering:
            if stop[0] != 0 or ws.nodes >= ws.most_nodes:
                ws.aborted = 1
                return 0
            ws.nodes += 1
            value = _enter(ws, net, table, ply, size)
            if value == OPEN and ws.pending[ply] == PASSED:
                pass_turn(ws, ply)
                _open(ws, ply + 1, ws.depth[ply] - PASS_REDUCTION, -ws.beta[ply], -ws.beta[ply] + 1, False)
                ply += 1
                continue
            if value == OPEN:
                _list(ws, ply, size)
        else:
            value = _resume(ws, ply, -value, size)
        if value == OPEN:
            value = _advance(ws, table, ply, size)
        # A node without a value yet has opened a child.
        entering = value == OPEN
        if entering:
            ply += 1
        elif ply == 0:
            return value
        else:
            ply -= 1


@kernel
def _open(ws: Workspace, ply: int, depth: int, alpha: int, beta: int, may_pass: bool) -> None:
    """Set a node's depth and window before it is entered."""
    ws.depth[ply], ws.alpha[ply], ws.beta[ply] = max(0, depth), alpha, beta
    ws.may_pass[ply] = 1 if may_pass else 0


@kernel
def _enter(ws: Workspace, net: Network, table: Table, ply: int, size: int) -> int:
    """A node's value if it needs no moves, else OPEN with its fields and sums ready."""
    ws.lengths[ply] = 0
    value = settled(ws, ply, size)
    if value != OPEN:
        return value
    if ws.depth[ply] <= 0 or ply >= MOST_PLIES:
        return _worth(ws, net, ply)
    ws.first_alpha[ply] = ws.alpha[ply]
    ws.best[ply], ws.best_move[ply], ws.move[ply], ws.pending[ply] = -INFINITY, NO_MOVE, NO_MOVE, FULL
    entry = probe(table, ws.keys[ws.base + ply], ws.oldest, ws.generation)
    if entry != MISSING:
        ws.move[ply] = table[entry].move
    if ply > 0 and ws.beta[ply] - ws.alpha[ply] == 1:
        value = OPEN if entry == MISSING else _known(ws, table[entry], ply)
        if value == OPEN:
            value = _prune(ws, net, ply)
        if value != OPEN:
            return value
    refresh(ws, ply, size)
    if ws.learned != 0:
        if ply == 0:
            sum_from_nothing(net, ws.states[0], 0)
        else:
            sum_after(net, ws.states[ply], ply, ws.via[ply])
    return OPEN


@kernel
def _known(ws: Workspace, entry: Any, ply: int) -> int:
    """The value that an entry of the table gives a node, or OPEN."""
    score, bound = score_in(entry, ply), entry.bound
    # An end that was seen elsewhere in time may come too late here.
    if entry.depth < ws.depth[ply] or (abs(score) >= CERTAIN and WIN - abs(score) > ws.plies_left):
        return OPEN
    if bound == EXACT or (bound == LOWER and score >= ws.beta[ply]) or (bound == UPPER and score <= ws.alpha[ply]):
        return score
    return OPEN


@kernel
def _prune(ws: Workspace, net: Network, ply: int) -> int:
    """The value of a node that is good enough as it stands, else OPEN; it may first see what passing brings."""
    if ws.beta[ply] >= CERTAIN:
        return OPEN
    worth = _worth(ws, net, ply)
    if ws.depth[ply] <= MARGIN_DEPTH and worth - MARGIN * ws.depth[ply] >= ws.beta[ply]:
        return worth
    if ws.may_pass[ply] != 0 and ws.depth[ply] >= PASS_DEPTH and worth >= ws.beta[ply]:
        ws.pending[ply] = PASSED
    return OPEN


@kernel
def _worth(ws: Workspace, net: Network, ply: int) -> int:
    """What a live position is worth to its mover without looking ahead."""
    state = ws.states[ply]
    turn = to_index(state[TURN])
    mine, theirs = ws.steps[ply, turn], ws.steps[ply, 1 - turn]
    if ws.learned != 0:
        return judge_after(net, state, ply, ws.via[ply], mine, theirs)
    return evaluate(mine, theirs, to_index(state[LEFT + turn]), to_index(state[LEFT + 1 - turn]))


@kernel
def _list(ws: Workspace, ply: int, size: int) -> None:
    """List a node's moves, its table move first. The root leaves none out."""
    state = ws.states[ply]
    for player in range(2):
        field = ws.fields[ws.field_at[ply, player], player]
        find_cuts(state, to_index(state[PAWN + player]), size, ws.geometry, field, ws.cuts[ply, player])
    ws.whole[ply] = 1 if ply == 0 or ws.depth[ply] > NEAR_DEPTH else 0
    ws.count[ply] = list_moves(ws, ply, MOST_PLIES if ply == 0 else ws.depth[ply], ws.move[ply], size)
    ws.cursor[ply] = 0
    ws.searched[ply] = 0
    ws.pending[ply] = FULL


@kernel
def _resume(ws: Workspace, ply: int, value: int, size: int) -> int:
    """Take a child's value; the node's own value if that settles it, else OPEN.

    A move that was searched with less depth or a null window and did better than expected stays in `ws.move`: it is
    opened again by `_advance`.
    """
    pending, move = ws.pending[ply], ws.move[ply]
    if pending == PASSED:
        if value >= ws.beta[ply]:
            # A win seen after a passed turn is not proven.
            return min(value, CERTAIN - 1)
        _list(ws, ply, size)
        return OPEN
    if pending == REDUCED and value > ws.alpha[ply]:
        ws.pending[ply] = NARROW
        return OPEN
    if pending == NARROW and ws.alpha[ply] < value < ws.beta[ply]:
        ws.pending[ply] = FULL
        return OPEN
    ws.move[ply] = NO_MOVE
    if value > ws.best[ply]:
        ws.best[ply] = value
        if value > ws.alpha[ply]:
            ws.alpha[ply] = value
            ws.best_move[ply] = move
            remember_line(ws, ply, move)
            if value >= ws.beta[ply]:
                reward(ws, ply, ws.depth[ply], move, ws.cursor[ply] - 1)
    return OPEN


@kernel
def _advance(ws: Workspace, table: Table, ply: int, size: int) -> int:
    """Open the child of the next move, or of one that is searched again; the node's value when there is none."""
    alpha, beta, depth = ws.alpha[ply], ws.beta[ply], ws.depth[ply]
    if ws.searched[ply] > 0 and ws.move[ply] != NO_MOVE:
        _open(ws, ply + 1, depth - 1, -beta if ws.pending[ply] == FULL else -alpha - 1, -alpha, True)
        return OPEN
    while alpha < beta:
        if ws.cursor[ply] == ws.count[ply]:
            if ws.whole[ply] != 0 or ws.best[ply] > -CERTAIN:
                break
            # A loss is certain only when every wall was tried: one that waits may save the game.
            ws.whole[ply] = 1
            ws.count[ply] = list_rest(ws, ply, depth, ws.count[ply], size)
            continue
        move = take_best(ws, ply, ws.cursor[ply], ws.count[ply])
        ws.cursor[ply] += 1
        if (ply == 0 and ws.banned[move] != 0) or not extend(ws, ply, move, size):
            continue
        ws.move[ply] = move
        ws.searched[ply] += 1
        if ws.searched[ply] == 1:
            ws.pending[ply] = FULL
            _open(ws, ply + 1, depth - 1, -beta, -alpha, True)
            return OPEN
        reduction = to_index(0)
        promising = ws.order[ply, ws.cursor[ply] - 1] >= FORWARD - FORWARD // 4
        if depth >= REDUCTION_DEPTH and ws.searched[ply] > UNREDUCED and not promising:
            reduction = min(REDUCTIONS[depth, ws.searched[ply]], depth - 2)
        ws.pending[ply] = REDUCED if reduction > 0 else NARROW
        _open(ws, ply + 1, depth - 1 - reduction, -alpha - 1, -alpha, True)
        return OPEN
    return _close(ws, table, ply)


@kernel
def _close(ws: Workspace, table: Table, ply: int) -> int:
    """A searched node's value, stored in the table unless some moves of the root are banned."""
    best = to_index(ws.best[ply])
    if ply > 0 or not ws.banned.any():
        bound = LOWER if best >= ws.beta[ply] else EXACT if best > ws.first_alpha[ply] else UPPER
        key = ws.keys[ws.base + ply]
        store(table, key, ws.best_move[ply], best, ws.depth[ply], bound, ply, ws.oldest, ws.generation)
    return best
