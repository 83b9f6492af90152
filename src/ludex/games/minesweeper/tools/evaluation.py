"""Measuring an agent's strength: the document's `evaluate`, and the same over workers for `ludex eval minesweeper`."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ludex.arena.statistics import wilson95
from ludex.core.agent import AnyAgent
from ludex.core.decision import Decision
from ludex.core.errors import Unsupported
from ludex.core.executor import Executor
from ludex.core.game import AnyGame, Json
from ludex.core.limit import Limit
from ludex.core.match import Match, time_decision
from ludex.core.registry import make, make_agent, resolve
from ludex.core.seeding import agent_stream, state_of, stream_key
from ludex.core.services import Services
from ludex.core.spec import Ref
from ludex.games.minesweeper.agents.decisions import SAFETY
from ludex.games.minesweeper.agents.solving import LaneAgent, LaneTurn
from ludex.games.minesweeper.env.buffers import COMPONENTS, REST
from ludex.games.minesweeper.env.config import FLAGGED, Channels, EnvConfig
from ludex.games.minesweeper.env.lanes import Lanes, game_seed
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.layout import FLAG, States, has_bit
from ludex.kernels.jit import kernel, to_word
from ludex.kernels.warmup import load_kernels

MOST_GAMES = 512
"""The most games of a task, which a lane agent plays side by side."""
TASKS = 64
"""Fewer games are cut into about as many tasks, so that an interruption loses little."""


@dataclass(slots=True)
class Played:
    """G games in the order of their numbers, one row per game."""

    won: NDArray[np.bool_]
    lost: NDArray[np.bool_]
    stopped: NDArray[np.bool_]
    """The agent gave up."""
    progress: NDArray[np.float64]
    """The share of the safe cells that was revealed at the end."""
    steps: NDArray[np.int64]
    invalid: NDArray[np.int64]
    """Steps that the mask forbade, and that changed nothing."""
    decisions: NDArray[np.int64]
    """Decisions the agent made: one more than its moves where it gave up."""
    guesses: NDArray[np.float64]
    """Reveals that were not proven safe; NaN where the agent did not say."""
    luck: NDArray[np.float64]
    """The product of the safeties of all reveals; NaN where the agent did not say."""
    rewards: NDArray[np.float64]
    """[G, 6]: the sums of the reward's components, in the order of `buffers.COMPONENTS`."""
    agent_seconds: NDArray[np.float64]
    """The agent's share of the wall time."""
    cpu_seconds: NDArray[np.float64]
    """The processor's time for agent and environment."""

    def __len__(self) -> int:
        return len(self.won)

    @classmethod
    def begin(cls, count: int) -> Self:
        """So many games before their first step."""
        return cls(
            won=np.zeros(count, np.bool_),
            lost=np.zeros(count, np.bool_),
            stopped=np.zeros(count, np.bool_),
            progress=np.zeros(count),
            steps=np.zeros(count, np.int64),
            invalid=np.zeros(count, np.int64),
            decisions=np.zeros(count, np.int64),
            guesses=np.zeros(count),
            luck=np.ones(count),
            rewards=np.zeros((count, len(COMPONENTS))),
            agent_seconds=np.zeros(count),
            cpu_seconds=np.zeros(count),
        )

    @classmethod
    def concatenate(cls, parts: Sequence[Self]) -> Self:
        """The games of all parts, one part after the other."""

        def column(name: str) -> Any:
            return np.concatenate([getattr(part, name) for part in parts])

        return cls(**{field.name: column(field.name) for field in fields(cls)})


class Account:
    """Sums over the steps of one game per lane, from the reset on."""

    def __init__(self, lanes: Lanes) -> None:
        self._lanes = lanes
        self._games = Played.begin(lanes.num_lanes)

    @property
    def live(self) -> NDArray[np.bool_]:
        """bool[N], a new array: the lanes whose games go on."""
        return ~(self._lanes.over | self._games.stopped)

    def play(self, live: NDArray[np.bool_], actions: NDArray[np.int64], safety: NDArray[np.float64]) -> None:
        """Step the live lanes, and record the results; the action `REST` gives up a live lane's game."""
        lanes, games = self._lanes, self._games
        actions[~live] = REST
        moving = actions != REST
        games.stopped |= live & ~moving
        lanes.step(actions)
        games.steps += moving
        games.invalid += lanes.invalid
        games.won |= lanes.won
        games.lost |= lanes.terminated & ~lanes.won
        games.rewards += lanes.components
        # A flag risks nothing, and neither does what the rules forbid.
        reveals = moving & ~lanes.invalid & (actions < lanes.cfg.cells)
        risked = np.where(reveals, safety, 1.0)
        games.luck *= risked
        games.guesses += np.where(np.isnan(risked), np.nan, risked < 1.0)

    def close(self, agent_seconds: float, cpu_seconds: float) -> Played:
        """The games as they are now, with the time shared out evenly."""
        lanes, games = self._lanes, self._games
        games.progress = lanes.opened / (lanes.cfg.cells - lanes.mines)
        games.decisions = games.steps + games.stopped
        games.agent_seconds += agent_seconds / len(games)
        games.cpu_seconds += cpu_seconds / len(games)
        return games


def figures(played: Played) -> dict[str, float]:
    """Everything by name; NaN where there is nothing to average, or where the agent did not say."""
    games, steps = len(played), int(played.steps.sum())
    win_rate = float(played.won.mean())
    low, high = wilson95(win_rate, games)
    return {
        "win_rate": win_rate,
        "ci95_low": low,
        "ci95_high": high,
        "avg_progress": float(played.progress.mean()),
        "steps_to_outcome": float(played.steps.mean()),
        "steps_to_win": _mean(played.steps[played.won]),
        "steps_to_loss": _mean(played.steps[played.lost]),
        "invalid_share": int(played.invalid.sum()) / steps if steps else 0.0,
        "guesses": float(played.guesses.mean()),
        "luck": float(played.luck.mean()),
        "stopped": float(played.stopped.mean()),
        **{f"reward_{name}": float(played.rewards[:, part].mean()) for part, name in enumerate(COMPONENTS)},
        "ms_per_game": 1000 * math.fsum(played.cpu_seconds) / games,
        "ms_per_move": 1000 * math.fsum(played.agent_seconds) / max(1, int(played.decisions.sum())),
    }


def _mean(values: NDArray[np.int64]) -> float:
    return float(values.mean()) if len(values) else math.nan


def play_games(game: Minesweeper, agent: AnyAgent, cfg: EnvConfig, seeds: Sequence[int], limit: Limit) -> Played:
    """One game per seed. An agent that can play many boards at once does so, unless its search is limited."""
    unlimited = (limit.time_ms, limit.depth, limit.nodes, limit.simulations) == (None,) * 4
    if isinstance(agent, LaneAgent) and unlimited:
        return play_lanes(agent, cfg, seeds)
    return Played.concatenate([play_match(game, agent, cfg, seed, limit) for seed in seeds])


@runtime_checkable
class ReadsFlags(Protocol):
    """A `LaneAgent` whose choice may depend on flags: a flagged cell's number is then `FLAGGED`."""

    reads_flags: bool


def play_lanes(agent: LaneAgent, cfg: EnvConfig, seeds: Sequence[int]) -> Played:
    """Every game in a lane of its own, side by side."""
    begin, agent_time = time.process_time(), 0.0
    lanes = Lanes(cfg, len(seeds), auto_reset=False)
    lanes.reset(seeds)
    account = Account(lanes)
    keys = np.array([stream_key(seed, agent_stream(0)) for seed in seeds], np.uint64)
    states = np.zeros(len(seeds), np.uint64)
    actions, safety = np.full(len(seeds), REST, np.int64), np.ones(len(seeds))
    while (live := account.live).any():
        _agent_states(keys, lanes.plies, states)
        started = time.perf_counter()
        numbers = lanes.numbers
        if isinstance(agent, ReadsFlags) and agent.reads_flags:
            numbers = np.where(has_bit(lanes.cells, FLAG), np.int8(FLAGGED), numbers)
        agent.choose(LaneTurn(numbers, live, states, actions, safety))
        start_cells = lanes.start_cells
        actions[start_cells >= 0], safety[start_cells >= 0] = start_cells[start_cells >= 0], 1.0
        agent_time += time.perf_counter() - started
        account.play(live, actions, safety)
    return account.close(agent_time, time.process_time() - begin)


def play_match(game: Minesweeper, agent: AnyAgent, cfg: EnvConfig, seed: int, limit: Limit) -> Played:
    """One game through the contract, with a lane beside the match that keeps the account."""
    begin, agent_time = time.process_time(), 0.0
    lanes = Lanes(cfg, 1, auto_reset=False)
    lanes.reset([seed])
    account = Account(lanes)
    match = Match(game, seed)
    while not match.over and account.live[0]:
        decision, spent_ms = time_decision(match, agent, limit.renew())
        agent_time += spent_ms / 1000
        action = REST if decision.resigns else decision.action
        account.play(account.live, np.array([action], np.int64), np.array([_safety(decision)]))
        match.carry_out(decision)
    return account.close(agent_time, time.process_time() - begin)


def _safety(decision: Decision) -> float:
    """The safety the agent reports for its own move; NaN if it reports none."""
    terms = (candidate.terms for candidate in decision.candidates if candidate.action == decision.action)
    return next(terms, {}).get(SAFETY, np.nan)


@kernel
def _agent_states(keys: NDArray[np.uint64], plies: NDArray[np.int32], states: States) -> None:
    """The generators that each match gives its agent for the coming ply; `keys` are those of the agent's stream."""
    for lane in range(len(keys)):
        states[lane] = state_of(keys[lane], to_word(0), to_word(0), to_word(plies[lane] + 1))


@dataclass(frozen=True, slots=True)
class EvaluationTask:
    """Some games of an evaluation, for one worker."""

    game: str
    preset: str
    agent: str
    cfg: EnvConfig
    seed: int
    limit: Limit
    services: Ref | None
    first: int
    """The number of its first game."""
    games: int


def chunks(games: int) -> Iterator[tuple[int, int]]:
    """The first game and the number of games of each task."""
    size = max(1, min(MOST_GAMES, games // TASKS))
    for first in range(0, games, size):
        yield first, min(size, games - first)


def play_task(task: EvaluationTask) -> Played:
    """Play a task's games. The same task gives the same games in any process."""
    game = make(task.game, task.preset)
    assert isinstance(game, Minesweeper)
    load_kernels(task.game)
    services: Services | None = None if task.services is None else resolve(task.services)()
    agent = make_agent(game, task.agent, services)
    seeds = [game_seed(task.seed, task.first + number) for number in range(task.games)]
    return play_games(game, agent, task.cfg, seeds, task.limit)


def evaluate(agent: AnyAgent | str, env_cfg: EnvConfig, episodes: int = 1000, seed: int = 0) -> dict[str, float]:
    """Let an agent, or the one a reference names, play `episodes` games, and average the results.

    Board, rewards and `max_steps` are the configuration's; what it shows and masks does not matter, for an agent sees
    the game. Game g is `Match(game, game_seed(seed, g))`. Unknown figures are NaN.
    """
    if episodes < 1:
        raise ValueError(f"episodes must be at least 1, found {episodes}")
    game = make("minesweeper", **env_cfg.board().model_dump())
    assert isinstance(game, Minesweeper)
    player = make_agent(game, agent) if isinstance(agent, str) else agent
    return figures(_play_all(game, player, _agent_config(game, env_cfg), episodes, seed))


def games_won(game: Minesweeper, agent: str, games: int, seed: int) -> NDArray[np.bool_]:
    """bool[games]: which games of an evaluation of this seed the agent of a reference wins."""
    return _play_all(
        game, make_agent(game, agent), _agent_config(game, EnvConfig.of_board(game.options)), games, seed
    ).won


def _play_all(game: Minesweeper, player: AnyAgent, cfg: EnvConfig, games: int, seed: int) -> Played:
    load_kernels(game.info.id)
    seeds = [game_seed(seed, number) for number in range(games)]
    return Played.concatenate(
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
    cfg = _agent_config(game, EnvConfig.of_board(game.options))
    info = game.info

    tasks = (EvaluationTask(info.id, info.preset, agent, cfg, seed, limit, services, *part) for part in chunks(games))
    finished: dict[int, Played] = {}
    interrupted = False
    results = executor.run(play_task, tasks)
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
    played = Played.concatenate([finished[index] for index in sorted(finished)])
    numbers = figures(played)
    interval: list[Json] = [numbers.pop("ci95_low"), numbers.pop("ci95_high")]
    known: dict[str, Json] = {name: None if math.isnan(value) else value for name, value in numbers.items()}
    return {"games": len(played), "ci95": interval, **known, "interrupted": interrupted}


def _agent_config(game: Minesweeper, cfg: EnvConfig) -> EnvConfig:
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
            "keep_flags": False,
            "obs_dtype": "uint8",
        }
    )
