"""A training run that takes seconds."""

from pathlib import Path
from typing import Any

from ludex.games.minesweeper.learning.config import CONFIGS, MinesweeperConfig
from ludex.learn.config import dump_config, load_config
from ludex.learn.runs import Run

TINY: dict[str, Any] = {
    "device": "cpu",
    "model.width": 8,
    "model.depth": 3,
    "imitation.steps": 12,
    "imitation.batch_cells": 1152,
    "imitation.warmup_steps": 2,
    "imitation.games_per_chunk": 12,
    "imitation.chunks_ahead": 1,
    "imitation.steps_per_chunk": 3,
    "imitation.ring": 100,
    "imitation.log_every": 3,
    "imitation.checkpoint_every": 4,
    "imitation.eval_every": 12,
    "imitation.eval_games": 8,
    "ppo.num_envs": 8,
    "ppo.steps_per_env": 8,
    "ppo.mini_batches": 2,
    "ppo.ppo_epochs": 1,
    "ppo.frontier_mask_until_updates": 1,
    "finetune.updates": 4,
    "finetune.value_updates": 1,
    "finetune.checkpoint_every": 2,
    "finetune.eval_every": 4,
    "finetune.eval_games": 8,
}


def tiny(**changes: Any) -> MinesweeperConfig:
    return load_config(MinesweeperConfig, CONFIGS, "miniature", TINY | changes)


def new_run(folder: Path, config: MinesweeperConfig) -> Run:
    return Run.create(folder, "minesweeper", "miniature", dump_config(config))
