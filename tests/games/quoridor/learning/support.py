"""What the tests of learning share: a few games of the engine against itself, made once."""

from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ludex.games.quoridor.learning.selfplay import Games, SelfPlayTask, play_games
from ludex.games.quoridor.rules.position import Position
from tests.games.quoridor.support import game_of
from tests.games.support import TRAP

TASK = SelfPlayTask(seed=3, first=0, count=6, agent="master:hash=1:net=none", nodes=40, opening_plies=8, epsilon=0.1)


@cache
def some_games() -> Games:
    return play_games(TASK)


def same(one: Games, two: Games) -> bool:
    """Whether two batches hold the same games in the same types."""
    pairs: Iterable[tuple[NDArray[np.integer], NDArray[np.integer]]] = zip(one, two, strict=True)
    return all(a.dtype == b.dtype and a.shape == b.shape and bool((a == b).all()) for a, b in pairs)


def replayed(games: Games, number: int) -> tuple[list[Position], list[int], list[int]]:
    """The positions of a game, the last one included, its actions and its scores."""
    game, one = game_of(), games.part(number, number + 1)
    positions = [game.initial(TRAP)]
    for action in one.actions:
        positions.append(game.apply(positions[-1], int(action), TRAP))
    return positions, [int(action) for action in one.actions], [int(score) for score in one.scores]
