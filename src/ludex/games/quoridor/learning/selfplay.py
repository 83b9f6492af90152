"""Games of the engine against itself, stored as moves and scores, and their positions as lists of features."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core.executor import Executor
from ludex.core.game import Json, Mask
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.registry import make, make_agent
from ludex.core.seeding import Rng, generator
from ludex.games.quoridor.agents.master.network import FEATURES, MOST_FEATURES, SIZE, WALLS, list_features
from ludex.games.quoridor.agents.master.transposition_table import CERTAIN
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.learning.config import EvaluationConfig
from ludex.games.quoridor.rules.board import Row, geometry
from ludex.games.quoridor.rules.movegen import play_here
from ludex.games.quoridor.rules.paths import distance
from ludex.games.quoridor.rules.position import STATE_WORDS, TURN, starting, words
from ludex.kernels.jit import copy_into, kernel, to_index
from ludex.learn.shards import Shards, concatenate, dump_arrays, load_arrays

OPENING_STREAM = 7
GAMES_PER_TASK = 20
UNSCORED = -32_768
"""The score of a move that was drawn by lot."""


class Games(NamedTuple):
    """Many games, one after the other."""

    actions: NDArray[np.uint8]
    """uint8[plies]"""
    scores: NDArray[np.int16]
    """int16[plies]: the mover's, of the position before the move."""
    lengths: NDArray[np.int32]
    """int32[games]"""
    results: NDArray[np.int8]
    """int8[games]: 1 if white won, -1 if black did, 0 for a draw."""

    def part(self, begin: int, end: int) -> "Games":
        """The games from one number to another."""
        first, last = int(self.lengths[:begin].sum()), int(self.lengths[:end].sum())
        return Games(
            self.actions[first:last], self.scores[first:last], self.lengths[begin:end], self.results[begin:end]
        )


@dataclass(frozen=True, slots=True)
class SelfPlayTask:
    """Some consecutive games, for one worker."""

    seed: int
    first: int
    count: int
    agent: str
    nodes: int
    opening_plies: int
    """The first plies, at most, that are drawn by lot."""
    epsilon: float
    """The share of later moves that are."""


PLAYED = ("seed", "agent", "nodes", "opening_plies", "epsilon")
"""The keys of a configuration that say how a game is played."""


def task_of(config: EvaluationConfig, number: int) -> SelfPlayTask:
    """The games of one file."""
    first = number * GAMES_PER_TASK
    count = min(GAMES_PER_TASK, config.games - first)
    return SelfPlayTask(first=first, count=count, **config.model_dump(include=set(PLAYED)))


def recipe_of(config: EvaluationConfig) -> dict[str, Json]:
    """What files of games follow from; how many there are is part of it, for the last may be short."""
    return {"game": "quoridor", **config.model_dump(mode="json", include={"games", *PLAYED})}


def files_of(config: EvaluationConfig) -> int:
    """How many files a configuration's games fill."""
    return -(-config.games // GAMES_PER_TASK)


def play_into(folder: Path, config: EvaluationConfig, executor: Executor, advance: Callable[[int], None]) -> Games:
    """Play a configuration's games that a folder does not hold yet; returns all of them in order."""
    shards, files = Shards.begin(folder, recipe_of(config)), files_of(config)
    for number, _ in shards.fill(files, partial(task_of, config), play_games, dump_arrays, executor):
        advance(task_of(config, number).count)
    return concatenate([load_arrays(Games, shards.path(number)) for number in range(files)])


def play_games(task: SelfPlayTask) -> Games:
    """Play a task's games. The same task gives the same games in any process."""
    game = make("quoridor")
    assert isinstance(game, Quoridor)
    agent = make_agent(game, task.agent)
    limit = Limit(nodes=task.nodes)
    actions: list[int] = []
    scores: list[int] = []
    lengths, results = [], []
    for number in range(task.first, task.first + task.count):
        rng = generator(task.seed, number, OPENING_STREAM)
        match = Match(game, rng.seed())
        opening = rng.below(task.opening_plies + 1)
        result = 0
        while not match.over:
            if match.ply < opening or rng.below(1_000_000) < task.epsilon * 1_000_000:
                action, score = _draw_move(match.legal(), game.squares, rng), UNSCORED
            else:
                decision = decide(match, agent, limit.renew())
                action, score = decision.action, int(decision.candidates[0].score or 0)
            actions.append(action)
            scores.append(score)
            mover = match.to_move
            match.play(action)
            if score != UNSCORED and abs(score) >= CERTAIN:
                # The end is seen: nothing more to learn from walking there.
                result = (1 if score > 0 else -1) * (1 if mover == 0 else -1)
                break
        if match.outcome is not None:
            result = int(match.outcome.scores[0])
        lengths.append(match.ply)
        results.append(result)
    return Games(
        np.array(actions, np.uint8), np.array(scores, np.int16), np.array(lengths, np.int32), np.array(results, np.int8)
    )


def _draw_move(legal: Mask, squares: int, rng: Rng) -> int:
    """A pawn's move or a wall, each with probability 1/2, since there are far more walls."""
    steps, walls = legal[:squares].nonzero()[0], legal[squares:].nonzero()[0]
    if len(walls) == 0 or rng.below(2) == 0:
        return int(steps[rng.below(len(steps))])
    return int(squares + walls[rng.below(len(walls))])


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
