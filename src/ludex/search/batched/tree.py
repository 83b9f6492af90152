"""How a game's tree grows: select a leaf, take the network's answer, and pass values up.

All kernels work on the arrays of one game, without recursion and without allocations.
"""

import numpy as np
from numpy.typing import NDArray

from ludex.kernels.jit import bare_kernel, to_index
from ludex.search.batched.layout import (
    ACTION,
    CHANCE,
    CHILD,
    COUNT,
    DONE,
    EDGE_IN,
    EDGES,
    FAULT,
    FINISHED,
    FIRST,
    FOLLOWED,
    LEAF,
    LOGIT,
    NEW_ACTION,
    NEXT,
    NODES,
    NONE,
    PARENT,
    PLAYER,
    PRIOR,
    ROOT,
    SIBLING,
    TOTAL,
    TRIED,
    VISITS,
    WAITING,
)
from ludex.search.batched.selection import Floats, Ints, choose, follow

Game = NDArray[np.int64]


@bare_kernel
def add_node(game: Game, nodes: Ints, parent: int, edge: int) -> int:
    """A node without edges; who moves there is written by who knows the rules."""
    node = to_index(game[NODES])
    game[NODES] = node + 1
    nodes[node, PARENT], nodes[node, EDGE_IN] = parent, edge
    nodes[node, FIRST], nodes[node, COUNT] = game[EDGES], 0
    nodes[node, VISITS], nodes[node, FINISHED], nodes[node, SIBLING] = 0, 0, NONE
    nodes[node, FOLLOWED], nodes[node, NEXT] = 0, 0
    return node


@bare_kernel
def select(
    game: Game,
    nodes: Ints,
    values: Floats,
    edges: Ints,
    weights: Floats,
    noise: Floats,
    scratch: Floats,
    options: Floats,
    schedule: NDArray[np.int64],
) -> None:
    """Follow the tree to a leaf, `LEAF`: a new node behind `NEW_ACTION`, or a finished game that was reached before."""
    node = ROOT
    while nodes[node, FINISHED] == 0:
        edge = choose(game, node, nodes, values, edges, weights, noise, scratch, options, schedule)
        if node != ROOT:
            edge = follow(node, edge, nodes, edges, weights)
        child = to_index(edges[edge, CHILD])
        if child == NONE or (options[CHANCE] != 0.0 and _is_wanting(edge, nodes, edges)):
            leaf = add_node(game, nodes, node, edge)
            nodes[leaf, SIBLING] = child
            edges[edge, CHILD] = leaf
            game[LEAF], game[NEW_ACTION] = leaf, edges[edge, ACTION]
            return
        if options[CHANCE] != 0.0:
            child = _least_visited(child, nodes)
        node = child
    game[LEAF], game[NEW_ACTION] = node, NONE


@bare_kernel
def _is_wanting(edge: int, nodes: Ints, edges: Ints) -> bool:
    """Whether another draw is due behind an edge: there are as many as the root of its tries."""
    drawn, child = 0, to_index(edges[edge, CHILD])
    while child != NONE:
        drawn += 1
        child = to_index(nodes[child, SIBLING])
    return drawn * drawn <= to_index(edges[edge, TRIED])


@bare_kernel
def _least_visited(child: int, nodes: Ints) -> int:
    """Of the draws behind an edge, which are equally likely, the one that was visited least."""
    least = child
    while child != NONE:
        if nodes[child, VISITS] <= nodes[least, VISITS]:
            least = child
        child = to_index(nodes[child, SIBLING])
    return least


@bare_kernel
def receive(
    game: Game,
    nodes: Ints,
    values: Floats,
    edges: Ints,
    weights: Floats,
    mask: NDArray[np.uint8],
    outputs: NDArray[np.int64],
    logits: NDArray[np.float32],
    value: float,
) -> None:
    """Expand the leaf by the network's answer for its mover, and pass the value up.

    `outputs: int64[A]` are the network's outputs for the mover's actions. An answer that is no number sets `FAULT`.
    """
    leaf, first = to_index(game[LEAF]), to_index(game[EDGES])
    count, greatest, finite = 0, -np.inf, np.isfinite(value)
    for action in range(len(mask)):
        if mask[action]:
            logit = np.float64(logits[outputs[action]])
            finite &= np.isfinite(logit)
            if logit > greatest:
                greatest, nodes[leaf, NEXT] = logit, count
            edges[first + count, ACTION], edges[first + count, TRIED], edges[first + count, CHILD] = action, 0, NONE
            weights[first + count, LOGIT], weights[first + count, TOTAL] = logit, 0.0
            count += 1
    if not finite:
        game[FAULT] = 1
        return
    total = 0.0
    for edge in range(first, first + count):
        # Logits are kept as differences to the greatest.
        weights[edge, LOGIT] -= greatest
        weights[edge, PRIOR] = np.exp(weights[edge, LOGIT])
        total += weights[edge, PRIOR]
    for edge in range(first, first + count):
        weights[edge, PRIOR] /= total
    nodes[leaf, FIRST], nodes[leaf, COUNT] = first, count
    game[EDGES] = first + count
    game[WAITING] = 0
    back_up(game, nodes, values, edges, weights, leaf, value if nodes[leaf, PLAYER] == 0 else -value)


@bare_kernel
def back_up(game: Game, nodes: Ints, values: Floats, edges: Ints, weights: Floats, leaf: int, value: float) -> None:
    """Count a value of player 0 in the leaf and in all that lead to it, each time for the player who moved there."""
    values[leaf] = value
    game[DONE] += leaf != ROOT
    nodes[leaf, VISITS] += 1
    node = leaf
    while node != ROOT:
        edge, node = to_index(nodes[node, EDGE_IN]), to_index(nodes[node, PARENT])
        edges[edge, TRIED] += 1
        weights[edge, TOTAL] += value if nodes[node, PLAYER] == 0 else -value
        nodes[node, VISITS] += 1


@bare_kernel
def cancel(game: Game, nodes: Ints, edges: Ints) -> None:
    """Remove the leaf that waits for the network; it is the last node that was made."""
    if game[WAITING] != 0:
        leaf = to_index(game[LEAF])
        if leaf != ROOT:
            edges[nodes[leaf, EDGE_IN], CHILD] = nodes[leaf, SIBLING]
        game[NODES], game[WAITING] = leaf, 0


@bare_kernel
def edge_of(action: int, nodes: Ints, edges: Ints) -> int:
    """The root's edge of an action, or NONE."""
    for edge in range(nodes[ROOT, FIRST], nodes[ROOT, FIRST] + nodes[ROOT, COUNT]):
        if edges[edge, ACTION] == action:
            return edge
    return NONE


@bare_kernel
def reduce(game: Game, root: int, nodes: Ints, values: Floats, edges: Ints, weights: Floats, moved: Ints) -> None:
    """Keep what lies below a node, which becomes the root; `moved[n]` is the new place of node n, or NONE.

    Nodes and edges lie in the order in which they were made, so everything moves to the front, and in place.
    """
    nodes_left, used = 0, 0
    for node in range(game[NODES]):
        parent = to_index(nodes[node, PARENT])
        if node != root and (parent == NONE or moved[parent] == NONE):
            moved[node] = NONE
            continue
        moved[node] = nodes_left
        first, count = to_index(nodes[node, FIRST]), to_index(nodes[node, COUNT])
        for column in range(nodes.shape[1]):
            nodes[nodes_left, column] = nodes[node, column]
        values[nodes_left] = values[node]
        nodes[nodes_left, FIRST] = used
        nodes[nodes_left, PARENT] = NONE if node == root else moved[parent]
        for index in range(count):
            for column in range(edges.shape[1]):
                edges[used + index, column] = edges[first + index, column]
            for column in range(weights.shape[1]):
                weights[used + index, column] = weights[first + index, column]
        used += count
        nodes_left += 1
    game[NODES], game[EDGES], game[DONE] = nodes_left, used, nodes[ROOT, VISITS] - 1
    for edge in range(used):
        if edges[edge, CHILD] != NONE:
            child = to_index(moved[edges[edge, CHILD]])
            edges[edge, CHILD], nodes[child, EDGE_IN] = child, edge
