"""The trees of many games in arrays: a row per game, its nodes and edges in the order in which they were made.

A node's edges are its legal actions, side by side: a root's in ascending order, below it those that were followed come
first. Values are player 0's where they belong to a node, and the mover's where they belong to an edge.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core.compilable import compilable
from ludex.core.compiled import Words
from ludex.kernels.jit import share
from ludex.search.batched.options import SearchOptions

Vector = NDArray[np.int64]
Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

PARENT, EDGE_IN, FIRST, COUNT, PLAYER, VISITS, FINISHED, SIBLING, DRAWN, FOLLOWED, NEXT, NODE_COLUMNS = range(12)
"""Of a node: its parent and the edge from it, its first edge and how many, the player to move, how often it was
visited, whether the game is over, the node before it on the same edge, where chance leads to several, and how often
dice led to it, 0 where there were none. Below the root also how many of its edges were followed, and which of the
others the network likes best, counted from the first.
"""
ACTION, TRIED, CHILD, EDGE_COLUMNS = range(4)
"""Of an edge: the action, how often it was tried, and the last node that was made behind it."""
LOGIT, PRIOR, TOTAL, WEIGHT_COLUMNS = range(4)
"""Of an edge: the network's logit, its probability among the legal ones, and the sum of values found behind it."""
NODES, EDGES, LEAF, NEW_ACTION, WAITING, DONE, EPISODE, PLY, FAULT, GAME_COLUMNS = range(10)
"""Of a game: nodes and edges in use; the node that is being evaluated, the action that leads to it if it is new and
whether it waits for the network; simulations done; its episode and ply; whether the network's answer was no number."""
NONE: Final = -1
ROOT: Final = 0

RULE, C_PUCT, FIRST_PLAY, NOISE_ALPHA, NOISE_SHARE = range(5)
GUMBEL_SCALE, VALUE_SCALE, VISIT_OFFSET, LEAST_RANGE, DRAW, CHANCE, WIDENING, CENTRE, SPREAD = range(5, 14)
"""The numbers of a search, as kernels read them."""
PUCT, GUMBEL = 0.0, 1.0


class Tree(NamedTuple):
    """The arrays of `games` trees with up to `capacity` nodes each, or those of one game, see `tree_of`.

    Pages that are never written take no memory.
    """

    game: Vector
    nodes: Ints
    values: Floats
    edges: Ints
    weights: Floats
    noise: Floats
    """[G, A], by edge of the root."""
    scratch: Floats
    """[G, A]"""
    mask: NDArray[np.uint8]
    """[G, A], of the node that is evaluated, in the game's order."""
    random: Words
    """[G, 1], the generator of the next dice."""

    @classmethod
    def of(cls, games: int, capacity: int, action_size: int) -> "Tree":
        """Empty trees."""
        edges = capacity * action_size
        return cls(
            game=np.zeros((games, GAME_COLUMNS), np.int64),
            nodes=np.zeros((games, capacity, NODE_COLUMNS), np.int32),
            values=np.zeros((games, capacity), np.float64),
            edges=np.zeros((games, edges, EDGE_COLUMNS), np.int32),
            weights=np.zeros((games, edges, WEIGHT_COLUMNS), np.float64),
            noise=np.zeros((games, action_size), np.float64),
            scratch=np.zeros((games, action_size), np.float64),
            mask=np.zeros((games, action_size), np.uint8),
            random=np.zeros((games, 1), np.uint64),
        )


class Plan(NamedTuple):
    """What is the same in all games of a search."""

    key: int
    """Of the stream of the noise, as a signed number."""
    dice: int
    """Of the stream of the dice inside the trees."""
    chance: int
    """Of the stream of the games' own dice."""
    simulations: int
    options: Floats
    schedule: Vector
    orientation: Vector


class Exchange(NamedTuple):
    """What the network is given, and what it answers. Rows are games."""

    observations: NDArray[np.float32]
    """[G, C * H * W], written by a step for games that wait for the network."""
    masks: NDArray[np.uint8]
    """[G, A], likewise, by the network's outputs."""
    logits: NDArray[np.float32]
    """[G, A]"""
    answers: NDArray[np.float32]
    """[G], its values."""


@compilable
def tree_of(trees: Tree, lane: int) -> Tree:
    """The tree of one game: the same arrays without their first axis."""
    return Tree(
        trees.game[lane],
        trees.nodes[lane],
        trees.values[lane],
        trees.edges[lane],
        trees.weights[lane],
        trees.noise[lane],
        trees.scratch[lane],
        trees.mask[lane],
        trees.random[lane],
    )


share(tree_of)


def numbers(options: SearchOptions, chance: bool) -> Floats:
    """The numbers of a search, as kernels read them."""
    row = np.zeros(SPREAD + 1, np.float64)
    row[RULE] = PUCT if options.rule == "puct" else GUMBEL
    row[C_PUCT], row[FIRST_PLAY] = options.c_puct, options.first_play
    row[NOISE_ALPHA], row[NOISE_SHARE] = options.noise_alpha, options.noise_share
    row[GUMBEL_SCALE], row[VALUE_SCALE] = options.gumbel_scale, options.value_scale
    row[VISIT_OFFSET], row[LEAST_RANGE] = options.visit_offset, options.least_range
    row[DRAW], row[CHANCE], row[WIDENING] = options.draw_value, chance, options.widening
    row[CENTRE], row[SPREAD] = 0.0, 1.0
    return row


def halving_schedule(considered: int, simulations: int) -> Vector:
    """int64[considered + 1, simulations]: the tries that the root action of each simulation must have had before.

    Row m is sequential halving among m actions: rounds in which each is tried once, as many per phase as their equal
    shares of the simulations allow, and half of the actions in every next phase. The most urgent of those with the
    right number of tries is taken.

    >>> halving_schedule(4, 8)[4].tolist()
    [0, 0, 0, 0, 1, 1, 2, 2]
    """
    table = np.zeros((considered + 1, simulations), np.int64)
    for among in range(considered + 1):
        row: list[int] = [] if among > 1 else list(range(simulations))
        phases, left, tries = max(1, int(np.ceil(np.log2(max(among, 1))))), among, 0
        while len(row) < simulations:
            for _ in range(max(1, simulations // (phases * left))):
                row += [tries] * left
                tries += 1
            left = max(2, left // 2)
        table[among] = row[:simulations]
    return table
