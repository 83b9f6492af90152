"""The games of an evaluation: played in lanes where the agent can, else match by match, and their figures."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ludex.arena.statistics import wilson95
from ludex.core.agent import AnyAgent
from ludex.core.decision import Decision
from ludex.core.limit import Limit
from ludex.core.match import Match, timed
from ludex.core.seeding import agent_stream, state_of, stream_key
from ludex.games.minesweeper.agents.lane_agent import REST, LaneAgent
from ludex.games.minesweeper.env.buffers import COMPONENTS
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.lanes import Lanes
from ludex.games.minesweeper.game import Minesweeper
from ludex.kernels.jit import kernel, to_word


@dataclass(frozen=True, slots=True)
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
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The games of all parts, one part after the other."""

        def column(name: str) -> Any:
            return np.concatenate([getattr(part, name) for part in parts])

        return cls(**{field.name: column(field.name) for field in fields(cls)})


class Account:
    """Sums over the steps of one game per lane, from the reset on."""

    def __init__(self, lanes: Lanes) -> None:
        count = lanes.num_lanes
        self._lanes = lanes
        self._won = np.zeros(count, np.bool_)
        self._lost = np.zeros(count, np.bool_)
        self._stopped = np.zeros(count, np.bool_)
        self._steps = np.zeros(count, np.int64)
        self._invalid = np.zeros(count, np.int64)
        self._guesses = np.zeros(count)
        self._luck = np.ones(count)
        self._rewards = np.zeros((count, len(COMPONENTS)))

    @property
    def live(self) -> NDArray[np.bool_]:
        """bool[N], a new array: the lanes whose games go on."""
        return ~(self._lanes.over | self._stopped)

    def play(self, live: NDArray[np.bool_], actions: NDArray[np.int64], safety: NDArray[np.float64]) -> None:
        """Step the live lanes, and record the results; the action `REST` gives up a live lane's game."""
        lanes = self._lanes
        actions[~live] = REST
        moving = actions != REST
        self._stopped |= live & ~moving
        lanes.step(actions)
        self._steps += moving
        self._invalid += lanes.invalid
        self._won |= lanes.won
        self._lost |= lanes.terminated & ~lanes.won
        self._rewards += lanes.components
        # A flag risks nothing, and neither does what the rules forbid.
        reveals = moving & ~lanes.invalid & (actions < lanes.cfg.cells)
        risked = np.where(reveals, safety, 1.0)
        self._luck *= risked
        self._guesses += np.where(np.isnan(risked), np.nan, risked < 1.0)

    def close(self, agent_seconds: float, cpu_seconds: float) -> Played:
        """The games as they are now, with the time shared out evenly."""
        lanes, count = self._lanes, self._lanes.num_lanes
        return Played(
            won=self._won,
            lost=self._lost,
            stopped=self._stopped,
            progress=lanes.opened / (lanes.cfg.cells - lanes.mines),
            steps=self._steps,
            invalid=self._invalid,
            decisions=self._steps + self._stopped,
            guesses=self._guesses,
            luck=self._luck,
            rewards=self._rewards,
            agent_seconds=np.full(count, agent_seconds / count),
            cpu_seconds=np.full(count, cpu_seconds / count),
        )


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


SAFETY = "safety"
"""The term of a candidate that says how probable it is that the reveal is safe."""


def play_games(game: Minesweeper, agent: AnyAgent, cfg: EnvConfig, seeds: Sequence[int], limit: Limit) -> Played:
    """One game per seed. An agent that can play many boards at once does so, unless its search is limited."""
    unlimited = (limit.time_ms, limit.depth, limit.nodes, limit.simulations) == (None,) * 4
    if isinstance(agent, LaneAgent) and unlimited:
        return play_lanes(agent, cfg, seeds)
    return Played.joined([play_match(game, agent, cfg, seed, limit) for seed in seeds])


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
        agent.choose(lanes.numbers, live, states, actions, safety)
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
        decision, spent_ms = timed(match, agent, limit.renewed())
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
def _agent_states(keys: NDArray[np.uint64], plies: NDArray[np.int32], states: NDArray[np.uint64]) -> None:
    """The generators that each match gives its agent for the coming ply; `keys` are those of the agent's stream."""
    for lane in range(len(keys)):
        states[lane] = state_of(keys[lane], to_word(0), to_word(0), to_word(plies[lane] + 1))
