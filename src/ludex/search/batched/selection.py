"""Which edge of a node a simulation follows: PUCT, or Gumbel with completed values.

All kernels work on the arrays of one game.
"""

import numpy as np

import ludex.search.batched.layout as at
from ludex.kernels.jit import bare_kernel, to_index
from ludex.search.batched.layout import ROOT, Floats, Plan, Tree


@bare_kernel
def choose(tree: Tree, node: int, plan: Plan) -> int:
    """The edge that a simulation follows from a node."""
    options, schedule = plan.options, plan.schedule
    if options[at.RULE] == at.PUCT:
        return _most_urgent(tree, node, options)
    if node != ROOT:
        return _most_missing(tree, node, options)
    improve(tree, ROOT, options)
    among = min(to_index(tree.nodes[ROOT, at.COUNT]), len(schedule) - 1)
    tries = schedule[among, min(tree.game[at.DONE], schedule.shape[1] - 1)]
    return best_considered(tree, tries, options[at.GUMBEL_SCALE])


@bare_kernel
def follow(tree: Tree, node: int, edge: int) -> int:
    """Move an edge that is followed for the first time to the others that were; returns where it is then.

    A search tries few of many actions: below the root it then looks at those, and at the best of the rest.
    """
    nodes, edges, weights = tree.nodes, tree.edges, tree.weights
    first, followed = to_index(nodes[node, at.FIRST]), to_index(nodes[node, at.FOLLOWED])
    place = first + followed
    if edge < place:
        return edge
    for column in range(edges.shape[1]):
        edges[place, column], edges[edge, column] = edges[edge, column], edges[place, column]
    for column in range(weights.shape[1]):
        weights[place, column], weights[edge, column] = weights[edge, column], weights[place, column]
    nodes[node, at.FOLLOWED] = followed + 1
    best, best_edge = -1.0, place
    for other in range(place + 1, first + nodes[node, at.COUNT]):
        prior = weights[other, at.PRIOR]
        if prior > best or (prior == best and edges[other, at.ACTION] < edges[best_edge, at.ACTION]):
            best, best_edge = prior, other
    nodes[node, at.NEXT] = best_edge - first
    return place


@bare_kernel
def own_value(tree: Tree, node: int) -> float:
    """A node's evaluation for its mover."""
    nodes, values = tree.nodes, tree.values
    return float(values[node] if nodes[node, at.PLAYER] == 0 else -values[node])


@bare_kernel
def mean_value(tree: Tree, node: int) -> float:
    """The average of a node's evaluation and of all that was found behind it, for its mover."""
    nodes, edges, weights = tree.nodes, tree.edges, tree.weights
    total, visits = own_value(tree, node), 1
    for edge in range(nodes[node, at.FIRST], nodes[node, at.FIRST] + nodes[node, at.COUNT]):
        total += weights[edge, at.TOTAL]
        visits += edges[edge, at.TRIED]
    return total / visits


@bare_kernel
def _most_urgent(tree: Tree, node: int, options: Floats) -> int:
    """PUCT: the edge with the greatest sum of value and of the policy's share among what was tried seldom.

    Below the root only the edges that were followed are looked at, and the best of the rest.
    """
    nodes, edges, weights = tree.nodes, tree.edges, tree.weights
    first, count = to_index(nodes[node, at.FIRST]), to_index(nodes[node, at.COUNT])
    followed = count if node == ROOT else to_index(nodes[node, at.FOLLOWED])
    share = options[at.NOISE_SHARE] if node == ROOT else 0.0
    total, visits = own_value(tree, node), 1
    for edge in range(first, first + followed):
        total += weights[edge, at.TOTAL]
        visits += edges[edge, at.TRIED]
    untried = total / visits - options[at.FIRST_PLAY]
    scale = options[at.C_PUCT] * np.sqrt(visits)
    best, best_edge = -np.inf, first
    if followed < count:
        best_edge = first + to_index(nodes[node, at.NEXT])
        best = untried + scale * weights[best_edge, at.PRIOR]
    for edge in range(first, first + followed):
        tried = edges[edge, at.TRIED]
        value = weights[edge, at.TOTAL] / tried if tried > 0 else untried
        prior = weights[edge, at.PRIOR]
        if share > 0.0:
            prior += share * (tree.noise[edge - first] - prior)
        urgency = value + scale * prior / (1 + tried)
        if urgency > best or (urgency == best and edges[edge, at.ACTION] < edges[best_edge, at.ACTION]):
            best, best_edge = urgency, edge
    return best_edge


@bare_kernel
def mixture(tree: Tree, node: int, visits: int, known: float, weighted: float) -> float:
    """The value of edges that were never tried: the node's evaluation, and the values of the others by their priors.

    `known` and `weighted` are the sums of their priors, and of priors times values.
    """
    own = own_value(tree, node)
    # Of actions that the policy never plays, each counts the same.
    return float((own + visits * weighted / max(known, 1e-30)) / (visits + 1)) if visits > 0 else own


@bare_kernel
def value_weight(options: Floats, most: int, least: float, greatest: float) -> float:
    """The weight of values beside logits, when the most tried edge has so many tries and values lie between these."""
    offset = options[at.VISIT_OFFSET] + most
    return float(offset * options[at.VALUE_SCALE] / max(greatest - least, options[at.LEAST_RANGE]))


@bare_kernel
def improve(tree: Tree, node: int, options: Floats) -> None:
    """Write the improved logits of a node's edges into `scratch`: the network's, and the scaled and weighted values.

    An edge that was never tried gets the mixture of the node's evaluation and the values of those that were. What
    hardly differs is stretched less: a network that cannot tell moves apart would forget all but one of them.
    """
    nodes, edges, weights, out = tree.nodes, tree.edges, tree.weights, tree.scratch
    first, count = to_index(nodes[node, at.FIRST]), to_index(nodes[node, at.COUNT])
    visits, most, known, weighted = 0, 0, 0.0, 0.0
    for edge in range(first, first + count):
        tried = to_index(edges[edge, at.TRIED])
        if tried > 0:
            visits += tried
            most = max(most, tried)
            known += weights[edge, at.PRIOR]
            weighted += weights[edge, at.PRIOR] * weights[edge, at.TOTAL] / tried
    mixed = mixture(tree, node, visits, known, weighted)
    least, greatest = np.inf, -np.inf
    for edge in range(first, first + count):
        tried = edges[edge, at.TRIED]
        value = weights[edge, at.TOTAL] / tried if tried > 0 else mixed
        least, greatest = min(least, value), max(greatest, value)
        out[edge - first] = value
    scale = value_weight(options, most, least, greatest)
    for index in range(count):
        out[index] = weights[first + index, at.LOGIT] + scale * (out[index] - least)


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
def _most_missing(tree: Tree, node: int, options: Floats) -> int:
    """Gumbel below the root: the edge whose share of the tries is furthest below its improved probability.

    All that were never tried have the same value, so their priors keep their proportions: the best of them stands for
    all.
    """
    nodes, edges, weights = tree.nodes, tree.edges, tree.weights
    first, followed = to_index(nodes[node, at.FIRST]), to_index(nodes[node, at.FOLLOWED])
    whole = followed == nodes[node, at.COUNT]
    visits, most, known, weighted = 0, 0, 0.0, 0.0
    least, greatest = np.inf, -np.inf
    for edge in range(first, first + followed):
        tried = to_index(edges[edge, at.TRIED])
        if tried > 0:
            value = weights[edge, at.TOTAL] / tried
            visits += tried
            most = max(most, tried)
            known += weights[edge, at.PRIOR]
            weighted += weights[edge, at.PRIOR] * value
            least, greatest = min(least, value), max(greatest, value)
    mixed = mixture(tree, node, visits, known, weighted)
    if not whole:
        least, greatest = min(least, mixed), max(greatest, mixed)
    scale = value_weight(options, most, least, greatest)
    untried = 0.0 if whole else np.exp(scale * (mixed - greatest))
    total = max(1.0 - known, 0.0) * untried
    for edge in range(first, first + followed):
        tried = edges[edge, at.TRIED]
        if tried > 0:
            total += weights[edge, at.PRIOR] * np.exp(scale * (weights[edge, at.TOTAL] / tried - greatest))
    best, best_edge = -np.inf, first
    if not whole:
        best_edge = first + to_index(nodes[node, at.NEXT])
        best = weights[best_edge, at.PRIOR] * untried / total
    for edge in range(first, first + followed):
        tried = edges[edge, at.TRIED]
        stretched = np.exp(scale * (weights[edge, at.TOTAL] / tried - greatest)) if tried > 0 else untried
        missing = weights[edge, at.PRIOR] * stretched / total - tried / (1 + visits)
        if missing > best or (missing == best and edges[edge, at.ACTION] < edges[best_edge, at.ACTION]):
            best, best_edge = missing, edge
    return best_edge


@bare_kernel
def best_considered(tree: Tree, tries: int, noise_scale: float) -> int:
    """Of the root's edges with this number of tries the one with the greatest improved logit, noise included."""
    nodes, edges = tree.nodes, tree.edges
    first, count = to_index(nodes[ROOT, at.FIRST]), to_index(nodes[ROOT, at.COUNT])
    best, best_edge = -np.inf, first
    for index in range(count):
        if edges[first + index, at.TRIED] == tries:
            score = tree.scratch[index] + noise_scale * tree.noise[index]
            if score > best:
                best, best_edge = score, first + index
    return best_edge
