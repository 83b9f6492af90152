"""Measuring an agent's strength: the document's `evaluate`, and the same over workers for `ludex eval minesweeper`."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludex.core.agent import AnyAgent
from ludex.core.errors import Unsupported
from ludex.core.executor import Executor
from ludex.core.game import AnyGame, Json
from ludex.core.limit import Limit
from ludex.core.registry import make, make_agent, resolve
from ludex.core.services import Services
from ludex.core.spec import Ref
from ludex.games.minesweeper.env.config import Channels, EnvConfig
from ludex.games.minesweeper.env.lanes import game_seed
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.tools.evaluation_games import Played, figures, play_games
from ludex.kernels.warmup import load_kernels

MOST_GAMES = 512
"""The most games of a task, which a lane agent plays side by side."""
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


def evaluate(agent: AnyAgent | str, env_cfg: EnvConfig, episodes: int = 1000, seed: int = 0) -> dict[str, float]:
    """Let an agent, or the one a reference names, play `episodes` games, and average the results.

    Board, rewards and `max_steps` are the configuration's; what it shows and masks does not matter, for an agent sees
    the game. Game g is `Match(game, game_seed(seed, g))`. Unknown figures are NaN.
    """
    if episodes < 1:
        raise ValueError(f"episodes must be at least 1, found {episodes}")
    board = env_cfg.board()
    game = make("minesweeper", **board.model_dump())
    assert isinstance(game, Minesweeper)
    player = make_agent(game, agent) if isinstance(agent, str) else agent
    return figures(_played(game, player, _measured(game, env_cfg), episodes, seed))


def games_won(game: Minesweeper, agent: str, games: int, seed: int) -> NDArray[np.bool_]:
    """bool[games]: which games of an evaluation of this seed the agent of a reference wins."""
    return _played(game, make_agent(game, agent), _measured(game, EnvConfig.of_board(game.options)), games, seed).won


def _played(game: Minesweeper, player: AnyAgent, cfg: EnvConfig, games: int, seed: int) -> Played:
    load_kernels(game.info.id)
    seeds = [game_seed(seed, number) for number in range(games)]
    return Played.joined(
        [
            play_games(game, player, cfg, seeds[first : first + MOST_GAMES], Limit())
            for first in range(0, games, MOST_GAMES)
        ]
    )


def evaluate_agent(
    game: AnyGame,
    agent: str,
    *,
    games: int,
    seed: int,
    limit: Limit,
    services: Ref | None,
    executor: Executor,
    advance: Callable[[int], None],
) -> dict[str, Json]:
    """The same under the rewards' defaults, over an executor: an `Evaluate` of the core."""
    assert isinstance(game, Minesweeper)
    cfg = _measured(game, EnvConfig.of_board(game.options))
    info = game.info

    def task(first: int, count: int) -> Task:
        bounds = (limit.time_ms, limit.depth, limit.nodes)
        return Task(info.id, info.preset, agent, cfg, seed, *bounds, services, first, count)

    finished: dict[int, Played] = {}
    interrupted = False
    results = executor.run(play_task, (task(first, count) for first, count in chunks(games)))
    try:
        for index, played in results:
            finished[index] = played
            advance(len(played))
    except KeyboardInterrupt:
        interrupted = True
    finally:
        results.close()
    if not finished:
        return {"games": 0, "interrupted": interrupted}
    played = Played.joined([finished[index] for index in sorted(finished)])
    found = figures(played)
    interval: list[Json] = [found.pop("ci95_low"), found.pop("ci95_high")]
    known: dict[str, Json] = {name: None if math.isnan(value) else value for name, value in found.items()}
    return {"games": len(played), "ci95": interval, **known, "interrupted": interrupted}


def _measured(game: Minesweeper, cfg: EnvConfig) -> EnvConfig:
    """The configuration with every action legal, as in the game, and without unused channels."""
    if cfg.density_band is not None:
        raise Unsupported(
            f"an agent knows how many mines there are: measure it with a mine_count, not with density_band="
            f"{list(cfg.density_band)}"
        )
    return cfg.model_copy(
        update={
            "max_steps": min(cfg.max_steps, game.info.max_plies),
            **dict.fromkeys(Channels.model_fields, False),
            "frontier_mask": False,
            "reveal_only": False,
            "obs_dtype": "uint8",
        }
    )
