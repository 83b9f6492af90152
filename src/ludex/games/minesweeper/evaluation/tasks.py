"""Cutting an evaluation into tasks for workers."""

from collections.abc import Iterator
from dataclasses import dataclass

from ludex.core.limit import Limit
from ludex.core.registry import make, make_agent, resolve
from ludex.core.seeding import generator
from ludex.core.services import Services
from ludex.core.spec import Ref
from ludex.games.minesweeper.config import EnvConfig
from ludex.games.minesweeper.evaluation.played import Played
from ludex.games.minesweeper.evaluation.playing import play_games
from ludex.games.minesweeper.game import Minesweeper
from ludex.kernels.warmup import load_kernels

EVAL_STREAM = 129
"""Stream from which the seeds of an evaluation's games are drawn."""
MOST_GAMES = 512
"""A task has at most so many games, which a lane agent plays side by side."""
TASKS = 64
"""Fewer games are cut into about as many tasks, so that an interruption loses little."""


@dataclass(frozen=True, slots=True)
class Task:
    """Some games of an evaluation, for one worker."""

    game: str
    preset: str
    agent: str
    cfg: EnvConfig
    seed: int
    time_ms: int | None
    depth: int | None
    nodes: int | None
    """This and the two before are the agent's limit: a `Limit` itself holds a flag that cannot travel."""
    services: Ref | None
    first: int
    """The number of its first game."""
    games: int


def game_seed(seed: int, number: int) -> int:
    """The seed of one game: `Match(game, game_seed(seed, number))` is that game."""
    return generator(seed, number, EVAL_STREAM).bits()


def chunks(games: int) -> Iterator[tuple[int, int]]:
    """The first game and the number of games of each task."""
    size = max(1, min(MOST_GAMES, games // TASKS))
    for first in range(0, games, size):
        yield first, min(size, games - first)


def play_task(task: Task) -> Played:
    """Play a task's games. The same task gives the same games in any process."""
    game = make(task.game, task.preset)
    assert isinstance(game, Minesweeper)
    load_kernels(task.game)
    services: Services | None = None if task.services is None else resolve(task.services)()
    agent = make_agent(game, task.agent, services)
    limit = Limit(time_ms=task.time_ms, depth=task.depth, nodes=task.nodes)
    seeds = [game_seed(task.seed, task.first + number) for number in range(task.games)]
    return play_games(game, agent, task.cfg, seeds, limit)
