"""One step of many games' searches: take the network's answers, select the next leaves, and describe them to it.

`step` runs all of it in one kernel, with the rules called by their addresses, so it is compiled once for every game.
`receive_and_select` leaves the rules to Python.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.core import seeding
from ludex.core.compiled import RUNNING
from ludex.kernels.calls import APPLY, LEGAL, OBSERVE, OUTCOME, PLAYER, apply_at, legal_at, number_at, observe_at
from ludex.kernels.jit import bare_kernel, bare_parallel_kernel, copy_into, parallel_range, to_index, to_word
from ludex.search.batched.layout import (
    COUNT,
    DONE,
    DRAW,
    EPISODE,
    FAULT,
    FINISHED,
    LEAF,
    NEW_ACTION,
    NODES,
    NOISE_ALPHA,
    NONE,
    PARENT,
    PLY,
    PUCT,
    ROOT,
    RULE,
    WAITING,
)
from ludex.search.batched.layout import PLAYER as MOVER
from ludex.search.batched.selection import Floats, Ints
from ludex.search.batched.tree import add_node, back_up, receive, select

BEGIN, SIMULATE, END = 0, 1, 2
"""Describe the roots; take answers and select leaves; take the last answers."""
Vector = NDArray[np.int64]
USUAL_ALPHA = 10.0
"""Divided by the legal actions it is the parameter of the Dirichlet distribution, unless one is given."""


@bare_kernel
def _uniform(word: int) -> float:
    """A number in (0, 1) from 64 random bits."""
    return (np.float64(word >> to_word(11)) + 0.5) * 2.0**-53


@bare_kernel
def _draw_noise(
    key: int,
    lane: int,
    game: NDArray[np.int64],
    count: int,
    options: NDArray[np.float64],
    noise: NDArray[np.float64],
) -> None:
    """Write a number per edge of the root: Gumbel's distribution, or one draw of Dirichlet's for PUCT."""
    state = seeding.state_of(to_word(key), to_word(lane), to_word(game[EPISODE]), to_word(game[PLY]))
    if options[RULE] != PUCT:
        for index in range(count):
            state = seeding.advance(state)
            noise[index] = -np.log(-np.log(_uniform(seeding.mix(state))))
        return
    alpha = options[NOISE_ALPHA] if options[NOISE_ALPHA] > 0.0 else USUAL_ALPHA / count
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
def take_answer(
    lane: int,
    phase: int,
    key: int,
    games: Vector,
    nodes: Ints,
    values: Floats,
    edges: Ints,
    weights: Floats,
    noise: Floats,
    masks: NDArray[np.uint8],
    options: Floats,
    orientation: Vector,
    logits: NDArray[np.float32],
    answers: NDArray[np.float32],
) -> None:
    """Expand a game's leaf if it waits for the network; a root that is ready gets its noise."""
    if phase != BEGIN and games[lane, WAITING] != 0:
        leaf = to_index(games[lane, LEAF])
        outputs = orientation[nodes[lane, leaf, MOVER]]
        answer = np.float64(answers[lane])
        receive(
            games[lane],
            nodes[lane],
            values[lane],
            edges[lane],
            weights[lane],
            masks[lane],
            outputs,
            logits[lane],
            answer,
        )
        if leaf == ROOT and games[lane, FAULT] == 0:
            _draw_noise(key, lane, games[lane], nodes[lane, ROOT, COUNT], options, noise[lane])
    elif phase == BEGIN and games[lane, NODES] > 0:
        _draw_noise(key, lane, games[lane], nodes[lane, ROOT, COUNT], options, noise[lane])


@bare_kernel
def open_root(game: Vector, nodes: Ints) -> int:
    """Make the root the node to describe; returns whether it waits for the network, because it is new."""
    game[LEAF], game[NEW_ACTION] = ROOT, NONE
    if game[NODES] > 0:
        return 0
    add_node(game, nodes, NONE, NONE)
    return 1


@bare_kernel
def finish_leaf(
    game: Vector, nodes: Ints, values: Floats, edges: Ints, weights: Floats, options: Floats, score: float
) -> None:
    """Mark the leaf as the end of a game with this score of player 0, and pass its value up."""
    leaf = to_index(game[LEAF])
    nodes[leaf, FINISHED] = 1
    game[WAITING] = 0
    back_up(game, nodes, values, edges, weights, leaf, options[DRAW] if score == 0.0 else score)


@bare_kernel
def _step_game(
    lane: int,
    phase: int,
    simulations: int,
    key: int,
    rules: Vector,
    constants: Vector,
    orientation: Vector,
    options: Floats,
    schedule: Vector,
    games: Vector,
    nodes: Ints,
    values: Floats,
    edges: Ints,
    weights: Floats,
    noise: Floats,
    scratch: Floats,
    masks: NDArray[np.uint8],
    states: Vector,
    observations: NDArray[np.float32],
    output_masks: NDArray[np.uint8],
    logits: NDArray[np.float32],
    answers: NDArray[np.float32],
) -> None:
    take_answer(
        lane, phase, key, games, nodes, values, edges, weights, noise, masks, options, orientation, logits, answers
    )
    game = games[lane]
    waits = 1
    if phase == BEGIN:
        waits = open_root(game, nodes[lane])
    elif phase == END or game[FAULT] != 0 or game[DONE] >= simulations:
        return
    else:
        select(
            game,
            nodes[lane],
            values[lane],
            edges[lane],
            weights[lane],
            noise[lane],
            scratch[lane],
            options,
            schedule,
        )
        leaf = to_index(game[LEAF])
        if game[NEW_ACTION] == NONE:
            back_up(game, nodes[lane], values[lane], edges[lane], weights[lane], leaf, values[lane, leaf])
            return
        copy_into(states[lane, leaf], states[lane, nodes[lane, leaf, PARENT]])
        apply_at(rules[APPLY], constants, states[lane, leaf], to_index(game[NEW_ACTION]))
    leaf = to_index(game[LEAF])
    state = states[lane, leaf]
    mover = number_at(rules[PLAYER], constants, state)
    nodes[lane, leaf, MOVER] = mover
    score = number_at(rules[OUTCOME], constants, state)
    if score != RUNNING:
        finish_leaf(game, nodes[lane], values[lane], edges[lane], weights[lane], options, np.float64(score))
        return
    mask = masks[lane]
    legal_at(rules[LEGAL], constants, state, mask)
    observe_at(rules[OBSERVE], constants, state, observations[lane])
    for action in range(len(mask)):
        output_masks[lane, orientation[mover, action]] = mask[action]
    game[WAITING] = waits


@bare_kernel
def step(begin: int, end: int, *arguments: Any) -> None:
    """One step of the games in begin..end-1, on one thread. A game with `WAITING` needs the network's answer.

    The other arguments are those of `_step_game` after the lane.
    """
    for lane in range(begin, end):
        _step_game(lane, *arguments)


@bare_parallel_kernel
def step_on_threads(begin: int, end: int, *arguments: Any) -> None:
    """The same on several threads."""
    for lane in parallel_range(begin, end):
        _step_game(lane, *arguments)


@bare_kernel
def receive_and_select(
    begin: int,
    end: int,
    phase: int,
    simulations: int,
    key: int,
    orientation: Vector,
    options: Floats,
    schedule: Vector,
    games: Vector,
    nodes: Ints,
    values: Floats,
    edges: Ints,
    weights: Floats,
    noise: Floats,
    scratch: Floats,
    masks: NDArray[np.uint8],
    logits: NDArray[np.float32],
    answers: NDArray[np.float32],
) -> None:
    """What `step` does without rules: `LEAF` of a game is a node to describe, or NONE.

    A new node waits for the network unless the game is over there, which `finish_leaf` says.
    """
    for lane in range(begin, end):
        take_answer(
            lane, phase, key, games, nodes, values, edges, weights, noise, masks, options, orientation, logits, answers
        )
        game = games[lane]
        if phase == BEGIN:
            game[WAITING] = open_root(game, nodes[lane])
        elif phase == END or game[FAULT] != 0 or game[DONE] >= simulations:
            game[LEAF] = NONE
        else:
            select(
                game,
                nodes[lane],
                values[lane],
                edges[lane],
                weights[lane],
                noise[lane],
                scratch[lane],
                options,
                schedule,
            )
            leaf = to_index(game[LEAF])
            if game[NEW_ACTION] == NONE:
                back_up(game, nodes[lane], values[lane], edges[lane], weights[lane], leaf, values[lane, leaf])
                game[LEAF] = NONE
            else:
                game[WAITING] = 1
