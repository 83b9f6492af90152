"""Demonstrations: positions with the action that a scripted player took and the final score."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core.executor import Executor
from ludex.core.game import legal_actions
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.registry import make_agent
from ludex.core.seeding import OPENING
from ludex.games.skirmish.env.opponents import SeatAdapter
from ludex.games.skirmish.game import Skirmish, open_game
from ludex.games.skirmish.rules.engine.layout import STATE_WORDS
from ludex.games.skirmish.rules.illegal_actions import deadlock
from ludex.games.skirmish.rules.position import Position, View
from ludex.learn.shards import concatenate


@dataclass(frozen=True)
class Demonstration:
    """One game to be played: a task for an executor."""

    preset: str
    agents: tuple[str, str]
    taught: tuple[bool, bool]
    """For each player, whether its decisions are recorded."""
    epsilon: float
    """The share of plies in battle that are drawn at random; units are never placed so."""
    seed: int


class Demonstrations(NamedTuple):
    """Decisions of many games. Positions are stored packed; observations are made when they are needed."""

    states: NDArray[np.int16]
    """[M, words]"""
    actions: NDArray[np.int64]
    """[M], in the indices of the player that moved, seen from its own end of the board."""
    scores: NDArray[np.float32]
    """[M]: the final score of the player that moved, -1 to 1."""

    def select(self, rows: NDArray[np.bool_]) -> "Demonstrations":
        """Those that `rows: bool[M]` marks."""
        return Demonstrations._make(array[rows] for array in self)


@lru_cache(maxsize=8)
def _game(preset: str) -> tuple[Skirmish, SeatAdapter]:
    game = open_game(preset)
    return game, SeatAdapter(game)


def play_demonstration(task: Demonstration) -> Demonstrations:
    """Play one game, and record the decisions of the taught players. Raises `DeploymentDeadlockError`."""
    game, seat = _game(task.preset)
    agents = [make_agent(game, name) for name in task.agents]
    match: Match[Position, View] = Match(game, task.seed)
    states, actions, movers = [], [], []
    while not match.over:
        player, position, chance = match.to_move, match.state, match.rng(OPENING)
        if position.phase != "deployment" and chance.uniform() < task.epsilon:
            action = chance.choice(legal_actions(match.legal()))
        else:
            action = decide(match, agents[player], Limit()).action
            if task.taught[player]:
                states.append(position.words)
                actions.append(seat.action(player, action))
                movers.append(player)
        match.play(action)
    outcome = match.outcome
    if outcome is None:
        raise deadlock(game.scenario, match.state, f"seed {task.seed}: ")
    return Demonstrations(
        np.array(states, np.int16).reshape(-1, STATE_WORDS),
        np.array(actions, np.int64),
        np.array([outcome.scores[player] for player in movers], np.float32),
    )


def collect_demonstrations(
    executor: Executor,
    preset: str,
    teachers: Sequence[str],
    opponents: Sequence[str],
    games: int,
    epsilon: float,
    seed: int,
) -> Demonstrations:
    """Games of each teacher against each opponent in turns, from either seat; in self-play both sides are recorded."""
    tasks = []
    for number in range(games):
        teacher, opponent = (
            teachers[number // 2 % len(teachers)],
            opponents[number // (2 * len(teachers)) % len(opponents)],
        )
        pair = (teacher, opponent) if number % 2 == 0 else (opponent, teacher)
        taught = (pair[0] in teachers, pair[1] in teachers)
        tasks.append(Demonstration(preset, pair, taught, epsilon, seed + number))
    parts: list[Demonstrations | None] = [None] * games
    for index, part in executor.run(play_demonstration, tasks):
        parts[index] = part
    return concatenate([part for part in parts if part is not None])
