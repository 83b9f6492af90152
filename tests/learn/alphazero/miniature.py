"""A run of the learner in seconds: tic-tac-toe with a tiny network and few games."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ludex.core.registry import refresh, spec
from ludex.core.source_package import register
from ludex.learn.alphazero.config import AlphaZeroConfig, complete
from ludex.learn.config import dump_config, load_config
from ludex.learn.runs import Run

CONFIGS = "ludex.learn.alphazero.configs"
SMALL: dict[str, Any] = {
    "minutes": None,
    "iterations": 6,
    "synchronous": True,
    "device": "cpu",
    "workers": 0,
    "checkpoint_every": 2,
    "net.channels": 8,
    "net.blocks": 1,
    "search.simulations": 8,
    "search.threads": 1,
    "self_play.games": 32,
    "self_play.plies": 9,
    "self_play.demonstrations": 0.0,
    "learning.batch": 64,
    "learning.passes": 2.0,
    "learning.window": 4000,
    "learning.warmup_steps": 5,
    "evaluation.every": 100,
    "evaluation.games": 16,
    "evaluation.simulations": 8,
}


DICE_GAMES = Path(__file__).parents[3] / "benchmarks" / "dice_games"


@pytest.fixture
def dice_games() -> Iterator[None]:
    """Pig and 2048 are known games."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [*sys.path])
        patch.setenv("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
        register(DICE_GAMES)
        yield
    refresh()


def small_config(game: str = "tictactoe", **changes: Any) -> AlphaZeroConfig:
    """The configuration of a miniature; keys of sections are written with two underscores."""
    options = {key.replace("__", "."): value for key, value in changes.items()}
    return complete(spec(game), load_config(AlphaZeroConfig, CONFIGS, "alphazero", {**SMALL, **options}))


def small_run(folder: Path, config: AlphaZeroConfig, game: str = "tictactoe") -> Run:
    return Run.create(folder, game, "alphazero", dump_config(config))
