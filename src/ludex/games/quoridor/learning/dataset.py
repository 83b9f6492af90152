"""Positions of games as lists of features, with search scores and results."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.games.quoridor.agents.master.features import FEATURES, MOST_FEATURES, SIZE, WALLS, list_features
from ludex.games.quoridor.learning.selfplay import UNSCORED, Games
from ludex.games.quoridor.rules.board import Row, geometry
from ludex.games.quoridor.rules.movegen import play_here
from ludex.games.quoridor.rules.paths import distance
from ludex.games.quoridor.rules.position import STATE_WORDS, TURN, starting, words
from ludex.kernels.jit import copy_into, kernel, to_index


class Positions(NamedTuple):
    """N positions, each seen by its mover."""

    features: NDArray[np.int16]
    """int16[N, MOST_FEATURES], filled up with FEATURES."""
    scores: NDArray[np.int16]
    results: NDArray[np.int8]
    """1 if the mover won in the end, -1 if it lost."""


def positions_of(games: Games, mirrored: bool) -> Positions:
    """Every searched position of some games; mirrored, left and right are swapped."""
    count = int((games.scores != UNSCORED).sum())
    features = np.full((count, MOST_FEATURES), FEATURES, np.int16)
    positions = Positions(features, np.empty(count, np.int16), np.empty(count, np.int8))
    _replay(games, words(starting(SIZE, WALLS), SIZE), geometry(SIZE), mirrored, positions)
    return positions


@kernel
def _replay(games: Games, start: Row, geometry: Row, mirrored: bool, positions: Positions) -> None:
    state = np.empty(STATE_WORDS, np.uint64)
    ply, row = 0, 0
    for game in range(len(games.lengths)):
        copy_into(state, start)
        for _ in range(games.lengths[game]):
            turn = to_index(state[TURN])
            if games.scores[ply] != UNSCORED:
                mine = distance(state, turn, SIZE, geometry)
                theirs = distance(state, 1 - turn, SIZE, geometry)
                list_features(state, turn, mine, theirs, positions.features[row])
                positions.scores[row] = games.scores[ply]
                positions.results[row] = games.results[game] if turn == 0 else -games.results[game]
                row += 1
            action = to_index(games.actions[ply])
            play_here(state, _mirror(action) if mirrored else action, SIZE)
            ply += 1


@kernel
def _mirror(action: int) -> int:
    """The same move with left and right swapped."""
    if action < SIZE * SIZE:
        return action - action % SIZE + SIZE - 1 - action % SIZE
    slot = action - SIZE * SIZE
    col = slot % (SIZE - 1)
    return action - col + SIZE - 2 - col
