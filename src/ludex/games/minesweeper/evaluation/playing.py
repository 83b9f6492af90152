"""Playing the games of an evaluation: all at once where the agent can, else match by match."""

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludex.core.agent import AnyAgent
from ludex.core.decision import Decision
from ludex.core.limit import Limit
from ludex.core.match import Match, timed
from ludex.core.seeding import agent_stream, key_of
from ludex.games.minesweeper.agents.lane_agent import REST, LaneAgent
from ludex.games.minesweeper.config import EnvConfig
from ludex.games.minesweeper.evaluation.account import Account
from ludex.games.minesweeper.evaluation.played import Played
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.lanes.lanes import Lanes
from ludex.kernels.jit import kernel, to_word

SAFETY = "safety"
"""The term of a candidate that says how probable it is that the reveal is safe."""


def play_games(game: Minesweeper, agent: AnyAgent, cfg: EnvConfig, seeds: Sequence[int], limit: Limit) -> Played:
    """One game a seed. An agent that can play many boards at once does so, unless its thinking is limited."""
    unlimited = (limit.time_ms, limit.depth, limit.nodes, limit.simulations) == (None,) * 4
    if isinstance(agent, LaneAgent) and unlimited:
        return play_lanes(agent, cfg, seeds)
    return Played.joined([play_match(game, agent, cfg, seed, limit) for seed in seeds])


def play_lanes(agent: LaneAgent, cfg: EnvConfig, seeds: Sequence[int]) -> Played:
    """Every game in a lane of its own, side by side."""
    begin, thought = time.process_time(), 0.0
    lanes = Lanes(cfg, len(seeds), auto_reset=False)
    lanes.reset(seeds)
    account = Account(lanes)
    words, states = np.array(seeds, np.uint64), np.zeros(len(seeds), np.uint64)
    actions, safety = np.full(len(seeds), REST, np.int64), np.ones(len(seeds))
    while (live := account.live).any():
        _agent_states(words, lanes.plies, agent_stream(0), states)
        asked = time.perf_counter()
        agent.choose(lanes.numbers, live, states, actions, safety)
        thought += time.perf_counter() - asked
        account.play(live, actions, safety)
    return account.close(thought, time.process_time() - begin)


def play_match(game: Minesweeper, agent: AnyAgent, cfg: EnvConfig, seed: int, limit: Limit) -> Played:
    """One game through the contract, with a lane beside the match that keeps the account."""
    begin, thought = time.process_time(), 0.0
    lanes = Lanes(cfg, 1, auto_reset=False)
    lanes.reset([seed])
    account = Account(lanes)
    match = Match(game, seed)
    while not match.over and account.live[0]:
        decision, spent_ms = timed(match, agent, limit.renewed())
        thought += spent_ms / 1000
        action = REST if decision.resigns else decision.action
        account.play(account.live, np.array([action], np.int64), np.array([_safety(decision)]))
        match.carry_out(decision)
    return account.close(thought, time.process_time() - begin)


def _safety(decision: Decision) -> float:
    """What the agent says of its own move; NaN if it says nothing."""
    terms = (candidate.terms for candidate in decision.candidates if candidate.action == decision.action)
    return next(terms, {}).get(SAFETY, np.nan)


@kernel
def _agent_states(seeds: NDArray[np.uint64], plies: NDArray[np.int32], stream: int, states: NDArray[np.uint64]) -> None:
    """The generators that a match of each seed gives its agent for the coming ply."""
    for lane in range(len(seeds)):
        ply = to_word(plies[lane] + 1)
        states[lane] = key_of(seeds[lane], to_word(0), to_word(0), ply, to_word(stream))
