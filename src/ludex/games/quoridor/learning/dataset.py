"""Positions of games as lists of features, with search scores and results."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.games.quoridor.agents.master.features import FEATURES, MOST_FEATURES, SIZE, WALLS, list_features
from ludex.games.quoridor.learning.selfplay import UNSCORED, Games
from ludex.games.quoridor.rules.board import geometry
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
    scores = np.empty(count, np.int16)
    results = np.empty(count, np.int8)
    start = words(starting(SIZE, WALLS), SIZE)
    _replay(*games, start, geometry(SIZE), mirrored, features, scores, results)
    return Positions(features, scores, results)


@kernel
def _replay(
    actions: NDArray[np.uint8],
    game_scores: NDArray[np.int16],
    lengths: NDArray[np.int32],
    game_results: NDArray[np.int8],
    start: NDArray[np.uint64],
    geometry: NDArray[np.uint64],
    mirrored: bool,
    features: NDArray[np.int16],
    scores: NDArray[np.int16],
    results: NDArray[np.int8],
) -> None:
    state = np.empty(STATE_WORDS, np.uint64)
    ply, row = 0, 0
    for game in range(len(lengths)):
        copy_into(state, start)
        for _ in range(lengths[game]):
            turn = to_index(state[TURN])
            if game_scores[ply] != UNSCORED:
                mine = distance(state, turn, SIZE, geometry)
                theirs = distance(state, 1 - turn, SIZE, geometry)
                list_features(state, mine, theirs, features[row])
                scores[row] = game_scores[ply]
                results[row] = game_results[game] if turn == 0 else -game_results[game]
                row += 1
            action = to_index(actions[ply])
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
