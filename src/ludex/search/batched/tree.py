"""How a game's tree grows: select a leaf, take the network's answer, and pass values up.

All kernels work on the arrays of one game, without recursion and without allocations.
"""

import numpy as np
from numpy.typing import NDArray

import ludex.search.batched.layout as at
from ludex.kernels.jit import bare_kernel, to_index
from ludex.search.batched.layout import NONE, ROOT, Plan, Tree, Vector
from ludex.search.batched.selection import choose, follow


@bare_kernel
def add_node(tree: Tree, parent: int, edge: int) -> int:
    """A node without edges; who moves there is written by who knows the rules."""
    game, nodes = tree.game, tree.nodes
    node = to_index(game[at.NODES])
    game[at.NODES] = node + 1
    nodes[node, at.PARENT], nodes[node, at.EDGE_IN] = parent, edge
    nodes[node, at.FIRST], nodes[node, at.COUNT] = game[at.EDGES], 0
    nodes[node, at.VISITS], nodes[node, at.FINISHED], nodes[node, at.SIBLING] = 0, 0, NONE
    nodes[node, at.FOLLOWED], nodes[node, at.NEXT] = 0, 0
    return node


@bare_kernel
def select(tree: Tree, plan: Plan) -> None:
    """Follow the tree to a leaf, `LEAF`: a new node behind `NEW_ACTION`, or a finished game that was reached before."""
    game, nodes, edges, options = tree.game, tree.nodes, tree.edges, plan.options
    node = ROOT
    while nodes[node, at.FINISHED] == 0:
        edge = choose(tree, node, plan)
        if node != ROOT:
            edge = follow(tree, node, edge)
        child = to_index(edges[edge, at.CHILD])
        if child == NONE or (options[at.CHANCE] != 0.0 and _is_wanting(tree, edge)):
            leaf = add_node(tree, node, edge)
            nodes[leaf, at.SIBLING] = child
            edges[edge, at.CHILD] = leaf
            game[at.LEAF], game[at.NEW_ACTION] = leaf, edges[edge, at.ACTION]
            return
        if options[at.CHANCE] != 0.0:
            child = _least_visited(tree, child)
        node = child
    game[at.LEAF], game[at.NEW_ACTION] = node, NONE


@bare_kernel
def _is_wanting(tree: Tree, edge: int) -> bool:
    """Whether another draw is due behind an edge: there are as many as the root of its tries."""
    nodes, edges = tree.nodes, tree.edges
    drawn, child = 0, to_index(edges[edge, at.CHILD])
    while child != NONE:
        drawn += 1
        child = to_index(nodes[child, at.SIBLING])
    return drawn * drawn <= to_index(edges[edge, at.TRIED])


@bare_kernel
def _least_visited(tree: Tree, child: int) -> int:
    """Of the draws behind an edge, which are equally likely, the one that was visited least."""
    nodes = tree.nodes
    least = child
    while child != NONE:
        if nodes[child, at.VISITS] <= nodes[least, at.VISITS]:
            least = child
        child = to_index(nodes[child, at.SIBLING])
    return least


@bare_kernel
def receive(tree: Tree, outputs: Vector, logits: NDArray[np.float32], value: float) -> None:
    """Expand the leaf by the network's answer for its mover, and pass the value up.

    `outputs: int64[A]` are the network's outputs for the mover's actions. An answer that is no number sets `FAULT`.
    """
    game, nodes, edges, weights, mask = tree.game, tree.nodes, tree.edges, tree.weights, tree.mask
    leaf, first = to_index(game[at.LEAF]), to_index(game[at.EDGES])
    count, greatest, finite = 0, -np.inf, np.isfinite(value)
    for action in range(len(mask)):
        if mask[action]:
            logit = np.float64(logits[outputs[action]])
            finite &= np.isfinite(logit)
            if logit > greatest:
                greatest, nodes[leaf, at.NEXT] = logit, count
            edges[first + count, at.ACTION], edges[first + count, at.TRIED], edges[first + count, at.CHILD] = (
                action,
                0,
                NONE,
            )
            weights[first + count, at.LOGIT], weights[first + count, at.TOTAL] = logit, 0.0
            count += 1
    if not finite:
        game[at.FAULT] = 1
        return
    total = 0.0
    for edge in range(first, first + count):
        # Logits are kept as differences to the greatest.
        weights[edge, at.LOGIT] -= greatest
        weights[edge, at.PRIOR] = np.exp(weights[edge, at.LOGIT])
        total += weights[edge, at.PRIOR]
    for edge in range(first, first + count):
        weights[edge, at.PRIOR] /= total
    nodes[leaf, at.FIRST], nodes[leaf, at.COUNT] = first, count
    game[at.EDGES] = first + count
    game[at.WAITING] = 0
    back_up(tree, leaf, value if nodes[leaf, at.PLAYER] == 0 else -value)


@bare_kernel
def back_up(tree: Tree, leaf: int, value: float) -> None:
    """Count a value of player 0 in the leaf and in all that lead to it, each time for the player who moved there."""
    nodes, edges, weights = tree.nodes, tree.edges, tree.weights
    tree.values[leaf] = value
    tree.game[at.DONE] += leaf != ROOT
    nodes[leaf, at.VISITS] += 1
    node = leaf
    while node != ROOT:
        edge, node = to_index(nodes[node, at.EDGE_IN]), to_index(nodes[node, at.PARENT])
        edges[edge, at.TRIED] += 1
        weights[edge, at.TOTAL] += value if nodes[node, at.PLAYER] == 0 else -value
        nodes[node, at.VISITS] += 1


@bare_kernel
def cancel(tree: Tree) -> None:
    """Remove the leaf that waits for the network; it is the last node that was made."""
    game, nodes = tree.game, tree.nodes
    if game[at.WAITING] != 0:
        leaf = to_index(game[at.LEAF])
        if leaf != ROOT:
            tree.edges[nodes[leaf, at.EDGE_IN], at.CHILD] = nodes[leaf, at.SIBLING]
        game[at.NODES], game[at.WAITING] = leaf, 0
