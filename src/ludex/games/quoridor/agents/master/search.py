"""Principal variation search over a stack of its own.

A kernel that calls itself crashes when it is read back from the cache, so a node's variables live in a frame, and one
loop walks down and up: `entering` a node, or coming back to it with a child's `value`.
"""

import math

import numpy as np
from numpy.typing import NDArray

from ludex.games.quoridor.agents.master.distances import find_cuts
from ludex.games.quoridor.agents.master.line import extend, pass_turn, refresh, remember_line
from ludex.games.quoridor.agents.master.move_ordering import (
    FORWARD,
    NEAR_DEPTH,
    list_moves,
    list_rest,
    reward,
    take_best,
)
from ludex.games.quoridor.agents.master.moves import NO_MOVE
from ludex.games.quoridor.agents.master.network import Network, judge_after, sum_after, sum_from_nothing
from ludex.games.quoridor.agents.master.static_results import OPEN, settled
from ludex.games.quoridor.agents.master.transposition_table import (
    CERTAIN,
    EXACT,
    LOWER,
    MISSING,
    UPPER,
    WIN,
    WORD,
    Table,
    bound_in,
    depth_in,
    move_in,
    probe,
    score_in,
    store,
)
from ludex.games.quoridor.agents.master.workspace import (
    ABORTED,
    ALPHA,
    BASE,
    BEST,
    BEST_MOVE,
    BETA,
    COUNT,
    CURSOR,
    DEPTH,
    FIRST_ALPHA,
    FULL,
    GENERATION,
    INFINITY,
    LEARNED,
    MAY_PASS,
    MOST_NODES,
    MOST_PLIES,
    MOVE,
    NARROW,
    NODES,
    OLDEST,
    PASSED,
    PENDING,
    PLIES_LEFT,
    REDUCED,
    SEARCHED,
    VIA,
    WHOLE,
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
    ws: Workspace,
    net: Network,
    table: Table,
    size: int,
    depth: int,
    alpha: int,
    beta: int,
    stop: NDArray[np.uint8],
) -> int:
    """The value of `ws.states[0]` for its mover, within the window; the best line is written to `ws.lines[0]`.

    An aborted search raises `ws.counters[ABORTED]` and returns nothing of worth; `ws.frames[0]` then holds the best of
    the moves that were finished.
    """
    frames, counters = ws.frames, ws.counters
    counters[ABORTED] = 0
    _open(frames[0], depth, alpha, beta, False)
    ply, value = 0, to_index(0)
    entering = True
    while True:
        frame = frames[ply]
        if entering:
            if stop[0] != 0 or counters[NODES] >= counters[MOST_NODES]:
                counters[ABORTED] = 1
                return 0
            counters[NODES] += 1
            value = _enter(ws, net, table, ply, size)
            if value == OPEN and frame[PENDING] == PASSED:
                pass_turn(ws, ply)
                _open(frames[ply + 1], frame[DEPTH] - PASS_REDUCTION, -frame[BETA], -frame[BETA] + 1, False)
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
def _open(frame: NDArray[np.int64], depth: int, alpha: int, beta: int, may_pass: bool) -> None:
    """Set a node's depth and window before it is entered."""
    frame[DEPTH], frame[ALPHA], frame[BETA] = max(0, depth), alpha, beta
    frame[MAY_PASS] = 1 if may_pass else 0


@kernel
def _enter(ws: Workspace, net: Network, table: Table, ply: int, size: int) -> int:
    """A node's value if it needs no moves, else OPEN with its fields and sums ready."""
    frame, counters = ws.frames[ply], ws.counters
    ws.lengths[ply] = 0
    value = settled(ws, ply, size)
    if value != OPEN:
        return value
    if frame[DEPTH] <= 0 or ply >= MOST_PLIES:
        return _worth(ws, net, ply)
    frame[FIRST_ALPHA] = frame[ALPHA]
    frame[BEST], frame[BEST_MOVE], frame[MOVE], frame[PENDING] = -INFINITY, NO_MOVE, NO_MOVE, FULL
    entry = probe(table, ws.keys[counters[BASE] + ply], counters[OLDEST], counters[GENERATION])
    if entry != MISSING:
        frame[MOVE] = move_in(table[entry, WORD])
    if ply > 0 and frame[BETA] - frame[ALPHA] == 1:
        value = OPEN if entry == MISSING else _known(frame, table[entry, WORD], ply, counters[PLIES_LEFT])
        if value == OPEN:
            value = _prune(ws, net, ply)
        if value != OPEN:
            return value
    refresh(ws, ply, size)
    if counters[LEARNED] != 0:
        if ply == 0:
            sum_from_nothing(net, ws.states[0], 0)
        else:
            sum_after(net, ws.states[ply], ply, frame[VIA])
    return OPEN


@kernel
def _known(frame: NDArray[np.int64], word: int, ply: int, plies_left: int) -> int:
    """The value that an entry of the table gives a node, or OPEN."""
    score, bound = score_in(word, ply), bound_in(word)
    # An end that was seen elsewhere in time may come too late here.
    if depth_in(word) < frame[DEPTH] or (abs(score) >= CERTAIN and WIN - abs(score) > plies_left):
        return OPEN
    if bound == EXACT or (bound == LOWER and score >= frame[BETA]) or (bound == UPPER and score <= frame[ALPHA]):
        return score
    return OPEN


@kernel
def _prune(ws: Workspace, net: Network, ply: int) -> int:
    """The value of a node that is good enough as it stands, else OPEN; it may first see what passing brings."""
    frame = ws.frames[ply]
    if frame[BETA] >= CERTAIN:
        return OPEN
    worth = _worth(ws, net, ply)
    if frame[DEPTH] <= MARGIN_DEPTH and worth - MARGIN * frame[DEPTH] >= frame[BETA]:
        return worth
    if frame[MAY_PASS] != 0 and frame[DEPTH] >= PASS_DEPTH and worth >= frame[BETA]:
        frame[PENDING] = PASSED
    return OPEN


@kernel
def _worth(ws: Workspace, net: Network, ply: int) -> int:
    """What a live position is worth to its mover without looking ahead."""
    state = ws.states[ply]
    turn = to_index(state[TURN])
    mine, theirs = ws.steps[ply, turn], ws.steps[ply, 1 - turn]
    if ws.counters[LEARNED] != 0:
        return judge_after(net, state, ply, ws.frames[ply, VIA], mine, theirs)
    return evaluate(mine, theirs, to_index(state[LEFT + turn]), to_index(state[LEFT + 1 - turn]))


@kernel
def _list(ws: Workspace, ply: int, size: int) -> None:
    """List a node's moves, its table move first. The root leaves none out."""
    frame, state = ws.frames[ply], ws.states[ply]
    for player in range(2):
        field = ws.fields[ws.field_at[ply, player], player]
        find_cuts(state, to_index(state[PAWN + player]), size, ws.geometry, field, ws.cuts[ply, player])
    frame[WHOLE] = 1 if ply == 0 or frame[DEPTH] > NEAR_DEPTH else 0
    frame[COUNT] = list_moves(ws, ply, MOST_PLIES if ply == 0 else frame[DEPTH], frame[MOVE], size)
    frame[CURSOR] = 0
    frame[SEARCHED] = 0
    frame[PENDING] = FULL


@kernel
def _resume(ws: Workspace, ply: int, value: int, size: int) -> int:
    """Take a child's value; the node's own value if that settles it, else OPEN.

    A move that was searched with less depth or a null window and did better than expected is `frame[MOVE]` still: it is
    opened again by `_advance`.
    """
    frame = ws.frames[ply]
    pending, move = frame[PENDING], frame[MOVE]
    if pending == PASSED:
        if value >= frame[BETA]:
            # A win seen after a passed turn is not proven.
            return min(value, CERTAIN - 1)
        _list(ws, ply, size)
        return OPEN
    if pending == REDUCED and value > frame[ALPHA]:
        frame[PENDING] = NARROW
        return OPEN
    if pending == NARROW and frame[ALPHA] < value < frame[BETA]:
        frame[PENDING] = FULL
        return OPEN
    frame[MOVE] = NO_MOVE
    if value > frame[BEST]:
        frame[BEST] = value
        if value > frame[ALPHA]:
            frame[ALPHA] = value
            frame[BEST_MOVE] = move
            remember_line(ws, ply, move)
            if value >= frame[BETA]:
                reward(ws, ply, frame[DEPTH], move, frame[CURSOR] - 1)
    return OPEN


@kernel
def _advance(ws: Workspace, table: Table, ply: int, size: int) -> int:
    """Open the child of the next move, or of one that is searched again; the node's value when there is none."""
    frame, child = ws.frames[ply], ws.frames[ply + 1]
    alpha, beta, depth = frame[ALPHA], frame[BETA], frame[DEPTH]
    if frame[SEARCHED] > 0 and frame[MOVE] != NO_MOVE:
        _open(child, depth - 1, -beta if frame[PENDING] == FULL else -alpha - 1, -alpha, True)
        return OPEN
    while alpha < beta:
        if frame[CURSOR] == frame[COUNT]:
            if frame[WHOLE] != 0 or frame[BEST] > -CERTAIN:
                break
            # A loss is certain only when every wall was tried: one that waits may save the game.
            frame[WHOLE] = 1
            frame[COUNT] = list_rest(ws, ply, depth, frame[COUNT], size)
            continue
        move = take_best(ws, ply, frame[CURSOR], frame[COUNT])
        frame[CURSOR] += 1
        if (ply == 0 and ws.banned[move] != 0) or not extend(ws, ply, move, size):
            continue
        frame[MOVE] = move
        frame[SEARCHED] += 1
        if frame[SEARCHED] == 1:
            frame[PENDING] = FULL
            _open(child, depth - 1, -beta, -alpha, True)
            return OPEN
        reduction = to_index(0)
        promising = ws.order[ply, frame[CURSOR] - 1] >= FORWARD - FORWARD // 4
        if depth >= REDUCTION_DEPTH and frame[SEARCHED] > UNREDUCED and not promising:
            reduction = min(REDUCTIONS[depth, frame[SEARCHED]], depth - 2)
        frame[PENDING] = REDUCED if reduction > 0 else NARROW
        _open(child, depth - 1 - reduction, -alpha - 1, -alpha, True)
        return OPEN
    return _close(ws, table, ply)


@kernel
def _close(ws: Workspace, table: Table, ply: int) -> int:
    """A searched node's value, stored in the table unless some moves of the root are banned."""
    frame, counters = ws.frames[ply], ws.counters
    best = to_index(frame[BEST])
    whole = True
    if ply == 0:
        for banned in ws.banned:
            whole &= banned == 0
    if whole:
        bound = LOWER if best >= frame[BETA] else EXACT if best > frame[FIRST_ALPHA] else UPPER
        key = ws.keys[counters[BASE] + ply]
        store(table, key, frame[BEST_MOVE], best, frame[DEPTH], bound, ply, counters[OLDEST], counters[GENERATION])
    return best
