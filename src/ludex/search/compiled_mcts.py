"""The search of `mcts` by kernels, for games with compiled rules, in the form that decisions read."""

import math
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

import numpy as np

from ludex.core.compiled import CompiledRules
from ludex.core.decision import Decision
from ludex.core.game import Action, Player
from ludex.core.limit import Limit
from ludex.core.seeding import Rng
from ludex.kernels.calls import addresses
from ludex.search.mcts_decision import Scores, decision_of
from ludex.search.mcts_kernels import (
    ACTION,
    BIAS,
    COUNTER_COLUMNS,
    DEPTH,
    EVALUATED,
    EXPLORATION,
    FIRST,
    FULL,
    MADE,
    MOST_DEPTH,
    MOVER,
    NODE_COLUMNS,
    NODES,
    NUMBERS,
    PROVEN,
    ROLLOUT,
    ROOT,
    SCORE,
    VALUE_COLUMNS,
    VISITS,
    best_line,
    simulate,
    value_of,
)
from ludex.search.spec import MctsOptions

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
        branches = [CompiledBranch(self._search, self._first + child) for child in range(self._made)]
        return {child.action: child for child in branches}

    def value(self, player: Player) -> float:
        """The average score of a player."""
        return self._value if player == 0 else -self._value

    def line(self) -> list[Action]:
        """How play is expected to go on."""
        return self._search.line(self._index)
