"""The search of `mcts` in one kernel, for games with compiled rules: UCT with rollouts or the game's evaluation.

A tree keeps no positions: every simulation plays from the root again, which is faster than to store and copy them.
"""

import math
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.compilable import compilable
from ludex.core.compiled import RUNNING, CompiledRules, Vector
from ludex.core.decision import Decision
from ludex.core.game import Action, Player
from ludex.core.limit import Limit
from ludex.core.seeding import Rng
from ludex.kernels.calls import (
    APPLY,
    ESTIMATE,
    LEGAL,
    OUTCOME,
    PLAYER,
    addresses,
    apply_at,
    estimate_at,
    legal_at,
    number_at,
)
from ludex.kernels.jit import bare_kernel, copy_into, draw_below, share, to_index
from ludex.search.mcts_decision import LOST, WON, Scores, decision_of
from ludex.search.options import MctsOptions

FIRST, CHILDREN, MADE, OPENED, MOVER, ACTION, VISITS, PROVEN, NODE_COLUMNS = range(9)
"""Of a node: its first child, how many it may have and how many were made, whether that is known, who moves, the action
that leads to it, how often it was visited, whether its score is proven."""
TOTAL, PRIOR, SCORE, BASE, WIDTH, VALUE_COLUMNS = range(6)
"""Of a node, for player 0: the sum of scores, what the evaluation expects, the proven score. And what makes a child
urgent, kept so that it is computed once per visit: its value with the evaluation's bias, and how uncertain it is."""
NODES, DEPTH, COUNTER_COLUMNS = range(3)
EXPLORATION, BIAS, MOST_DEPTH, ROLLOUT, EVALUATED, FULL, NUMBERS = range(7)
ROOT: Final = 0
FIRST_NODES: Final = 1 << 12
"""Room for nodes at first; it doubles."""
MOST_NODES: Final = 1 << 22
"""Then no more nodes are opened: their simulations end there."""


class CompiledSearch:
    """The search for one move of a registered game with compiled rules."""

    def __init__(self, rules: CompiledRules, options: MctsOptions, limit: Limit, rng: Rng, position: Any) -> None:
        self.rules = rules
        self.depth = 0
        self._stop = limit.stop
        self._addresses = addresses(rules, observing=False)
        self._state = rules.pack(position)
        self.player: Player = int(rules.player(rules.constants, self._state))
        self._numbers = np.zeros(NUMBERS, np.float64)
        self._numbers[EXPLORATION] = options.exploration_weight(self.evaluated)
        self._numbers[BIAS] = options.bias
        self._numbers[MOST_DEPTH] = math.inf if limit.depth is None else limit.depth
        self._numbers[ROLLOUT] = options.rollout_plies(self.evaluated)
        self._numbers[EVALUATED] = self.evaluated
        self._random = np.array([rng.bits()], np.uint64)
        self.nodes = np.zeros((max(FIRST_NODES, 4 * rules.action_size), NODE_COLUMNS), np.int32)
        self.values = np.zeros((len(self.nodes), VALUE_COLUMNS), np.float64)
        self._counters = np.zeros(COUNTER_COLUMNS, np.int64)
        self._counters[NODES] = 1
        self._path = np.zeros(1 << 10, np.int32)
        self._mask = np.zeros(rules.action_size, np.uint8)
        self._states = np.zeros((2, rules.state_size), np.int64)

    @property
    def root(self) -> "CompiledBranch":
        return CompiledBranch(self, ROOT)

    @property
    def finished(self) -> bool:
        """Whether nothing is left to search."""
        return bool(self.nodes[ROOT, PROVEN])

    def simulate(self, count: int) -> int:
        """Run up to `count` simulations; returns how many, fewer once the search is stopped or the root is proven."""
        done = 0
        while done < count and not self._stop[0] and not self.finished:
            self._numbers[FULL] = len(self.nodes) >= MOST_NODES
            if self._counters[NODES] + self.rules.action_size > len(self.nodes) and not self._numbers[FULL]:
                self.nodes = np.concatenate([self.nodes, np.zeros_like(self.nodes)])
                self.values = np.concatenate([self.values, np.zeros_like(self.values)])
            if self.depth + 2 >= len(self._path):
                self._path = np.zeros(2 * len(self._path), np.int32)
            done += simulate(
                count - done,
                self._addresses,
                self.rules.constants,
                self._state,
                self._numbers,
                self._stop,
                self._random,
                self._counters,
                self.nodes,
                self.values,
                self._path,
                self._mask,
                self._states,
            )
            self.depth = int(self._counters[DEPTH])
        return done

    @property
    def evaluated(self) -> bool:
        """Whether the game's evaluation stands for rollouts."""
        return self.rules.estimate is not None

    def line(self, node: int) -> list[Action]:
        """How play is expected to go on from a node."""
        line = np.zeros(len(self._path), np.int64)
        count = best_line(node, self.nodes, self.values, self._numbers, line)
        actions: list[Action] = line[:count].tolist()
        return actions

    def decision(self, simulations: int) -> Decision:
        """What the simulations so far say."""
        return decision_of(
            self.root, self.player, players=2, deterministic=True, simulations=simulations, depth=self.depth
        )


class CompiledBranch:
    """A node of the kernel's tree, as decisions read it."""

    def __init__(self, search: CompiledSearch, index: int) -> None:
        columns = search.nodes[index].tolist()
        self._search = search
        self._index = index
        self._first: int = columns[FIRST]
        self._made: int = columns[MADE]
        self.action: Action = columns[ACTION]
        self.mover: Player = columns[MOVER]
        self.visits: int = columns[VISITS]
        score = float(search.values[index, SCORE])
        self.proven: Scores | None = (score, -score) if columns[PROVEN] else None
        self._value = value_of(index, search.nodes, search.values, search.evaluated)

    @cached_property
    def children(self) -> "Mapping[Action, CompiledBranch]":
        """Those that were made."""
        made = [CompiledBranch(self._search, self._first + child) for child in range(self._made)]
        return {child.action: child for child in made}

    def value(self, player: Player) -> float:
        """The average score of a player."""
        return self._value if player == 0 else -self._value

    def line(self) -> list[Action]:
        """How play is expected to go on."""
        return self._search.line(self._index)


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
        for index in range(length - 1, -1, -1):
            node = to_index(path[index])
            nodes[node, VISITS] += 1
            values[node, TOTAL] += score
            # Only a proof below can prove a node.
            if nodes[node, PROVEN] == 0 and index + 1 < length and nodes[path[index + 1], PROVEN]:
                _prove(node, nodes, values)
            _weigh(node, nodes, values, numbers)
    return count


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

    With an evaluation all children are made at once. Without one they are made one by one, in an order by chance, after
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
    made = first
    for child in range(first, first + count):
        copy_into(scratch, state)
        apply_at(rules[APPLY], constants, scratch, to_index(nodes[child, ACTION]))
        if numbers[EVALUATED] != 0.0 or number_at(rules[OUTCOME], constants, scratch) != RUNNING:
            _swap(made, child, nodes)
            _look(made, rules, constants, scratch, numbers, nodes, values)
            made += 1
    nodes[node, MADE] = made - first
    if made > first:
        _prove(node, nodes, values)


@bare_kernel
def _swap(one: int, two: int, nodes: NDArray[np.int32]) -> None:
    """Exchange the actions of two children that are not made yet."""
    nodes[one, ACTION], nodes[two, ACTION] = nodes[two, ACTION], nodes[one, ACTION]


@bare_kernel
def _most_urgent(node: int, nodes: NDArray[np.int32], values: NDArray[np.float64]) -> int:
    """The child that the mover of a node wants to try most."""
    first = to_index(nodes[node, FIRST])
    sign = 1.0 if nodes[node, MOVER] == 0 else -1.0
    chances = np.sqrt(np.log(max(2, nodes[node, VISITS])))
    best, chosen = -np.inf, first
    for child in range(first, first + nodes[node, CHILDREN]):
        urgency = sign * values[child, BASE] + chances * values[child, WIDTH]
        if urgency > best and (nodes[child, PROVEN] == 0 or urgency > LOST):
            best, chosen = urgency, child
    return chosen


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
        visited, best_certain, best_visits, best_value, chosen = False, -2, 0, 0.0, first
        for child in range(first, first + made):
            visits, value = to_index(nodes[child, VISITS]), sign * value_of(child, nodes, values, evaluated)
            certain = 0
            if nodes[child, PROVEN]:
                certain = to_index(value >= WON) - to_index(value <= LOST)
            visited |= visits > 0
            same = certain == best_certain
            better = same and (visits > best_visits or (visits == best_visits and value > best_value))
            if certain > best_certain or better:
                best_certain, best_visits, best_value, chosen = certain, visits, value, child
        if not visited:
            break
        line[length] = nodes[chosen, ACTION]
        length += 1
        node = chosen
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
    """The score of player 0 at the end of moves by chance, or what is expected where they are cut; NaN if stopped."""
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
