"""Calls that compile Minesweeper's kernels."""

from functools import partial

import numpy as np

from ludex.core.match import play
from ludex.core.registry import make, make_agent
from ludex.core.seeding import generator
from ludex.games.minesweeper.agents.solving import LaneAgent
from ludex.games.minesweeper.env.config import Dtype, EnvConfig
from ludex.games.minesweeper.env.env import MinesweeperEnv
from ludex.games.minesweeper.env.lanes import Lanes
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.learning.demonstrations import ExampleTask, make_examples
from ludex.games.minesweeper.options import BoardOptions
from ludex.games.minesweeper.rules.no_guess import no_guess_board
from ludex.games.minesweeper.rules.three_bv import three_bv
from ludex.games.minesweeper.tools.evaluation import play_lanes
from ludex.kernels.jit import most_threads
from ludex.kernels.warmup import Warmup, step_batch

AGENTS = ("rules", "heuristic", "exact", "expert")


def warmup() -> Warmup:
    """Each kernel's name, with a call that runs it on the types it is used with."""
    dtypes: tuple[Dtype, ...] = ("uint8", "float16", "float32")
    return Warmup(
        player={
            "game": _play,
            **{name: partial(_agent, name) for name in AGENTS if name != "expert"},
            "3BV": lambda: three_bv(np.zeros((2, 2), np.bool_)),
        },
        agents={"expert": partial(_agent, "expert")},
        on_demand={
            "batch": lambda: step_batch(make("minesweeper")),
            **{f"lanes {dtype}": partial(_lanes, dtype, 1) for dtype in dtypes},
            **{f"lanes {dtype} in parallel": partial(_lanes, dtype, 2) for dtype in dtypes},
            "environment": lambda: MinesweeperEnv(EnvConfig(), 0).adjacent_counts,
            "boards without guesses": lambda: no_guess_board(BoardOptions.model_validate({}), 0, generator(0, 1)),
            **{f"{name} on many boards": partial(_agent_in_lanes, name) for name in AGENTS},
            "training data": lambda: make_examples(
                ExampleTask(EnvConfig.of_board(_crowded_game().options), seed=0, games=1)
            ),
            "forced moves": lambda: make_examples(
                ExampleTask(EnvConfig.of_board(_crowded_game().options), 0, 1, "forced_moves")
            ),
        },
    )


def _play() -> None:
    game = make("minesweeper", random_first_click=True)
    assert isinstance(game, Minesweeper)
    state = game.initial(generator(0, 0))
    game.load(game.dump(game.apply(state, int(game.legal(state).argmax()), generator(0, 1))))


def _lanes(dtype: Dtype, threads: int) -> None:
    lanes = Lanes(EnvConfig(obs_dtype=dtype), 2, threads=min(threads, most_threads()))
    lanes.reset(0)
    lanes.set_frontier_mask(True)
    lanes.step(np.zeros(2, np.int64))
    _ = lanes.final_obs


def _crowded_game() -> Minesweeper:
    """A board where rules prove little, so that an agent that can guess must."""
    game = make("minesweeper", mines=20)
    assert isinstance(game, Minesweeper)
    return game


def _agent(name: str) -> None:
    game = _crowded_game()
    play(game, [make_agent(game, name)], seed=0)


def _agent_in_lanes(name: str) -> None:
    game = _crowded_game()
    agent = make_agent(game, name)
    assert isinstance(agent, LaneAgent)
    play_lanes(agent, EnvConfig.of_board(game.options), [0])
