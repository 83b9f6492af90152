"""Our environment and solver beside Jumanji, minesweeper-env-rl and ms_toollib, each as work that can be timed.

The peers place their mines before the first reveal, anywhere, and have no flags.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import module, with_peers
from ludex.core.bench import BenchRow, rates
from ludex.core.errors import MissingDependency
from ludex.core.registry import make, make_agent
from ludex.games.minesweeper.agents.solving import LaneAgent, LaneTurn
from ludex.games.minesweeper.env.buffers import REST
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.lanes import Lanes, game_seed
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.inference.probabilities import mine_probabilities
from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.games.minesweeper.tools.evaluation import play_lanes
from ludex.games.minesweeper.tools.profile import RandomPlay
from ludex.kernels.jit import most_threads

PACKAGES: Final = ("jumanji", "jax", "minesweeper-env-rl", "ms_toollib")
RL_COMMAND: Final = "pip install --no-deps minesweeper-env-rl==0.9.0"
TURNS: Final = 16
"""Steps of all lanes in one compiled call."""
TOOLLIB_HIDDEN: Final = 10
"""What ms_toollib writes for a hidden cell."""
JUMANJI: Final = "Jumanji, jit, no flood fill"
BATCHED_RL: Final = "minesweeper-env-rl 0.9.0, jit"
TOOLLIB: Final = "ms_toollib"
STEPS: Final = "steps per CPU-second"
LANES: Final = (256, 1024)
PEER_LANES: Final = 256
GAMES: Final = 32
"""Games of one measured call of the solver."""


class Size(NamedTuple):
    """A board."""

    rows: int
    cols: int
    mines: int

    def __str__(self) -> str:
        return "x".join(map(str, self))

    def config(self, **changes: Any) -> EnvConfig:
        return EnvConfig(H=self.rows, W=self.cols, mine_count=self.mines, obs_dtype="uint8", **changes)


JUMANJIS: Final = Size(10, 10, 10)
EXPERTS: Final = Size(16, 30, 99)
SIZES: Final = (Size(8, 8, 10), JUMANJIS, Size(16, 16, 40), EXPERTS)
SOLVED: Final = (Size(9, 9, 10), Size(16, 16, 40), EXPERTS)
LIKE_PEERS: Final = {"reveal_only": True, "guarantee_safe_neighborhood": False, "first_click_safe": False}
"""The game that the peers have: no flags, and mines anywhere."""


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


def bench(seconds: float) -> list[BenchRow]:
    """Random legal actions with auto-reset, whole games of the expert, and exact probabilities.

    Drawing the actions belongs to the steps, ours and the peers'. Ours are those of the default environment, flags
    and a zero at the first reveal included, with uint8 observations; `like the peer` has its game, without both.
    All but the rows of several threads are measured on one core, in CPU-seconds of the whole process: JAX uses more
    threads than one, which get in each other's way otherwise.
    """
    with _one_core():
        alone = [*_steps(seconds), *_games(seconds), *_probabilities(seconds)]
    return [*alone, *_steps_on_all_threads(seconds)]


@contextmanager
def _one_core() -> Iterator[None]:
    """Keep this thread, and those it begins, to one core, where the system has a say in it."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def _steps(seconds: float) -> list[BenchRow]:
    peers: dict[Size, tuple[str, Callable[[], Callable[[], int]]]] = {
        JUMANJIS: (JUMANJI, lambda: jumanji_play(*JUMANJIS, PEER_LANES)),
        EXPERTS: (BATCHED_RL, lambda: batched_rl_play(*EXPERTS, PEER_LANES)),
    }
    works = {f"{size}, {lanes} lanes": RandomPlay(size.config(), lanes).play for size in SIZES for lanes in LANES}
    for size in peers:
        works[f"{size}, {PEER_LANES} lanes, like the peer"] = RandomPlay(size.config(**LIKE_PEERS), PEER_LANES).play
    measured = rates(with_peers(works, dict(peers.values())), seconds)
    beside = {f"{size}, {PEER_LANES} lanes": peer for size, (peer, _) in peers.items()}
    rows = []
    for name in works:
        peer = beside.get(name.removesuffix(", like the peer"))
        theirs = () if peer is None else (measured.get(peer), peer)
        rows.append(BenchRow(f"{name}, one thread", STEPS, measured[name], *theirs))
    return rows


def _steps_on_all_threads(seconds: float) -> list[BenchRow]:
    threads = most_threads()
    unit = f"steps per second of the clock, {threads} threads"
    works = {
        f"{size}, {lanes} lanes": RandomPlay(size.config(), lanes, threads).play for size in SIZES for lanes in LANES
    }
    return [BenchRow(name, unit, rate.wall) for name, rate in rates(works, seconds).items()]


def _games(seconds: float) -> list[BenchRow]:
    """Whole games, the steps of the environment included, won or lost."""
    games = rates({f"expert on {size}": _expert(size) for size in SOLVED}, seconds)
    return [
        row
        for name, rate in games.items()
        for row in (
            BenchRow(name, "games per CPU-second", rate),
            BenchRow(name, "CPU-microseconds a game", 1e6 / rate),
        )
    ]


def _expert(size: Size) -> Callable[[], int]:
    agent = make_agent(_game(size), "expert")
    assert isinstance(agent, LaneAgent)
    cfg, parts = size.config(), iter(range(1 << 62))

    def work() -> int:
        part = next(parts)
        play_lanes(agent, cfg, [game_seed(part, number) for number in range(GAMES)])
        return GAMES

    return work


def _probabilities(seconds: float) -> list[BenchRow]:
    positions = _mid_games(EXPERTS)
    ours = partial(_assess, positions, EXPERTS.mines)
    peer = {TOOLLIB: lambda: toollib_probabilities(positions, EXPERTS.mines)}
    measured = rates(with_peers({"ours": ours}, peer), seconds)
    name = f"mine probabilities, {len(positions)} positions in the middle of {EXPERTS}"
    return [BenchRow(name, "positions per CPU-second", measured["ours"], measured.get(TOOLLIB), TOOLLIB)]


def _assess(positions: list[NDArray[np.int8]], mines: int) -> int:
    for numbers in positions:
        mine_probabilities(numbers, mines)
    return len(positions)


def _mid_games(size: Size) -> list[NDArray[np.int8]]:
    """What the exact player sees of some games when a third of the safe cells is revealed, and when two thirds are."""
    agent = make_agent(_game(size), "exact")
    assert isinstance(agent, LaneAgent)
    lanes = Lanes(size.config(), GAMES, auto_reset=False)
    lanes.reset([game_seed(0, number) for number in range(GAMES)])
    states, safety = np.zeros(GAMES, np.uint64), np.ones(GAMES)
    actions, before = np.zeros(GAMES, np.int64), np.zeros(GAMES)
    positions = []
    while not lanes.over.all():
        actions[:] = REST
        agent.choose(LaneTurn(lanes.numbers, ~lanes.over, states, actions, safety))
        lanes.step(actions)
        opened = lanes.opened / (size.rows * size.cols - size.mines)
        passed = np.floor(3 * opened) > np.floor(3 * before)
        positions += [lanes.numbers[lane].copy() for lane in np.flatnonzero(passed & ~lanes.over)]
        before[:] = opened
    return positions


def _game(size: Size) -> Minesweeper:
    game = make("minesweeper", rows=size.rows, cols=size.cols, mines=size.mines)
    assert isinstance(game, Minesweeper)
    return game
