"""What a search found: the move, the policy to learn, and the value of every game."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import ludex.search.batched.layout as at
from ludex.kernels.jit import bare_kernel, to_index
from ludex.search.batched.layout import NONE, ROOT, Floats, Plan, Tree, Vector, tree_of
from ludex.search.batched.selection import best_considered, improve, mean_value, to_policy


class Summary(NamedTuple):
    """The arrays of `SearchResult` that `summarise` writes, one row per game."""

    actions: Vector
    policy: Floats
    targets: Floats
    values: Floats
    visits: Vector
    q: Floats


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One row per game. The arrays are those of the search and hold until its next run."""

    actions: Vector
    """[G], the move to play, of the game's actions."""
    policy: Floats
    """[G, A], by the game's actions: the improved policy of Gumbel, the share of the visits of PUCT."""
    targets: Floats
    """[G, A], the policy by the network's outputs."""
    values: Floats
    """[G], the average value for the player to move."""
    visits: Vector
    """[G, A], by the game's actions: how often each was tried."""
    q: Floats
    """[G, A], by the game's actions: the value of each that was tried, for the player to move, else 0."""
    observations: NDArray[np.float32]
    """[G, C, H, W], of the roots."""
    masks: NDArray[np.uint8]
    """[G, A], of the roots, by the network's outputs."""


@bare_kernel
def summarise(begin: int, end: int, plan: Plan, trees: Tree, summary: Summary) -> None:
    """Write what the trees of the games in begin..end-1 say."""
    for lane in range(begin, end):
        tree = tree_of(trees, lane)
        policy, nodes, edges = summary.policy[lane], tree.nodes, tree.edges
        policy[:] = 0.0
        summary.visits[lane] = 0
        summary.q[lane] = 0.0
        if tree.game[at.NODES] == 0 or nodes[ROOT, at.COUNT] == 0:
            summary.actions[lane] = _any_legal(tree.mask, policy)
            summary.values[lane] = 0.0
        else:
            first, count = to_index(nodes[ROOT, at.FIRST]), to_index(nodes[ROOT, at.COUNT])
            summary.values[lane] = mean_value(tree, ROOT)
            best = _by_visits(tree) if plan.options[at.RULE] == at.PUCT else _by_improvement(tree, plan.options)
            summary.actions[lane] = edges[best, at.ACTION]
            for index in range(count):
                action, tried = edges[first + index, at.ACTION], edges[first + index, at.TRIED]
                policy[action] = tree.scratch[index]
                summary.visits[lane, action] = tried
                if tried > 0:
                    summary.q[lane, action] = tree.weights[first + index, at.TOTAL] / tried
        player = nodes[ROOT, at.PLAYER]
        for action in range(len(policy)):
            summary.targets[lane, plan.orientation[player, action]] = policy[action]


@bare_kernel
def _any_legal(mask: NDArray[np.uint8], policy: Floats) -> int:
    """Without any evaluation every legal action is as good."""
    count, best = 0, NONE
    for action in range(len(mask)):
        if mask[action]:
            count += 1
            best = action if best == NONE else best
    for action in range(len(mask)):
        policy[action] = mask[action] / max(count, 1)
    return best


@bare_kernel
def _by_visits(tree: Tree) -> int:
    """PUCT: the shares of the tries, and the edge that was tried most; of several the best. Priors before any try."""
    nodes, edges, weights, out = tree.nodes, tree.edges, tree.weights, tree.scratch
    first, count = to_index(nodes[ROOT, at.FIRST]), to_index(nodes[ROOT, at.COUNT])
    total = 0
    for edge in range(first, first + count):
        total += edges[edge, at.TRIED]
    best = first
    for edge in range(first, first + count):
        out[edge - first] = edges[edge, at.TRIED] / total if total > 0 else weights[edge, at.PRIOR]
        if total == 0:
            better = weights[edge, at.PRIOR] > weights[best, at.PRIOR]
        elif edges[edge, at.TRIED] == edges[best, at.TRIED]:
            better = weights[edge, at.TOTAL] > weights[best, at.TOTAL]
        else:
            better = edges[edge, at.TRIED] > edges[best, at.TRIED]
        if better:
            best = edge
    return best


@bare_kernel
def _by_improvement(tree: Tree, options: Floats) -> int:
    """Gumbel: the improved policy, and the edge that sequential halving leaves."""
    first, count = to_index(tree.nodes[ROOT, at.FIRST]), to_index(tree.nodes[ROOT, at.COUNT])
    most = 0
    for edge in range(first, first + count):
        most = max(most, to_index(tree.edges[edge, at.TRIED]))
    improve(tree, ROOT, options)
    best = best_considered(tree, most, options[at.GUMBEL_SCALE])
    to_policy(tree.scratch, count)
    return best


@bare_kernel
def main_line(tree: Tree, line: Vector) -> int:
    """Write the actions that were tried most, from the root on; returns how many."""
    nodes, edges = tree.nodes, tree.edges
    node, length = ROOT, 0
    while length < len(line):
        first, most, best = to_index(nodes[node, at.FIRST]), 0, NONE
        for edge in range(first, first + nodes[node, at.COUNT]):
            if edges[edge, at.TRIED] > most:
                most, best = to_index(edges[edge, at.TRIED]), edge
        if best == NONE:
            break
        line[length] = edges[best, at.ACTION]
        length += 1
        node = to_index(edges[best, at.CHILD])
        if nodes[node, at.DRAWN] > 0:
            # What comes next depends on the dice.
            break
    return length
