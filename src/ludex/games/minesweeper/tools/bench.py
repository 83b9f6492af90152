"""Steps of the environment and the solver's speed, beside Jumanji, minesweeper-env-rl and ms_toollib; and `profile`.

What plays these peers is part of the repository, not of the package: see `benchmarks/peers/minesweeper.py`.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Annotated, Any, Final, Literal, NamedTuple

import numpy as np
import typer
from numpy.typing import NDArray

from ludex.core.bench import BenchRow, rates, with_peers
from ludex.core.registry import make, make_agent
from ludex.core.seeding import CHANCE
from ludex.core.verb import VerbResult
from ludex.games.minesweeper.agents.solving import LaneAgent, LaneTurn
from ludex.games.minesweeper.env.buffers import REST
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.lanes import Lanes, game_seed
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.inference.probabilities import mine_probabilities
from ludex.games.minesweeper.tools.evaluation import play_lanes
from ludex.kernels.jit import most_threads
from ludex.kernels.sampling import RandomActions

LEAST_STEPS: Final = 20_000
"""The fewest steps of one measured call, so that reading the clock costs little."""


class RandomPlay:
    """Lanes played with random legal actions; a lane that ends is reset."""

    def __init__(self, cfg: EnvConfig, num_lanes: int, threads: int = 1) -> None:
        self._lanes = Lanes(cfg, num_lanes, threads=threads)
        self._sampler = RandomActions(num_lanes, 0, CHANCE)
        self._turns = -(-LEAST_STEPS // num_lanes)
        self._lanes.reset(0)

    def play(self) -> int:
        """Draw actions and step; returns the steps."""
        lanes, draw = self._lanes, self._sampler.draw
        for _ in range(self._turns):
            lanes.step(draw(lanes.mask))
        return self._turns * lanes.num_lanes

    def draw(self) -> int:
        """Only draw the actions, the same number, from the current masks."""
        lanes, draw = self._lanes, self._sampler.draw
        for _ in range(self._turns):
            draw(lanes.mask)
        return self._turns * lanes.num_lanes


def wall_rate(work: Callable[[], int], seconds: float) -> float:
    """Units per second of wall time, for work that several threads share."""
    work()
    done, begin = 0, time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds:
        done += work()
    return done / spent


def profile(
    board: Any,
    *,
    lanes: Annotated[int, typer.Option(min=1, max=65_536, help="boards side by side")] = 1024,
    threads: Annotated[int, typer.Option(min=1, help="threads that step them")] = 1,
    dtype: Annotated[Literal["uint8", "float16", "float32"], typer.Option(help="type of observations")] = "float32",
    flags: Annotated[bool, typer.Option(help="whether actions include flags")] = True,
    seconds: Annotated[float, typer.Option(min=0.01, help="CPU seconds for each measurement")] = 1.0,
) -> VerbResult:
    """Measure the vector environment under random legal actions: whole steps, and what drawing the actions takes."""
    from rich.console import Group
    from rich.table import Table

    from ludex.core.bench import rates
    from ludex.core.errors import BadOption
    from ludex.games.minesweeper.env.config import EnvConfig
    from ludex.kernels.jit import most_threads

    if threads > most_threads():
        raise BadOption(f"--threads: at most {most_threads()} on this machine, found {threads}")
    cfg = EnvConfig.of_board(board.options, obs_dtype=dtype, reveal_only=not flags)
    play = RandomPlay(cfg, lanes, threads)
    measured = rates({"steps": play.play, "sampling": play.draw}, seconds)
    whole, sampling = 1 / measured["steps"], 1 / measured["sampling"]
    document = {
        "game": board.info.id,
        "preset": board.info.preset,
        "lanes": lanes,
        "threads": threads,
        "dtype": dtype,
        "flags": flags,
        "steps_per_cpu_second": measured["steps"],
        "steps_per_second": wall_rate(play.play, seconds),
        "ns_per_step": 1e9 * whole,
        "sampling_ns": 1e9 * sampling,
        "stepping_ns": 1e9 * (whole - sampling),
    }

    def render() -> Group:
        table = Table(box=None, show_header=False)
        table.add_column(style="dim")
        table.add_column(justify="right")
        for name, unit in _UNITS.items():
            table.add_row(unit, f"{document[name]:,.0f}")
        return Group(f"{board.info.preset}, {lanes} lanes, {threads} threads, {dtype}", table)

    return VerbResult(document, render)


_UNITS = {
    "steps_per_cpu_second": "steps per CPU-second",
    "steps_per_second": "steps per second of the clock",
    "ns_per_step": "CPU nanoseconds a step",
    "sampling_ns": "of them drawing the action",
    "stepping_ns": "of them stepping",
}


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
    peers: dict[Size, tuple[str, Callable[[Any], Callable[[], int]]]] = {
        JUMANJIS: (JUMANJI, lambda peers: peers.jumanji_play(*JUMANJIS, PEER_LANES)),
        EXPERTS: (BATCHED_RL, lambda peers: peers.batched_rl_play(*EXPERTS, PEER_LANES)),
    }
    works = {f"{size}, {lanes} lanes": RandomPlay(size.config(), lanes).play for size in SIZES for lanes in LANES}
    for size in peers:
        works[f"{size}, {PEER_LANES} lanes, like the peer"] = RandomPlay(size.config(**LIKE_PEERS), PEER_LANES).play
    measured = rates(with_peers("minesweeper", works, dict(peers.values())), seconds)
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
    return [
        BenchRow(f"{size}, {lanes} lanes", unit, wall_rate(RandomPlay(size.config(), lanes, threads).play, seconds))
        for size in SIZES
        for lanes in LANES
    ]


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
    peer = {TOOLLIB: lambda peers: peers.toollib_probabilities(positions, EXPERTS.mines)}
    measured = rates(with_peers("minesweeper", {"ours": ours}, peer), seconds)
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
