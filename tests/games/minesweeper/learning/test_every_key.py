"""Every key of a training configuration changes what is trained, or is refused by name."""

from functools import cache
from typing import Any

import numpy as np
import pytest
import torch

from ludex.core.errors import BadConfig
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.lanes import Lanes
from ludex.games.minesweeper.learning import evaluation
from ludex.games.minesweeper.learning.config import (
    CONFIGS,
    BoardConfig,
    FinetuneConfig,
    ImitationConfig,
    MinesweeperConfig,
    MinesweeperPpoConfig,
)
from ludex.games.minesweeper.learning.demonstration_source import ExampleSource
from ludex.games.minesweeper.learning.imitation import Imitation
from ludex.games.minesweeper.learning.network import build
from ludex.games.minesweeper.learning.ppo import Finetuning
from ludex.learn.config import dump_config, load_config, parse_config

CPU = torch.device("cpu")
LANES, STEPS = 16, 24
BASE: dict[str, Any] = {
    "env.H": 4,
    "env.W": 4,
    "env.mine_count": 2,
    "env.max_steps": 12,
    "env.use_flag_shaping": True,
    "model.width": 8,
    "imitation.batch_cells": 512,
    "imitation.games_per_chunk": 12,
    "imitation.chunks_ahead": 1,
    "imitation.steps_per_chunk": 2,
    "imitation.warmup_steps": 0,
    "imitation.ring": 200,
    "ppo.num_envs": 8,
    "ppo.steps_per_env": 8,
    "ppo.mini_batches": 4,
    "ppo.ppo_epochs": 1,
    "ppo.frontier_mask_until_updates": 0,
}
ENV: dict[str, Any] = {
    "H": 5,
    "W": 6,
    "mine_count": 3,
    "guarantee_safe_neighborhood": False,
    "first_click_safe": False,
    "density_band": [0.1, 0.4],
    "max_steps": 3,
    "progress_reward": 0.5,
    "win_reward": 2.0,
    "loss_reward": -3.0,
    "step_penalty": 0.25,
    "invalid_penalty": 0.125,
    "flag_correct_reward": 0.7,
    "flag_incorrect_reward": -0.6,
    "use_flag_shaping": False,
    "random_first_click": False,
    "no_guess": True,
    "frontier_channel": True,
    "remaining_mines_channel": True,
    "progress_channel": True,
    "mine_share_channel": True,
    "mine_count_channel": True,
    "frontier_mask": True,
    "obs_dtype": "uint8",
    "reveal_only": True,
    "keep_flags": True,
}
"""Another value of each key of `env`."""
NEEDED: dict[str, dict[str, Any]] = {
    "first_click_safe": {"env.guarantee_safe_neighborhood": False},
    "no_guess": {"env.random_first_click": False},
}
"""What a key needs to be changed."""
PPO: dict[str, Any] = {
    "num_envs": 16,
    "steps_per_env": 9,
    "mini_batches": 2,
    "ppo_epochs": 2,
    "gamma": 0.5,
    "gae_lambda": 0.5,
    "clip_eps": 1e-6,
    "clip_eps_v": 1e-9,
    "vf_coef": 3.0,
    "ent_coef": 1.0,
    "lr": 0.01,
    "max_grad_norm": 1e-3,
    "aux_mine_weight": 0.0,
    "frontier_mask_until_updates": 2,
}
FINETUNE: dict[str, Any] = {
    "value_updates": 1,
    "trained": "heads",
    "target_kl": 1e-12,
    "least_entropy": 2.5,
    "temperature": 0.2,
    "density_spread": 0.5,
}
IMITATION: dict[str, Any] = {
    "batch_cells": 1024,
    "lr": 0.01,
    "warmup_steps": 3,
    "weight_decay": 0.5,
    "max_grad_norm": 1e-3,
    "mine_weight": 2.0,
    "policy_weight": 0.0,
    "density_spread": 0.5,
    "games_per_chunk": 6,
    "chunks_ahead": 2,
    "steps_per_chunk": 1,
    "ring": 20,
}
REFUSED = {"finetune.kl_coef": 0.5, "finetune.sure": 0.5, "imitation.value_weight": 0.5, "imitation.teacher": "exact"}
"""Keys that mean nothing to PPO from scratch, to forced moves or to an environment with flags."""
ELSEWHERE = {
    "ppo": {"amp", "compile"},  # on CUDA alone
    "finetune": {"updates", "promote_at", "keep_best", "checkpoint_every", "eval_every", "eval_games"},
    "imitation": {"steps", "dataset", "workers", "log_every", "checkpoint_every", "eval_every", "eval_games"},
}
"""Keys of the trainer, which other tests hold: how long, how often, and where data come from."""


def loaded(changes: dict[str, Any], stage: str) -> MinesweeperConfig:
    return load_config(MinesweeperConfig, CONFIGS, "small_8x8_10", {**BASE, "stage": stage, **changes})


def actions_of(mask: np.ndarray[Any, Any], turn: int) -> np.ndarray[Any, Any]:
    """Reveals, flags set and removed, and an action that there is none of, the same whatever the environment."""
    keys = np.random.default_rng(turn).random(mask.shape)
    chosen = (mask * keys).argmax(1)
    return np.where(np.arange(len(mask)) == turn % len(mask), 10_000, chosen).astype(np.int64)


@cache
def lanes_trace(cfg: EnvConfig) -> list[object]:
    lanes = Lanes(cfg, LANES)
    lanes.reset(0)
    calls: list[object] = []
    for turn in range(STEPS):
        calls += [str(lanes.obs.dtype), lanes.obs.tobytes(), lanes.mask.tobytes()]
        lanes.step(actions_of(lanes.mask, turn))
        calls += [lanes.reward.tobytes(), lanes.terminated.tobytes()]
    return calls


def environments(config: MinesweeperConfig, monkeypatch: pytest.MonkeyPatch) -> list[EnvConfig]:
    """Those of stage A, of stage B and of its evaluations."""
    net = build(config.model, config.env.shown)
    played: list[EnvConfig] = []

    def measure(evaluate: Any, cfg: EnvConfig, *rest: Any, **more: Any) -> evaluation.Measured:
        played.append(cfg)
        return evaluation.Measured(1, 0, 0.0, 0.0, 0.0, np.zeros(1, np.bool_))

    monkeypatch.setattr(evaluation, "measure", measure)
    list(evaluation.measure_boards(config, net, 1, 0, CPU))
    return [
        ExampleSource(config).task_of(0).cfg,
        Finetuning(config, net, None, CPU)._next_rollout().env.cfg,
        *played,
    ]


@pytest.mark.slow
@pytest.mark.parametrize("key", ENV)
def test_a_key_of_the_environment_changes_every_environment(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = NEEDED.get(key, {})
    base, changed = (loaded({**before, **one}, "all") for one in ({}, {f"env.{key}": ENV[key]}))
    assert parse_config(MinesweeperConfig, dump_config(changed), "saved") == changed
    for config in (base, changed):
        assert set(environments(config, monkeypatch)) == {config.env}, "what is saved is what is trained"
    was, now = (config.environment(config.all_boards[0], config.all_starts[0]) for config in (base, changed))
    assert lanes_trace(was) != lanes_trace(now)


def test_no_key_is_forgotten() -> None:
    assert set(ENV) == set(EnvConfig.model_fields)
    for section, model, changes in (
        ("ppo", MinesweeperPpoConfig, PPO),
        ("finetune", FinetuneConfig, FINETUNE),
        ("imitation", ImitationConfig, IMITATION),
    ):
        refused = {key.partition(".")[2] for key in REFUSED if key.startswith(f"{section}.")}
        assert set(changes) | refused | ELSEWHERE[section] == set(model.model_fields)


def weights_after(config: MinesweeperConfig, folder: Any) -> list[Any]:
    """The network after two updates of its stage."""
    torch.manual_seed(0)
    net = build(config.model, config.env.shown)
    stage: Any = Imitation(config, folder, net, CPU) if config.stage == "il" else Finetuning(config, net, None, CPU)
    for _ in range(3 if config.stage == "il" else 2):
        stage.update(stage.collect())
        stage.step += 1
    return [parameter.tolist() for parameter in net.parameters()]


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    return {stage: weights_after(loaded({}, stage), tmp_path_factory.mktemp(stage)) for stage in ("il", "ppo")}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stage", "key", "value"),
    [
        *(("ppo", f"ppo.{key}", value) for key, value in PPO.items()),
        *(("ppo", f"finetune.{key}", value) for key, value in FINETUNE.items()),
        *(("il", f"imitation.{key}", value) for key, value in IMITATION.items()),
        ("ppo", "seed", 1),
        ("il", "seed", 1),
        ("il", "model.width", 16),
    ],
)
def test_a_key_of_training_changes_the_weights(
    stage: str, key: str, value: Any, unchanged: dict[str, list[Any]], tmp_path: Any
) -> None:
    assert weights_after(loaded({key: value}, stage), tmp_path) != unchanged[stage]


@pytest.mark.parametrize("key", REFUSED)
def test_a_key_without_effect_is_refused_by_name(key: str) -> None:
    with pytest.raises(BadConfig, match=key):
        loaded({key: REFUSED[key]}, "il" if key.startswith("imitation") else "ppo")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "value"), [("H", 5), ("W", 5), ("mine_count", 3), ("density_band", [0.1, 0.3]), ("max_steps", 3)]
)
def test_a_key_of_a_board_changes_its_environment(key: str, value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    board = {"H": 4, "W": 4, "mine_count": 2, "weight": 1.0}
    small = {name: value for name, value in BASE.items() if not name.startswith("env.")}
    results = []
    for one in (board, {**board, key: value}):
        changes = {**small, "boards": [one], "starts": ["safe"]}
        config = load_config(MinesweeperConfig, CONFIGS, "med_16x16_40", changes)
        results.append(environments(config, monkeypatch))
    assert all(was != now for was, now in zip(*results, strict=True))
    assert set(BoardConfig.model_fields) == {"H", "W", "mine_count", "density_band", "max_steps", "weight"}
