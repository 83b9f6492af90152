"""The training runs of the milestones, and the configuration of each."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from ludex.games.minesweeper.learning.config import CONFIGS, MinesweeperConfig
from ludex.games.minesweeper.learning.training import NET
from ludex.learn.config import load_config

BAND = [0.12, 0.20]
BANDED = [
    {"H": 8, "W": 8, "mine_count": 10, "weight": 1.0, "density_band": BAND},
    {"H": 16, "W": 16, "mine_count": 40, "weight": 1.0, "density_band": BAND},
]
TUNED: dict[str, Any] = {"ppo.lr": 1e-4, "ppo.ent_coef": 0.001, "finetune.value_updates": 5}
"""M3's "tune entropy/lr", for PPO from an imitated policy."""


@dataclass(frozen=True)
class Part:
    """One training run of a milestone."""

    name: str
    milestone: str
    title: str
    config: str
    stage: str
    share: float
    """Of the minutes."""
    boards: tuple[str, ...]
    """Presets on which it is judged."""
    changes: dict[str, Any] = field(default_factory=dict)
    after: str | None = None
    """The part whose network it begins with."""

    def command(self, changes: dict[str, Any]) -> str:
        """What a person types for the same run."""
        named = {**changes, **({} if self.after is None else {"start_from": f"runs/{self.after}/{NET}"})}
        sets = " ".join(f"--set '{key}={json.dumps(value)}'" for key, value in named.items())
        return f"ludex train minesweeper --config {self.config} --stage {self.stage} {sets}"


PARTS = (
    Part("m1-ppo", "M1", "PPO from scratch", "small_8x8_10", "ppo", 0.17, ("small",)),
    Part(
        "m1-ppo-reveals",
        "M1",
        "PPO from scratch, without flags",
        "small_8x8_10",
        "ppo",
        0.17,
        ("small",),
        {"env.reveal_only": True},
    ),
    Part("m2-il", "M2", "imitation of forced moves", "small_8x8_10", "il", 0.08, ("small",)),
    Part("m2-il-ppo", "M2", "imitation, then PPO", "small_8x8_10", "ppo", 0.12, ("small",), TUNED, "m2-il"),
    Part("m3-il", "M3", "imitation, 12-20 % mines", "med_16x16_40", "il", 0.1, ("small", "med"), {"boards": BANDED}),
    Part(
        "m3-curriculum",
        "M3",
        "then PPO with the curriculum, 12-20 % mines",
        "med_16x16_40",
        "ppo",
        0.13,
        ("small", "med"),
        {**TUNED, "boards": BANDED},
        "m3-il",
    ),
    Part("m3-expert-il", "M3", "imitation", "expert_16x30_99", "il", 0.1, ("small", "med", "expert")),
    Part(
        "m3-expert",
        "M3",
        "then PPO with the curriculum",
        "expert_16x30_99",
        "ppo",
        0.13,
        ("small", "med", "expert"),
        TUNED,
        "m3-expert-il",
    ),
)
MINES = {
    "m2-il": ("small", 2000),
    "m2-il-ppo": ("small", 2000),
    "m3-il": ("med", 1000),
    "m3-expert-il": ("expert", 400),
}
"""The networks whose mine heads M4 judges, with the board and at least how many states."""
MINIATURE: dict[str, Any] = {
    "model.width": 8,
    "imitation.batch_cells": 2048,
    "imitation.games_per_chunk": 8,
    "imitation.chunks_ahead": 1,
    "imitation.ring": 2000,
    "ppo.num_envs": 8,
    "ppo.steps_per_env": 8,
    "ppo.mini_batches": 2,
    "ppo.ppo_epochs": 1,
}
"""What --miniature changes everywhere, to try the script itself in a minute on a CPU."""
TINY = [
    {"H": 6, "W": 6, "mine_count": 4, "weight": 1.0, "density_band": [0.1, 0.15]},
    {"H": 8, "W": 8, "mine_count": 8, "weight": 1.0},
]
"""The boards of its curricula; its networks play `small` alone."""


@dataclass(frozen=True)
class Settings:
    """What was asked for."""

    work: Path
    out: Path
    device: torch.device
    seconds: float
    workers: int
    games: int
    miniature: bool


def config_of(part: Part, settings: Settings, changes: dict[str, Any]) -> MinesweeperConfig:
    """A part's configuration."""
    changed = {"device": settings.device.type, "stage": part.stage, "imitation.workers": settings.workers, **changes}
    if settings.miniature:
        changed |= MINIATURE if len(part.boards) == 1 else {**MINIATURE, "boards": TINY}
    return load_config(MinesweeperConfig, CONFIGS, part.config, changed)
