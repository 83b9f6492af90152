"""Configurations: the seed's numbers, the files that ship, and which keys an error names."""

from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from ludex.core.errors import BadConfig
from ludex.core.registry import spec
from ludex.games.minesweeper.learning.config import CONFIGS, EnvConfig, MinesweeperConfig, MinesweeperPpoConfig
from ludex.learn.config import config_names, dump_config, load_config, parse_config
from ludex.learn.ppo_config import PpoConfig


def test_the_defaults_are_the_seeds() -> None:
    cfg = EnvConfig()
    assert (cfg.H, cfg.W, cfg.mine_count, cfg.guarantee_safe_neighborhood) == (8, 8, 10, True)
    assert (cfg.progress_reward, cfg.win_reward, cfg.loss_reward) == (0.01, 1.0, -1.0)
    assert (cfg.step_penalty, cfg.invalid_penalty) == (1e-4, 1e-3)
    assert (cfg.flag_correct_reward, cfg.flag_incorrect_reward, cfg.use_flag_shaping) == (0.002, -0.002, False)
    assert (cfg.num_actions, cfg.channels, cfg.max_steps, cfg.start) == (128, 11, 256, "zero")
    ppo = MinesweeperPpoConfig()
    assert (ppo.num_envs, ppo.steps_per_env, ppo.mini_batches, ppo.ppo_epochs) == (256, 128, 8, 3)
    assert (ppo.gamma, ppo.gae_lambda, ppo.clip_eps, ppo.clip_eps_v) == (0.995, 0.95, 0.2, 0.2)
    assert (ppo.vf_coef, ppo.ent_coef, ppo.lr, ppo.max_grad_norm) == (0.5, 0.003, 3e-4, 0.5)
    assert (ppo.aux_mine_weight, ppo.frontier_mask_until_updates) == (0.1, 200)


def test_the_files_are_the_presets_over_a_base() -> None:
    presets = spec("minesweeper").presets
    assert config_names(CONFIGS) == sorted(["base", "miniature", "shipped", *presets])
    for name, board in presets.items():
        env = load_config(MinesweeperConfig, CONFIGS, name, {}).env
        assert (env.H, env.W, env.mine_count) == (board["rows"], board["cols"], board["mines"])
        assert env.max_steps == 4 * env.H * env.W
        assert env == EnvConfig(H=env.H, W=env.W, mine_count=env.mine_count)
        assert env.board().start == "zero"


@pytest.mark.slow
def test_the_error_for_a_missing_env_key_names_it() -> None:
    whole = load_config(MinesweeperConfig, CONFIGS, "base", {})
    text = dump_config(whole)
    assert parse_config(MinesweeperConfig, text, "whole.yaml") == whole
    for key in EnvConfig.model_fields:
        data = yaml.safe_load(text)
        del data["env"][key]
        short = yaml.safe_dump(data)
        with pytest.raises(BadConfig) as caught:
            parse_config(MinesweeperConfig, short, "short.yaml")
        assert caught.value.message == f"short.yaml: missing key 'env.{key}'"


def test_changes_reach_the_environment() -> None:
    changed = load_config(MinesweeperConfig, CONFIGS, "small_8x8_10", {"env.density_band": [0.12, 0.2], "ppo.lr": 1e-3})
    assert changed.env.density_band == (0.12, 0.2)
    assert changed.env.mine_bounds == (8, 13)
    assert changed.ppo.lr == 1e-3
    assert parse_config(MinesweeperConfig, dump_config(changed), "copy.yaml") == changed


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        (
            {"mine_count": 56},
            ["mine_count must be at most 55 with H=8, W=8", "guarantee_safe_n", "found 56"],
        ),
        ({"mine_count": 64, "guarantee_safe_neighborhood": False}, ["mine_count must be at most 63"]),
        ({"mine_count": 0}, ["mine_count"]),
        ({"H": 2, "W": 2, "mine_count": 1}, ["mine_count must be at most 0"]),
        ({"H": 65}, ["H"]),
        ({"W": 0}, ["W"]),
        ({"first_click_safe": False}, ["guarantee_safe_neighborhood=true contradicts first_click_safe=false"]),
        ({"density_band": (0.001, 0.2)}, ["density_band must give 1 to 55 mines", "which is 0 to 13 mines"]),
        ({"density_band": (0.1, 0.95)}, ["density_band must give 1 to 55 mines", "6 to 61 mines"]),
        ({"density_band": (0.3, 0.2)}, ["density_band", "the lower share first"]),
        ({"density_band": (0.3,)}, ["density_band"]),
        ({"density_band": ("0.1", "0.2")}, ["density_band"]),
        ({"obs_dtype": "uint8", "progress_channel": True}, ["obs_dtype=uint8", "progress_channel"]),
        ({"obs_dtype": "float64"}, ["obs_dtype"]),
        ({"max_steps": 0}, ["max_steps"]),
        ({"step_penalty": -1e-4}, ["step_penalty"]),
        ({"mine_count": "10"}, ["mine_count"]),
        ({"win_reward": float("nan")}, ["win_reward"]),
        ({"mines": 10}, ["mines"]),
    ],
)
def test_an_impossible_environment_is_refused_by_key(changes: dict[str, Any], named: list[str]) -> None:
    with pytest.raises(ValidationError) as caught:
        EnvConfig(**changes)
    for part in named:
        assert part in str(caught.value)


def test_more_mini_batches_than_transitions_are_refused() -> None:
    with pytest.raises(ValidationError, match=r"mini_batches must be at most num_envs \* steps_per_env = 2, found 8"):
        PpoConfig(num_envs=1, steps_per_env=2)


def test_the_start_rule_follows_from_two_keys() -> None:
    assert EnvConfig(guarantee_safe_neighborhood=False).start == "safe"
    assert EnvConfig(guarantee_safe_neighborhood=False, first_click_safe=False).start == "none"
