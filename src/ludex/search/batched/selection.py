"""Which edge of a node a simulation follows: PUCT, or Gumbel with completed values.

All kernels work on the arrays of one game.
"""

import numpy as np
from numpy.typing import NDArray

from ludex.kernels.jit import bare_kernel, to_index
from ludex.search.batched.layout import (
    C_PUCT,
    COUNT,
    DONE,
    FIRST,
    FIRST_PLAY,
    GUMBEL_SCALE,
    LOGIT,
    NOISE_SHARE,
    PLAYER,
    PRIOR,
    PUCT,
    ROOT,
    RULE,
    TOTAL,
    TRIED,
    VALUE_SCALE,
    VISIT_OFFSET,
)

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


@bare_kernel
def choose(
    game: NDArray[np.int64],
    node: int,
    nodes: Ints,
    values: Floats,
    edges: Ints,
    weights: Floats,
    noise: Floats,
    scratch: Floats,
    options: Floats,
    schedule: NDArray[np.int64],
) -> int:
    """The edge that a simulation follows from a node."""
    if options[RULE] == PUCT:
        return _most_urgent(node, nodes, values, edges, weights, noise, options)
    improve(node, nodes, values, edges, weights, options, scratch)
    if node != ROOT:
        return _most_missing(node, nodes, edges, scratch)
    among = min(to_index(nodes[ROOT, COUNT]), len(schedule) - 1)
    tries = schedule[among, min(game[DONE], schedule.shape[1] - 1)]
    return best_considered(tries, nodes, edges, noise, options[GUMBEL_SCALE], scratch)


@bare_kernel
def own_value(node: int, nodes: Ints, values: Floats) -> float:
    """A node's evaluation for its mover."""
    return float(values[node] if nodes[node, PLAYER] == 0 else -values[node])


@bare_kernel
def mean_value(node: int, nodes: Ints, values: Floats, edges: Ints, weights: Floats) -> float:
    """The average of a node's evaluation and of all that was found behind it, for its mover."""
    total, visits = own_value(node, nodes, values), 1
    for edge in range(nodes[node, FIRST], nodes[node, FIRST] + nodes[node, COUNT]):
        total += weights[edge, TOTAL]
        visits += edges[edge, TRIED]
    return total / visits


@bare_kernel
def _most_urgent(
    node: int, nodes: Ints, values: Floats, edges: Ints, weights: Floats, noise: Floats, options: Floats
) -> int:
    """PUCT: the greatest sum of value and of the policy's share among what was tried seldom."""
    first, count = to_index(nodes[node, FIRST]), to_index(nodes[node, COUNT])
    total, visits = own_value(node, nodes, values), 1
    for edge in range(first, first + count):
        total += weights[edge, TOTAL]
        visits += edges[edge, TRIED]
    untried = total / visits - options[FIRST_PLAY]
    scale = options[C_PUCT] * np.sqrt(visits)
    share = options[NOISE_SHARE] if node == ROOT else 0.0
    best, chosen = -np.inf, first
    for edge in range(first, first + count):
        tried = edges[edge, TRIED]
        value = weights[edge, TOTAL] / tried if tried > 0 else untried
        prior = weights[edge, PRIOR]
        if share > 0.0:
            prior += share * (noise[edge - first] - prior)
        urgency = value + scale * prior / (1 + tried)
        if urgency > best:
            best, chosen = urgency, edge
    return chosen


@bare_kernel
def improve(node: int, nodes: Ints, values: Floats, edges: Ints, weights: Floats, options: Floats, out: Floats) -> None:
    """Write the improved logits of a node's edges: the network's, and the values found, scaled to 0..1 and weighted.

    An edge that was never tried gets the mixture of the node's evaluation and the values of those that were.
    """
    first, count = to_index(nodes[node, FIRST]), to_index(nodes[node, COUNT])
    visits, most, known, weighted = 0, 0, 0.0, 0.0
    for edge in range(first, first + count):
        tried = to_index(edges[edge, TRIED])
        if tried > 0:
            visits += tried
            most = max(most, tried)
            known += weights[edge, PRIOR]
            weighted += weights[edge, PRIOR] * weights[edge, TOTAL] / tried
    mixed = own_value(node, nodes, values)
    if visits > 0:
        # Of actions that the policy never plays, each counts the same.
        mixed = (mixed + visits * weighted / max(known, 1e-30)) / (visits + 1)
    least, greatest = np.inf, -np.inf
    for edge in range(first, first + count):
        tried = edges[edge, TRIED]
        value = weights[edge, TOTAL] / tried if tried > 0 else mixed
        least, greatest = min(least, value), max(greatest, value)
        out[edge - first] = value
    scale = (options[VISIT_OFFSET] + most) * options[VALUE_SCALE] / max(greatest - least, 1e-8)
    for index in range(count):
        out[index] = weights[first + index, LOGIT] + scale * (out[index] - least)


@bare_kernel
def to_policy(logits: Floats, count: int) -> None:
    """Turn the first logits into probabilities."""
    greatest = -np.inf
    for index in range(count):
        greatest = max(greatest, logits[index])
    total = 0.0
    for index in range(count):
        logits[index] = np.exp(logits[index] - greatest)
        total += logits[index]
    for index in range(count):
        logits[index] /= total


@bare_kernel
def _most_missing(node: int, nodes: Ints, edges: Ints, scratch: Floats) -> int:
    """The edge whose share of the tries is furthest below its probability in the improved policy."""
    first, count = to_index(nodes[node, FIRST]), to_index(nodes[node, COUNT])
    to_policy(scratch, count)
    visits = 1
    for edge in range(first, first + count):
        visits += edges[edge, TRIED]
    best, chosen = -np.inf, first
    for index in range(count):
        missing = scratch[index] - edges[first + index, TRIED] / visits
        if missing > best:
            best, chosen = missing, first + index
    return chosen


@bare_kernel
def best_considered(tries: int, nodes: Ints, edges: Ints, noise: Floats, noise_scale: float, improved: Floats) -> int:
    """Of the root's edges with this number of tries the one with the greatest improved logit, noise included."""
    first, count = to_index(nodes[ROOT, FIRST]), to_index(nodes[ROOT, COUNT])
    best, chosen = -np.inf, first
    for index in range(count):
        if edges[first + index, TRIED] == tries:
            score = improved[index] + noise_scale * noise[index]
            if score > best:
                best, chosen = score, first + index
    return chosen
