"""What a search found: the move, the policy to learn, and the value of every game."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludex.kernels.jit import bare_kernel, to_index
from ludex.search.batched.layout import (
    ACTION,
    CHILD,
    COUNT,
    FIRST,
    GUMBEL_SCALE,
    NODES,
    NONE,
    PLAYER,
    PRIOR,
    PUCT,
    ROOT,
    RULE,
    TOTAL,
    TRIED,
)
from ludex.search.batched.selection import Floats, Ints, best_considered, improve, mean_value, to_policy

Actions = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One row per game. The arrays are those of the search and hold until its next run."""

    actions: Actions
    """[G], the move to play, of the game's actions."""
    policy: Floats
    """[G, A], by the game's actions: the improved policy of Gumbel, the share of the visits of PUCT."""
    targets: Floats
    """[G, A], the policy by the network's outputs."""
    values: Floats
    """[G], the average value for the player to move."""
    visits: NDArray[np.int64]
    """[G, A], by the game's actions: how often each was tried."""
    q: Floats
    """[G, A], by the game's actions: the value of each that was tried, for the player to move, else 0."""
    observations: NDArray[np.float32]
    """[G, C, H, W], of the roots."""
    masks: NDArray[np.uint8]
    """[G, A], of the roots, by the network's outputs."""
    leaves: int
    """Positions that the network evaluated, the roots included."""
    batch_sizes: NDArray[np.int64]
    """The rows of every call of the network."""
    tree_seconds: float
    """Time in the trees and the rules."""
    network_seconds: float
    """Time in calls of the network and waiting for it."""


@bare_kernel
def summarise(
    begin: int,
    end: int,
    games: NDArray[np.int64],
    nodes: Ints,
    values: Floats,
    edges: Ints,
    weights: Floats,
    noise: Floats,
    scratch: Floats,
    masks: NDArray[np.uint8],
    options: Floats,
    orientation: NDArray[np.int64],
    actions: Actions,
    policy: Floats,
    targets: Floats,
    root_values: Floats,
    visits: NDArray[np.int64],
    q: Floats,
) -> None:
    """Write what the trees of the games in begin..end-1 say into the arrays of `SearchResult`."""
    for lane in range(begin, end):
        policy[lane] = 0.0
        visits[lane] = 0
        q[lane] = 0.0
        if games[lane, NODES] == 0 or nodes[lane, ROOT, COUNT] == 0:
            actions[lane] = _any_legal(masks[lane], policy[lane])
            root_values[lane] = 0.0
        else:
            first, count = to_index(nodes[lane, ROOT, FIRST]), to_index(nodes[lane, ROOT, COUNT])
            root_values[lane] = mean_value(ROOT, nodes[lane], values[lane], edges[lane], weights[lane])
            if options[RULE] == PUCT:
                best = _by_visits(nodes[lane], edges[lane], weights[lane], scratch[lane])
            else:
                best = _by_improvement(
                    nodes[lane], values[lane], edges[lane], weights[lane], noise[lane], options, scratch[lane]
                )
            actions[lane] = edges[lane, best, ACTION]
            for index in range(count):
                action, tried = edges[lane, first + index, ACTION], edges[lane, first + index, TRIED]
                policy[lane, action] = scratch[lane, index]
                visits[lane, action] = tried
                if tried > 0:
                    q[lane, action] = weights[lane, first + index, TOTAL] / tried
        player = nodes[lane, ROOT, PLAYER]
        for action in range(policy.shape[1]):
            targets[lane, orientation[player, action]] = policy[lane, action]


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
def _by_visits(nodes: Ints, edges: Ints, weights: Floats, out: Floats) -> int:
    """PUCT: the shares of the tries, and the edge that was tried most; of several the best. Priors before any try."""
    first, count = to_index(nodes[ROOT, FIRST]), to_index(nodes[ROOT, COUNT])
    total = 0
    for edge in range(first, first + count):
        total += edges[edge, TRIED]
    best = first
    for edge in range(first, first + count):
        out[edge - first] = edges[edge, TRIED] / total if total > 0 else weights[edge, PRIOR]
        if total == 0:
            better = weights[edge, PRIOR] > weights[best, PRIOR]
        elif edges[edge, TRIED] == edges[best, TRIED]:
            better = weights[edge, TOTAL] > weights[best, TOTAL]
        else:
            better = edges[edge, TRIED] > edges[best, TRIED]
        if better:
            best = edge
    return best


@bare_kernel
def _by_improvement(
    nodes: Ints, values: Floats, edges: Ints, weights: Floats, noise: Floats, options: Floats, out: Floats
) -> int:
    """Gumbel: the improved policy, and the edge that sequential halving leaves."""
    first, count = to_index(nodes[ROOT, FIRST]), to_index(nodes[ROOT, COUNT])
    most = 0
    for edge in range(first, first + count):
        most = max(most, to_index(edges[edge, TRIED]))
    improve(ROOT, nodes, values, edges, weights, options, out)
    best = best_considered(most, nodes, edges, noise, options[GUMBEL_SCALE], out)
    to_policy(out, count)
    return best


@bare_kernel
def main_line(nodes: Ints, edges: Ints, line: NDArray[np.int64]) -> int:
    """Write the actions that were tried most, from the root on; returns how many."""
    node, length = ROOT, 0
    while length < len(line):
        first, most, best = to_index(nodes[node, FIRST]), 0, NONE
        for edge in range(first, first + nodes[node, COUNT]):
            if edges[edge, TRIED] > most:
                most, best = to_index(edges[edge, TRIED]), edge
        if best == NONE:
            break
        line[length] = edges[best, ACTION]
        length += 1
        node = to_index(edges[best, CHILD])
    return length
