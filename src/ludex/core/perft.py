"""Counting positions: the classic test that move generation neither misses nor invents anything."""

from typing import Any

from ludex.core.game import AnyGame, legal_actions
from ludex.core.seeding import generator


def perft(game: AnyGame, state: Any, depth: int) -> int:
    """How many lines of exactly `depth` plies begin here. Chance draws from seed 0.

    >>> from ludex.core.registry import make
    >>> game = make("tictactoe")
    >>> [perft(game, game.initial(generator(0, 0)), depth) for depth in range(4)]
    [1, 9, 72, 504]
    """
    if depth == 0:
        return 1
    mask = game.legal(state)
    if depth == 1:
        return int(mask.sum())
    rng = generator(0, depth)
    return sum(perft(game, game.apply(state, action, rng), depth - 1) for action in legal_actions(mask))
