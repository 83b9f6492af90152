"""Simulations of `mcts` as kernels over a game's compiled rules: UCT with rollouts or the game's evaluation.

A tree keeps no positions: every simulation plays from the root again, which is faster than to store and copy them.

The batched search returns to Python for each leaf and proves no results, so it has not taken the place of this kernel.
Simulations per second on one core, here with rollouts or the game's evaluation, there with an evaluation that costs
nothing: tic-tac-toe 4x4x4 390,000 and 72,000, Quoridor 5x5 207,000 and 51,000, Quoridor 9x9 52,000 and 88,000. On 9x9
the evaluation is most of the cost, which only this kernel paid; no match has compared the two.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.compilable import compilable
from ludex.core.compiled import RUNNING, Vector
from ludex.kernels.calls import APPLY, ESTIMATE, LEGAL, OUTCOME, PLAYER, apply_at, estimate_at, legal_at, number_at
from ludex.kernels.jit import bare_kernel, copy_into, draw_below, share, to_index
from ludex.search.mcts_decision import LOST, WON

FIRST, CHILDREN, MADE, OPENED, MOVER, ACTION, VISITS, PROVEN, NODE_COLUMNS = range(9)
"""Of a node: its first child, how many it may have and how many were made, whether that is known, who moves, the action
that leads to it, how often it was visited, whether its score is proven."""
TOTAL, PRIOR, SCORE, BASE, WIDTH, VALUE_COLUMNS = range(6)
"""Of a node, for player 0: the sum of scores, what the evaluation expects, the proven score. And what makes a child
urgent, kept so that it is computed once per visit: its value with the evaluation's bias, and how uncertain it is."""
NODES, DEPTH, COUNTER_COLUMNS = range(3)
EXPLORATION, BIAS, MOST_DEPTH, ROLLOUT, EVALUATED, FULL, NUMBERS = range(7)
ROOT: Final = 0


@compilable
def value_of(node: int, nodes: NDArray[np.int32], values: NDArray[np.float64], evaluated: bool) -> float:
    """The average score of player 0, the proven one if there is one; an evaluation counts as one visit."""
    if nodes[node, PROVEN]:
        return float(values[node, SCORE])
    if evaluated:
        return float((values[node, TOTAL] + values[node, PRIOR]) / (nodes[node, VISITS] + 1))
    return float(values[node, TOTAL] / max(nodes[node, VISITS], 1))


share(value_of)


@bare_kernel
def simulate(
    count: int,
    rules: Vector,
    constants: Vector,
    root: Vector,
    numbers: NDArray[np.float64],
    stop: NDArray[np.uint8],
    random: NDArray[np.uint64],
    counters: NDArray[np.int64],
    nodes: NDArray[np.int32],
    values: NDArray[np.float64],
    path: NDArray[np.int32],
    mask: NDArray[np.uint8],
    states: Vector,
) -> int:
    """Run simulations until enough are done, the stop flag is raised, the root is proven, or there is no more room.

    Returns how many were done; one that was stopped in its rollout does not count.
    """
    state, evaluated = states[0], numbers[EVALUATED] != 0.0
    for done in range(count):
        room = counters[NODES] + len(mask) <= len(nodes)
        grows = (not room and numbers[FULL] == 0.0) or counters[DEPTH] + 2 >= len(path)
        if stop[0] or nodes[ROOT, PROVEN] or grows:
            return done
        copy_into(state, root)
        node, length = ROOT, 1
        path[0] = ROOT
        while True:
            if nodes[node, PROVEN]:
                score = values[node, SCORE]
                break
            closed = nodes[node, OPENED] == 0 and not room
            if (length > 1 and nodes[node, VISITS] == 0) or length > numbers[MOST_DEPTH] or closed:
                score = values[node, PRIOR]
                if numbers[ROLLOUT] > 0.0 or not evaluated:
                    score = _rollout(rules, constants, state, numbers, stop, random, mask)
                    if np.isnan(score):
                        return done
                break
            if nodes[node, OPENED] == 0:
                _open(node, rules, constants, state, states[1], numbers, random, counters, nodes, values, mask)
                continue
            new = nodes[node, MADE] < nodes[node, CHILDREN]
            child = nodes[node, FIRST] + nodes[node, MADE] if new else _most_urgent(node, nodes, values)
            apply_at(rules[APPLY], constants, state, to_index(nodes[child, ACTION]))
            if new:
                nodes[node, MADE] += 1
                _look(child, rules, constants, state, numbers, nodes, values)
            path[length] = child
            length += 1
            node = to_index(child)
        counters[DEPTH] = max(counters[DEPTH], length - 1)
        _back_up(path, length, score, numbers, nodes, values)
    return count


@bare_kernel
def _back_up(
    path: NDArray[np.int32],
    length: int,
    score: float,
    numbers: NDArray[np.float64],
    nodes: NDArray[np.int32],
    values: NDArray[np.float64],
) -> None:
    """Count a simulation's score in the nodes of its path, the last first."""
    for index in range(length - 1, -1, -1):
        node = to_index(path[index])
        nodes[node, VISITS] += 1
        values[node, TOTAL] += score
        # Only a proof below can prove a node.
        if nodes[node, PROVEN] == 0 and index + 1 < length and nodes[path[index + 1], PROVEN]:
            _prove(node, nodes, values)
        _weigh(node, nodes, values, numbers)


@bare_kernel
def _look(
    child: int,
    rules: Vector,
    constants: Vector,
    state: Vector,
    numbers: NDArray[np.float64],
    nodes: NDArray[np.int32],
    values: NDArray[np.float64],
) -> None:
    """Write who moves in a new node, whether the game is over there, and what the evaluation expects."""
    nodes[child, MOVER] = number_at(rules[PLAYER], constants, state)
    outcome = number_at(rules[OUTCOME], constants, state)
    if outcome != RUNNING:
        nodes[child, PROVEN] = 1
        values[child, SCORE] = outcome
    elif numbers[EVALUATED] != 0.0:
        values[child, PRIOR] = estimate_at(rules[ESTIMATE], constants, state)
    _weigh(child, nodes, values, numbers)


@bare_kernel
def _weigh(node: int, nodes: NDArray[np.int32], values: NDArray[np.float64], numbers: NDArray[np.float64]) -> None:
    """Keep what makes a node urgent; an evaluation counts as one visit."""
    if nodes[node, PROVEN]:
        # Nothing is left to explore there.
        values[node, BASE], values[node, WIDTH] = values[node, SCORE], 0.0
        return
    visits = np.float64(nodes[node, VISITS])
    if numbers[EVALUATED] != 0.0:
        visits += 1.0
        prior = values[node, PRIOR]
        values[node, BASE] = (values[node, TOTAL] + prior) / visits + numbers[BIAS] * prior / (visits + 1.0)
    else:
        values[node, BASE] = values[node, TOTAL] / max(visits, 1.0)
    values[node, WIDTH] = numbers[EXPLORATION] / np.sqrt(visits) if visits > 0.0 else np.inf


@bare_kernel
def _open(
    node: int,
    rules: Vector,
    constants: Vector,
    state: Vector,
    scratch: Vector,
    numbers: NDArray[np.float64],
    random: NDArray[np.uint64],
    counters: NDArray[np.int64],
    nodes: NDArray[np.int32],
    values: NDArray[np.float64],
    mask: NDArray[np.uint8],
) -> None:
    """Make room for what can be played in a node that is reached again: most nodes never are.

    With an evaluation all children are made at once. Without one they are made one by one, in a random order, after
    those that end the game: a win that is at hand proves the node.
    """
    count = legal_at(rules[LEGAL], constants, state, mask)
    first = to_index(counters[NODES])
    counters[NODES] = first + count
    nodes[node, MOVER] = number_at(rules[PLAYER], constants, state)
    nodes[node, OPENED], nodes[node, FIRST], nodes[node, CHILDREN] = 1, first, count
    child = first
    for action in range(len(mask)):
        if mask[action]:
            nodes[child, ACTION] = action
            child += 1
    if numbers[EVALUATED] == 0.0:
        for last in range(count - 1, 0, -1):
            other = draw_below(random, 0, last + 1)
            _swap(first + last, first + other, nodes)
    next_made = first
    for child in range(first, first + count):
        copy_into(scratch, state)
        apply_at(rules[APPLY], constants, scratch, to_index(nodes[child, ACTION]))
        if numbers[EVALUATED] != 0.0 or number_at(rules[OUTCOME], constants, scratch) != RUNNING:
            _swap(next_made, child, nodes)
            _look(next_made, rules, constants, scratch, numbers, nodes, values)
            next_made += 1
    nodes[node, MADE] = next_made - first
    if next_made > first:
        _prove(node, nodes, values)


@bare_kernel
def _swap(first: int, second: int, nodes: NDArray[np.int32]) -> None:
    """Exchange the actions of two children that are not made yet."""
    nodes[first, ACTION], nodes[second, ACTION] = nodes[second, ACTION], nodes[first, ACTION]


@bare_kernel
def _most_urgent(node: int, nodes: NDArray[np.int32], values: NDArray[np.float64]) -> int:
    """The child that the mover of a node wants to try most."""
    first = to_index(nodes[node, FIRST])
    sign = 1.0 if nodes[node, MOVER] == 0 else -1.0
    chances = np.sqrt(np.log(max(2, nodes[node, VISITS])))
    best, best_child = -np.inf, first
    for child in range(first, first + nodes[node, CHILDREN]):
        urgency = sign * values[child, BASE] + chances * values[child, WIDTH]
        if urgency > best and (nodes[child, PROVEN] == 0 or urgency > LOST):
            best, best_child = urgency, child
    return best_child


@bare_kernel
def best_line(
    node: int,
    nodes: NDArray[np.int32],
    values: NDArray[np.float64],
    numbers: NDArray[np.float64],
    line: NDArray[np.int64],
) -> int:
    """Write the moves that are expected from a node on, by the order of `mcts_decision.rank`; returns how many."""
    evaluated, length = numbers[EVALUATED] != 0.0, 0
    while length < len(line):
        first, made = to_index(nodes[node, FIRST]), to_index(nodes[node, MADE])
        sign = 1.0 if nodes[node, MOVER] == 0 else -1.0
        visited, best_certain, best_visits, best_value, best_child = False, -2, 0, 0.0, first
        for child in range(first, first + made):
            visits, value = to_index(nodes[child, VISITS]), sign * value_of(child, nodes, values, evaluated)
            certain = 0
            if nodes[child, PROVEN]:
                certain = to_index(value >= WON) - to_index(value <= LOST)
            visited |= visits > 0
            same = certain == best_certain
            better = same and (visits > best_visits or (visits == best_visits and value > best_value))
            if certain > best_certain or better:
                best_certain, best_visits, best_value, best_child = certain, visits, value, child
        if not visited:
            break
        line[length] = nodes[best_child, ACTION]
        length += 1
        node = best_child
    return length


@bare_kernel
def _prove(node: int, nodes: NDArray[np.int32], values: NDArray[np.float64]) -> None:
    """A node is proven once its mover has a won child, or none but proven ones."""
    sign = 1.0 if nodes[node, MOVER] == 0 else -1.0
    best, whole = -np.inf, nodes[node, MADE] == nodes[node, CHILDREN]
    for child in range(nodes[node, FIRST], nodes[node, FIRST] + nodes[node, MADE]):
        if nodes[child, PROVEN]:
            best = max(best, sign * values[child, SCORE])
        else:
            whole = False
    if best >= WON or whole:
        nodes[node, PROVEN] = 1
        values[node, SCORE] = sign * best


@bare_kernel
def _rollout(
    rules: Vector,
    constants: Vector,
    state: Vector,
    numbers: NDArray[np.float64],
    stop: NDArray[np.uint8],
    random: NDArray[np.uint64],
    mask: NDArray[np.uint8],
) -> float:
    """The score of player 0 at the end of random moves, or what is expected where they are cut; NaN if stopped."""
    plies = 0
    while plies < numbers[ROLLOUT]:
        if stop[0]:
            return np.nan
        count = legal_at(rules[LEGAL], constants, state, mask)
        left = draw_below(random, 0, count)
        action = 0
        while mask[action] == 0 or left > 0:
            left -= mask[action]
            action += 1
        apply_at(rules[APPLY], constants, state, action)
        outcome = number_at(rules[OUTCOME], constants, state)
        if outcome != RUNNING:
            return float(outcome)
        plies += 1
    return estimate_at(rules[ESTIMATE], constants, state) if numbers[EVALUATED] != 0.0 else 0.0
