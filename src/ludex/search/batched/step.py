"""One step of many games' searches: take the network's answers, select the next leaves, and describe them to it.

`step` runs all of it in one kernel, with the rules called by their addresses, so it is compiled once for every game.
`receive_and_select` leaves the rules to Python.
"""

from typing import Any

import numpy as np

import ludex.search.batched.layout as at
from ludex.core import seeding
from ludex.core.compiled import RUNNING
from ludex.kernels.calls import (
    DRAWS,
    LEGAL,
    OBSERVE,
    OUTCOME,
    PLAYER,
    legal_at,
    move_by,
    observe_at,
    player_at,
    score_at,
)
from ludex.kernels.jit import (
    bare_kernel,
    bare_parallel_kernel,
    copy_into,
    inline_kernel,
    parallel_range,
    to_index,
    to_word,
)
from ludex.search.batched.layout import NONE, ROOT, Exchange, Floats, Plan, Tree, Vector, tree_of
from ludex.search.batched.tree import add_node, back_up, drop_leaf, receive, seed_dice, select

BEGIN, SIMULATE, END = 0, 1, 2
"""Describe the roots; take answers and select leaves; take the last answers."""
USUAL_ALPHA = 10.0
"""Divided by the legal actions it is the parameter of the Dirichlet distribution, unless one is given."""


@bare_kernel
def _uniform(word: int) -> float:
    """A number in (0, 1) from 64 random bits."""
    return (np.float64(word >> to_word(11)) + 0.5) * 2.0**-53


@bare_kernel
def _draw_noise(tree: Tree, lane: int, plan: Plan) -> None:
    """Write a number per edge of the root: Gumbel's distribution, or one draw of Dirichlet's for PUCT."""
    game, noise, options, count = tree.game, tree.noise, plan.options, tree.nodes[ROOT, at.COUNT]
    state = seeding.state_of(to_word(plan.key), to_word(lane), to_word(game[at.EPISODE]), to_word(game[at.PLY]))
    if options[at.RULE] != at.PUCT:
        for index in range(count):
            state = seeding.advance(state)
            noise[index] = -np.log(-np.log(_uniform(seeding.mix(state))))
        return
    alpha = options[at.NOISE_ALPHA] if options[at.NOISE_ALPHA] > 0.0 else USUAL_ALPHA / count
    # Marsaglia and Tsang: a draw of Gamma(alpha + 1), and the power of a uniform number that leads to Gamma(alpha).
    shape = alpha + 1.0 - 1.0 / 3.0
    total = 0.0
    for index in range(count):
        while True:
            state = seeding.advance(state)
            radius = np.sqrt(-2.0 * np.log(_uniform(seeding.mix(state))))
            state = seeding.advance(state)
            normal = radius * np.cos(2.0 * np.pi * _uniform(seeding.mix(state)))
            cube = (1.0 + normal / np.sqrt(9.0 * shape)) ** 3
            state = seeding.advance(state)
            accepted = np.log(_uniform(seeding.mix(state)))
            if cube > 0.0 and accepted < 0.5 * normal * normal + shape * (1.0 - cube + np.log(cube)):
                break
        state = seeding.advance(state)
        # A power of a small alpha may vanish: at least one number must stay.
        drawn = max(shape * cube * _uniform(seeding.mix(state)) ** (1.0 / alpha), 1e-300)
        noise[index] = drawn
        total += drawn
    for index in range(count):
        noise[index] /= total


@bare_kernel
def next_leaf(tree: Tree, lane: int, phase: int, plan: Plan, network: Exchange) -> int:
    """Take the network's answer if a game waits for it; returns the node to describe next, NONE if there is none.

    `NEW_ACTION` leads to it from its parent; it is NONE for the root.
    """
    game = tree.game
    if phase == BEGIN:
        game[at.LEAF], game[at.NEW_ACTION] = add_node(tree, NONE, NONE), NONE
        return ROOT
    if game[at.WAITING] != 0:
        leaf = to_index(game[at.LEAF])
        answer = np.float64(network.answers[lane])
        receive(tree, plan.orientation[tree.nodes[leaf, at.PLAYER]], network.logits[lane], answer)
        if leaf == ROOT and game[at.FAULT] == 0:
            _draw_noise(tree, lane, plan)
    if phase == END or game[at.FAULT] != 0 or game[at.DONE] >= plan.simulations:
        return NONE
    return find_leaf(tree, lane, plan, ROOT)


@inline_kernel
def find_leaf(tree: Tree, lane: int, plan: Plan, node: int) -> int:
    """Select below a node; returns the new node to describe, NONE where the game was over before."""
    select(tree, plan, node)
    leaf = to_index(tree.game[at.LEAF])
    if tree.game[at.NEW_ACTION] == NONE:
        back_up(tree, leaf, tree.values[leaf])
        return NONE
    if plan.options[at.CHANCE] != 0.0:
        seed_dice(tree, lane, plan)
    return leaf


@bare_kernel
def join_twin(tree: Tree, lane: int, plan: Plan, twin: int) -> int:
    """The dice led to a position that is known: select below it, in place of the leaf."""
    drop_leaf(tree)
    tree.nodes[twin, at.DRAWN] += 1
    return find_leaf(tree, lane, plan, twin)


@bare_kernel
def finish_leaf(tree: Tree, options: Floats, score: float) -> None:
    """Mark the leaf as the end of a game with this score of player 0, and pass its value up."""
    leaf = to_index(tree.game[at.LEAF])
    tree.nodes[leaf, at.FINISHED] = 1
    tree.game[at.WAITING] = 0
    value = min(1.0, max(-1.0, (score - options[at.CENTRE]) / options[at.SPREAD]))
    back_up(tree, leaf, options[at.DRAW] if value == 0.0 else value)


@bare_kernel
def _twin(tree: Tree, leaf: int, states: Vector) -> int:
    """The node behind the same edge with the same position, NONE if there is none."""
    twin = to_index(tree.nodes[leaf, at.SIBLING])
    while twin != NONE:
        same = True
        for index in range(states.shape[1]):
            same &= states[twin, index] == states[leaf, index]
        if same:
            return twin
        twin = to_index(tree.nodes[twin, at.SIBLING])
    return NONE


@bare_kernel
def _step_game(
    lane: int, phase: int, rules: Vector, constants: Vector, plan: Plan, trees: Tree, states: Vector, network: Exchange
) -> None:
    tree = tree_of(trees, lane)
    leaf = next_leaf(tree, lane, phase, plan, network)
    while leaf != NONE and phase != BEGIN:
        copy_into(states[lane, leaf], states[lane, tree.nodes[leaf, at.PARENT]])
        unrolled = tree.random[0]
        move_by(rules, constants, states[lane, leaf], to_index(tree.game[at.NEW_ACTION]), tree.random)
        if not rules[DRAWS] or tree.random[0] == unrolled:
            break
        twin = _twin(tree, leaf, states[lane])
        if twin == NONE:
            tree.nodes[leaf, at.DRAWN] = 1
            break
        leaf = join_twin(tree, lane, plan, twin)
    if leaf == NONE:
        return
    state = states[lane, leaf]
    mover = player_at(rules[PLAYER], constants, state)
    tree.nodes[leaf, at.PLAYER] = mover
    score = score_at(rules[OUTCOME], constants, state)
    if score != RUNNING:
        finish_leaf(tree, plan.options, score)
        return
    legal_at(rules[LEGAL], constants, state, tree.mask)
    observe_at(rules[OBSERVE], constants, state, network.observations[lane])
    for action in range(len(tree.mask)):
        network.masks[lane, plan.orientation[mover, action]] = tree.mask[action]
    tree.game[at.WAITING] = 1


@bare_kernel
def step(begin: int, end: int, phase: int, rules: Vector, states: Vector, constants: Vector, *parts: Any) -> None:
    """One step of the games in begin..end-1, on one thread. A game with `WAITING` needs the network's answer.

    `parts` are the plan, the trees and the network as plain tuples, which Numba takes from Python fastest.
    """
    plan, trees, network = Plan(*parts[0]), Tree(*parts[1]), Exchange(*parts[2])
    for lane in range(begin, end):
        _step_game(lane, phase, rules, constants, plan, trees, states, network)


@bare_parallel_kernel
def step_on_threads(
    begin: int, end: int, phase: int, rules: Vector, states: Vector, constants: Vector, *parts: Any
) -> None:
    """The same on several threads."""
    plan, trees, network = Plan(*parts[0]), Tree(*parts[1]), Exchange(*parts[2])
    for lane in parallel_range(begin, end):
        _step_game(lane, phase, rules, constants, plan, trees, states, network)


@bare_kernel
def receive_and_select(begin: int, end: int, phase: int, plan: Plan, trees: Tree, network: Exchange) -> None:
    """What `step` does without rules: `LEAF` of a game is a node to describe, or NONE.

    A new node waits for the network unless the game is over there, which `finish_leaf` says.
    """
    for lane in range(begin, end):
        tree = tree_of(trees, lane)
        leaf = next_leaf(tree, lane, phase, plan, network)
        tree.game[at.LEAF] = leaf
        if leaf != NONE:
            tree.game[at.WAITING] = 1
