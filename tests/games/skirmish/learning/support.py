"""A training run so small that it takes seconds."""

from pathlib import Path
from typing import Any

from ludex.games.skirmish.learning.config import CONFIGS, SkirmishConfig
from ludex.learn.config import dump_config, load_config
from ludex.learn.runs import Run

TINY: dict[str, Any] = {
    "device": "cpu",
    "net": {"width": 8, "depth": 0, "attention_layers": 1, "placing_gain": 8.0},
    "imitation.games": 8,
    "imitation.steps": 60,
    "imitation.batch": 64,
    "imitation.log_every": 5,
    "curriculum": [{"presets": ["small"], "updates": 2}],
    "ppo.num_envs": 8,
    "ppo.steps_per_env": 32,
    "ppo.mini_batches": 2,
    "ppo.ppo_epochs": 1,
    "opponents.bots": 0.25,
    "opponents.past": 0.25,
    "opponents.names": ["aggressive", "objective"],
    "opponents.keep_every": 1,
    "evaluation.every": 2,
    "evaluation.games": 8,
    "evaluation.opponents": ["random", "aggressive"],
    "checkpoint_every": 20,
}


def tiny(**changes: Any) -> SkirmishConfig:
    return load_config(SkirmishConfig, CONFIGS, "miniature", {**TINY, **changes})


def new_run(folder: Path, config: SkirmishConfig) -> Run:
    return Run.create(folder, "skirmish", "tiny", dump_config(config))
