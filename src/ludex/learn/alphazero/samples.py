"""Positions of self-play with what the network should say about them."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Samples(NamedTuple):
    """N positions of finished games, in the network's order of actions."""

    observations: NDArray[np.float16]
    """[N, C, H, W]"""
    policies: NDArray[np.float16]
    """[N, A]: the search's policy."""
    scores: NDArray[np.float32]
    """[N]: the result for the player to move, in -1..1."""
    searched: NDArray[np.float32]
    """[N]: the score that the search expected for the player to move."""
    moves_left: NDArray[np.float32]
    """[N]: plies until the game's end."""
    ownership: NDArray[np.int8]
    """[N, K, H, W]: what became of each cell for the player to move, `UNKNOWN` in games that were given up; K is 0
    where it is not learned."""

    @property
    def size(self) -> int:
        return len(self.scores)


UNKNOWN: Final = -128
"""What became of a cell of a game that was not played to its end."""
FIRST: Final = 0
"""The player whose score results are written for."""


def movers_scores(results: NDArray[np.float32], players: NDArray[np.int64]) -> NDArray[np.float32]:
    """Results `[N]` for player 0 as scores of the players to move `[N]`.

    >>> movers_scores(np.float32([1, 1, -1]), np.array([0, 1, 1])).tolist()
    [1.0, -1.0, 1.0]
    """
    return np.where(players == FIRST, results, -results).astype(np.float32)


def joined(parts: list[Samples], empty: Samples) -> Samples:
    """All of them, in order; `empty` if there is none."""
    return Samples(*map(np.concatenate, zip(*parts, strict=True))) if parts else empty
