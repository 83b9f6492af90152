"""Which edge of a node a simulation follows: PUCT, or Gumbel with completed values.

All kernels work on the arrays of one game.
"""

import numpy as np
from numpy.typing import NDArray

from ludex.kernels.jit import bare_kernel, to_index
from ludex.search.batched.layout import (
    ACTION,
    C_PUCT,
    COUNT,
    DONE,
    FIRST,
    FIRST_PLAY,
    FOLLOWED,
    GUMBEL_SCALE,
    LEAST_RANGE,
    LOGIT,
    NEXT,
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
    if node != ROOT:
        if options[RULE] == PUCT:
            return _most_urgent_below(node, nodes, values, edges, weights, options)
        return _most_missing(node, nodes, values, edges, weights, options)
    if options[RULE] == PUCT:
        return _most_urgent(nodes, values, edges, weights, noise, options)
    improve(ROOT, nodes, values, edges, weights, options, scratch)
    among = min(to_index(nodes[ROOT, COUNT]), len(schedule) - 1)
    tries = schedule[among, min(game[DONE], schedule.shape[1] - 1)]
    return best_considered(tries, nodes, edges, noise, options[GUMBEL_SCALE], scratch)


@bare_kernel
def follow(node: int, edge: int, nodes: Ints, edges: Ints, weights: Floats) -> int:
    """Move an edge that is followed for the first time to the others that were; returns where it is then.

    A search tries few of many actions: below the root it then looks at those, and at the best of the rest.
    """
    first, followed = to_index(nodes[node, FIRST]), to_index(nodes[node, FOLLOWED])
    place = first + followed
    if edge < place:
        return edge
    for column in range(edges.shape[1]):
        edges[place, column], edges[edge, column] = edges[edge, column], edges[place, column]
    for column in range(weights.shape[1]):
        weights[place, column], weights[edge, column] = weights[edge, column], weights[place, column]
    nodes[node, FOLLOWED] = followed + 1
    best, best_edge = -1.0, place
    for other in range(place + 1, first + nodes[node, COUNT]):
        prior = weights[other, PRIOR]
        if prior > best or (prior == best and edges[other, ACTION] < edges[best_edge, ACTION]):
            best, best_edge = prior, other
    nodes[node, NEXT] = best_edge - first
    return place


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
def _most_urgent(nodes: Ints, values: Floats, edges: Ints, weights: Floats, noise: Floats, options: Floats) -> int:
    """PUCT at the root: the greatest sum of value and of the policy's share among what was tried seldom."""
    first, count = to_index(nodes[ROOT, FIRST]), to_index(nodes[ROOT, COUNT])
    total, visits = own_value(ROOT, nodes, values), 1
    for edge in range(first, first + count):
        total += weights[edge, TOTAL]
        visits += edges[edge, TRIED]
    untried = total / visits - options[FIRST_PLAY]
    scale, share = options[C_PUCT] * np.sqrt(visits), options[NOISE_SHARE]
    best, best_edge = -np.inf, first
    for edge in range(first, first + count):
        tried = edges[edge, TRIED]
        value = weights[edge, TOTAL] / tried if tried > 0 else untried
        prior = weights[edge, PRIOR]
        if share > 0.0:
            prior += share * (noise[edge - first] - prior)
        urgency = value + scale * prior / (1 + tried)
        if urgency > best:
            best, best_edge = urgency, edge
    return best_edge


@bare_kernel
def _most_urgent_below(node: int, nodes: Ints, values: Floats, edges: Ints, weights: Floats, options: Floats) -> int:
    """PUCT below the root: the same among the edges that were followed and the best of the rest."""
    first, followed = to_index(nodes[node, FIRST]), to_index(nodes[node, FOLLOWED])
    total, visits = own_value(node, nodes, values), 1
    for edge in range(first, first + followed):
        total += weights[edge, TOTAL]
        visits += edges[edge, TRIED]
    untried = total / visits - options[FIRST_PLAY]
    scale = options[C_PUCT] * np.sqrt(visits)
    best, best_edge = -np.inf, first
    if followed < nodes[node, COUNT]:
        best_edge = first + to_index(nodes[node, NEXT])
        best = untried + scale * weights[best_edge, PRIOR]
    for edge in range(first, first + followed):
        tried = edges[edge, TRIED]
        value = weights[edge, TOTAL] / tried if tried > 0 else untried
        urgency = value + scale * weights[edge, PRIOR] / (1 + tried)
        if urgency > best or (urgency == best and edges[edge, ACTION] < edges[best_edge, ACTION]):
            best, best_edge = urgency, edge
    return best_edge


@bare_kernel
def mixture(node: int, nodes: Ints, values: Floats, visits: int, known: float, weighted: float) -> float:
    """The value of edges that were never tried: the node's evaluation, and the values of the others by their priors.

    `known` and `weighted` are the sums of their priors, and of priors times values.
    """
    own = own_value(node, nodes, values)
    # Of actions that the policy never plays, each counts the same.
    return float((own + visits * weighted / max(known, 1e-30)) / (visits + 1)) if visits > 0 else own


@bare_kernel
def value_weight(options: Floats, most: int, least: float, greatest: float) -> float:
    """The weight of values beside logits, when the most tried edge has so many tries and values lie between these."""
    offset = options[VISIT_OFFSET] + most
    return float(offset * options[VALUE_SCALE] / max(greatest - least, options[LEAST_RANGE]))


@bare_kernel
def improve(node: int, nodes: Ints, values: Floats, edges: Ints, weights: Floats, options: Floats, out: Floats) -> None:
    """Write the improved logits of a node's edges: the network's, and the values found, scaled to 0..1 and weighted.

    An edge that was never tried gets the mixture of the node's evaluation and the values of those that were. What
    hardly differs is stretched less: a network that cannot tell moves apart would forget all but one of them.
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
    mixed = mixture(node, nodes, values, visits, known, weighted)
    least, greatest = np.inf, -np.inf
    for edge in range(first, first + count):
        tried = edges[edge, TRIED]
        value = weights[edge, TOTAL] / tried if tried > 0 else mixed
        least, greatest = min(least, value), max(greatest, value)
        out[edge - first] = value
    scale = value_weight(options, most, least, greatest)
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
def _most_missing(node: int, nodes: Ints, values: Floats, edges: Ints, weights: Floats, options: Floats) -> int:
    """Gumbel below the root: the edge whose share of the tries is furthest below its improved probability.

    All that were never tried have the same value, so their priors keep their proportions: the best of them stands for
    all.
    """
    first, followed = to_index(nodes[node, FIRST]), to_index(nodes[node, FOLLOWED])
    visits, most, known, weighted = 0, 0, 0.0, 0.0
    least, greatest = np.inf, -np.inf
    for edge in range(first, first + followed):
        tried = to_index(edges[edge, TRIED])
        if tried > 0:
            value = weights[edge, TOTAL] / tried
            visits += tried
            most = max(most, tried)
            known += weights[edge, PRIOR]
            weighted += weights[edge, PRIOR] * value
            least, greatest = min(least, value), max(greatest, value)
    mixed = mixture(node, nodes, values, visits, known, weighted)
    least, greatest = min(least, mixed), max(greatest, mixed)
    scale = value_weight(options, most, least, greatest)
    untried = np.exp(scale * (mixed - greatest))
    total = max(1.0 - known, 0.0) * untried
    for edge in range(first, first + followed):
        tried = edges[edge, TRIED]
        if tried > 0:
            total += weights[edge, PRIOR] * np.exp(scale * (weights[edge, TOTAL] / tried - greatest))
    best, best_edge = -np.inf, first
    if followed < nodes[node, COUNT]:
        best_edge = first + to_index(nodes[node, NEXT])
        best = weights[best_edge, PRIOR] * untried / total
    for edge in range(first, first + followed):
        tried = edges[edge, TRIED]
        stretched = np.exp(scale * (weights[edge, TOTAL] / tried - greatest)) if tried > 0 else untried
        missing = weights[edge, PRIOR] * stretched / total - tried / (1 + visits)
        if missing > best or (missing == best and edges[edge, ACTION] < edges[best_edge, ACTION]):
            best, best_edge = missing, edge
    return best_edge


@bare_kernel
def best_considered(tries: int, nodes: Ints, edges: Ints, noise: Floats, noise_scale: float, improved: Floats) -> int:
    """Of the root's edges with this number of tries the one with the greatest improved logit, noise included."""
    first, count = to_index(nodes[ROOT, FIRST]), to_index(nodes[ROOT, COUNT])
    best, best_edge = -np.inf, first
    for index in range(count):
        if edges[first + index, TRIED] == tries:
            score = improved[index] + noise_scale * noise[index]
            if score > best:
                best, best_edge = score, first + index
    return best_edge
