"""The environments and solvers used as comparison in benchmarks, each as work that can be timed.

All place their mines before the first reveal, anywhere, and have no flags.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import module
from ludex.core.errors import MissingDependency
from ludex.games.minesweeper.rules.layout import HIDDEN

PACKAGES: Final = ("jumanji", "jax", "minesweeper-env-rl", "ms_toollib")
RL_COMMAND: Final = "pip install --no-deps minesweeper-env-rl==0.9.0"
TURNS: Final = 16
"""Steps of all lanes in one compiled call."""
TOOLLIB_HIDDEN: Final = 10
"""What ms_toollib writes for a hidden cell."""


def jumanji_play(rows: int, cols: int, mines: int, lanes: int) -> Callable[[], int]:
    """Random legal reveals in Jumanji, in its own wrapper that resets finished boards."""
    jax = module("jax")
    folder = "jumanji.environments.logic.minesweeper"
    env_module = module(f"{folder}.env")
    generator = module(f"{folder}.generator").UniformSamplingGenerator
    wrapper = module("jumanji.wrappers").VmapAutoResetWrapper
    jax.config.update("jax_platforms", "cpu")
    env = wrapper(env_module.Minesweeper(generator=generator(rows, cols, mines)))

    def turn(carry: Any, key: Any) -> Any:
        state, mask = carry
        cell = _legal_cell(jax, mask.reshape(lanes, -1), key)
        state, step = env.step(state, jax.numpy.stack([cell // cols, cell % cols], axis=-1))
        return (state, step.observation.action_mask), step.reward

    state, first = jax.jit(env.reset)(jax.random.split(jax.random.key(0), lanes))
    return _rollout(jax, turn, (state, first.observation.action_mask), lanes)


def batched_rl_play(rows: int, cols: int, mines: int, lanes: int) -> Callable[[], int]:
    """Random legal reveals in minesweeper-env-rl, which has flood fill; only finished boards are reset.

    Version 0.9.0 is the last with this batched environment. The newest, 0.12.0, steps one board in plain Python and is
    slower by an order of magnitude. Both pin every package they use, so that it is installed without them.
    """
    jax = module("jax")
    batched = module("minesweeper_env_rl.env", RL_COMMAND)
    if not hasattr(batched, "MinesweeperJAX"):
        raise MissingDependency(
            f"this version of minesweeper-env-rl has no batched environment; 0.9.0 has it: {RL_COMMAND}"
        )
    jax.config.update("jax_platforms", "cpu")
    env = batched.MinesweeperJAX(H=rows, W=cols, n_mines=mines)

    def renewed(lane: Any) -> Any:
        ended, key, placed, numbers = lane
        return jax.lax.cond(ended, lambda: _first_of(env.reset(key, batch_size=1)), lambda: (placed, numbers))

    def turn(state: Any, key: Any) -> Any:
        choosing, placing = jax.random.split(key)
        state, reward, done = env.step(state, _legal_cell(jax, env.action_mask(state), choosing))
        placed, numbers = jax.lax.map(renewed, (done, jax.random.split(placing, lanes), state.mines, state.numbers))
        going = ~done[:, None, None]
        state = batched.MinesState(
            mines=placed,
            revealed=state.revealed & going,
            flagged=state.flagged & going,
            numbers=numbers,
            done=state.done & ~done,
            rng_key=state.rng_key,
        )
        # The sum keeps the compiler from leaving the observation out.
        return state, reward.sum() + env.observe(state).sum()

    return _rollout(jax, turn, env.reset(jax.random.key(0), batch_size=lanes), lanes)


def toollib_probabilities(positions: Sequence[NDArray[np.int8]], mines: int) -> Callable[[], int]:
    """The same positions through ms_toollib, each converted to the lists it expects."""
    count = module("ms_toollib").cal_probability_onboard
    boards = [np.where(numbers == HIDDEN, TOOLLIB_HIDDEN, numbers).tolist() for numbers in positions]

    def work() -> int:
        for board in boards:
            count(board, mines)
        return len(boards)

    return work


def _legal_cell(jax: Any, mask: Any, key: Any) -> Any:
    """A uniformly random legal cell per lane, in the cheapest way found."""
    counted = jax.numpy.cumsum(mask, axis=1)
    rank = jax.numpy.floor(jax.random.uniform(key, (len(mask),)) * counted[:, -1])
    return jax.numpy.argmax(counted > rank[:, None], axis=1)


def _first_of(state: Any) -> Any:
    return state.mines[0], state.numbers[0]


def _rollout(jax: Any, turn: Callable[[Any, Any], Any], state: Any, lanes: int) -> Callable[[], int]:
    """Many turns in one compiled call."""

    def turns(state: Any, key: Any) -> Any:
        key, using = jax.random.split(key)
        state, rewards = jax.lax.scan(turn, state, jax.random.split(using, TURNS))
        return state, key, rewards.sum()

    compiled = jax.jit(turns)
    carry = [state, jax.random.key(1)]

    def work() -> int:
        carry[0], carry[1], total = compiled(*carry)
        total.block_until_ready()
        return TURNS * lanes

    return work
