"""How a game's tree grows: select a leaf, take the network's answer, and pass values up.

All kernels work on the arrays of one game, without recursion and without allocations.
"""

import numpy as np
from numpy.typing import NDArray

import ludex.search.batched.layout as at
from ludex.core import seeding
from ludex.kernels.jit import bare_kernel, to_index, to_word
from ludex.search.batched.layout import NONE, ROOT, Floats, Plan, Tree, Vector
from ludex.search.batched.selection import choose, follow


@bare_kernel
def add_node(tree: Tree, parent: int, edge: int) -> int:
    """A node without edges; who moves there is written by who knows the rules."""
    game, nodes = tree.game, tree.nodes
    node = to_index(game[at.NODES])
    game[at.NODES] = node + 1
    nodes[node, at.PARENT], nodes[node, at.EDGE_IN] = parent, edge
    nodes[node, at.FIRST], nodes[node, at.COUNT] = game[at.EDGES], 0
    nodes[node, at.VISITS], nodes[node, at.FINISHED], nodes[node, at.SIBLING], nodes[node, at.DRAWN] = 0, 0, NONE, 0
    nodes[node, at.FOLLOWED], nodes[node, at.NEXT] = 0, 0
    return node


@bare_kernel
def select(tree: Tree, plan: Plan, node: int) -> None:
    """Follow the tree from a node to a leaf, `LEAF`: a new one behind `NEW_ACTION`, or the end of a game.

    Where chance is, a new node stands for another draw: `join_twin` goes on if the dice lead where they led before.
    """
    game, nodes, edges, options = tree.game, tree.nodes, tree.edges, plan.options
    chance = options[at.CHANCE] != 0.0
    while nodes[node, at.FINISHED] == 0:
        edge = choose(tree, node, plan)
        if node != ROOT:
            edge = follow(tree, node, edge)
        child = to_index(edges[edge, at.CHILD])
        if child == NONE or (chance and nodes[child, at.DRAWN] > 0 and _draws_again(tree, edge, options)):
            leaf = add_node(tree, node, edge)
            nodes[leaf, at.SIBLING] = child
            edges[edge, at.CHILD] = leaf
            game[at.LEAF], game[at.NEW_ACTION] = leaf, edges[edge, at.ACTION]
            return
        node = _rarest(tree, edge) if chance and nodes[child, at.DRAWN] > 0 else child
    game[at.LEAF], game[at.NEW_ACTION] = node, NONE


@bare_kernel
def _draws_again(tree: Tree, edge: int, options: Floats) -> bool:
    """Whether the dice are rolled again behind an edge: unless they have led to as many positions as are allowed.

    So few outcomes are all drawn, as often as chance has it, and of many no more than their number grows with the root
    of the tries.
    """
    nodes, edges = tree.nodes, tree.edges
    outcomes, child = 0, to_index(edges[edge, at.CHILD])
    while child != NONE:
        outcomes += 1
        child = to_index(nodes[child, at.SIBLING])
    return bool(outcomes < options[at.WIDENING] * np.sqrt(edges[edge, at.TRIED] + 1.0))


@bare_kernel
def _rarest(tree: Tree, edge: int) -> int:
    """Of the positions behind an edge the one whose visits are furthest behind its share of the draws."""
    nodes, edges = tree.nodes, tree.edges
    drawn, tries = draws_behind(tree, edge), edges[edge, at.TRIED] + 1.0
    best, best_child, child = -np.inf, NONE, to_index(edges[edge, at.CHILD])
    while child != NONE:
        missing = tries * nodes[child, at.DRAWN] / drawn - nodes[child, at.VISITS]
        if missing > best:
            best, best_child = missing, child
        child = to_index(nodes[child, at.SIBLING])
    return best_child


@bare_kernel
def draws_behind(tree: Tree, edge: int) -> int:
    """How often the dice were rolled behind an edge."""
    drawn, child = 0, to_index(tree.edges[edge, at.CHILD])
    while child != NONE:
        drawn += tree.nodes[child, at.DRAWN]
        child = to_index(tree.nodes[child, at.SIBLING])
    return drawn


@bare_kernel
def seed_dice(tree: Tree, lane: int, plan: Plan) -> None:
    """Set the generator for the dice that lead to the leaf.

    They follow from the leaf's parent and the number of the draw: all actions of a node are compared on the same dice.
    """
    game, leaf = tree.game, tree.game[at.LEAF]
    draw = draws_behind(tree, to_index(tree.nodes[leaf, at.EDGE_IN]))
    word = seeding.state_of(to_word(plan.dice), to_word(lane), to_word(game[at.EPISODE]), to_word(game[at.PLY]))
    tree.random[0] = seeding.state_of(word, to_word(tree.nodes[leaf, at.PARENT]), to_word(draw), to_word(0))


@bare_kernel
def drop_leaf(tree: Tree) -> None:
    """Remove the leaf, the last node that was made."""
    leaf = to_index(tree.game[at.LEAF])
    tree.edges[tree.nodes[leaf, at.EDGE_IN], at.CHILD] = tree.nodes[leaf, at.SIBLING]
    tree.game[at.NODES] = leaf


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
    game = tree.game
    if game[at.WAITING] != 0:
        game[at.NODES], game[at.WAITING] = 0, 0
        if game[at.LEAF] != ROOT:
            drop_leaf(tree)
