"""Configurations: the original document's numbers, the files that ship, and which keys an error names."""

from typing import Any

import pytest
import torch
import yaml
from pydantic import ValidationError

from ludex.core.errors import BadConfig
from ludex.core.registry import spec
from ludex.games.minesweeper.env.config import BOARD_KEYS, EnvConfig
from ludex.games.minesweeper.learning.config import CONFIGS, MinesweeperConfig, MinesweeperPpoConfig
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


SMALL = "small_8x8_10"
SEEDS = (SMALL, "beginner_9x9_10", "med_16x16_40", "expert_16x30_99")


def loaded(name: str = SMALL, **changes: Any) -> MinesweeperConfig:
    return load_config(MinesweeperConfig, CONFIGS, name, {key.replace("__", "."): one for key, one in changes.items()})


def test_the_files_are_the_presets_over_a_base() -> None:
    presets = spec("minesweeper").presets
    assert config_names(CONFIGS) == sorted(
        ["base", "miniature", "minute", "ppo_imitated", "ppo_scratch", "shipped", *presets]
    )
    assert set(SEEDS) == set(presets)
    for name, board in presets.items():
        config = loaded(name)
        hardest = config.all_boards[-1]
        assert (hardest.H, hardest.W, hardest.mine_count) == (board["rows"], board["cols"], board["mines"])
        assert hardest.max_steps == 4 * hardest.H * hardest.W
        assert config.all_starts == ["zero"]
        env = config.environment(hardest, "zero")
        assert env == EnvConfig(H=hardest.H, W=hardest.W, mine_count=hardest.mine_count, random_first_click=True)


@pytest.mark.parametrize("name", SEEDS)
def test_the_seeds_configurations_are_the_seeds(name: str) -> None:
    """Its network, its teacher, its PPO without guards; the network that ships has the exact teacher."""
    config = loaded(name)
    assert config.ppo == MinesweeperPpoConfig()
    assert (config.model.kind, config.model.width) == ("cnn", 64)
    assert (config.imitation.teacher, config.imitation.mine_weight, config.imitation.value_weight) == (
        "forced_moves",
        0.1,
        0.0,
    )
    assert (config.finetune.kl_coef, config.finetune.target_kl, config.finetune.value_updates) == (0.0, None, 0)
    # Stated in docs/seeds.md: the original document's sketches take the optimiser's own.
    own = torch.optim.AdamW([torch.nn.Parameter(torch.zeros(1))]).defaults["weight_decay"]
    assert (config.imitation.weight_decay, own) == (0.0001, 0.01)
    assert loaded("shipped").imitation.teacher == "exact"


def test_ppo_from_nothing_differs_from_the_seeds_configuration_in_what_is_stated() -> None:
    """The table of docs/minesweeper-milestones.md lists these and no others."""
    literal, stated = (loaded(name).model_dump() for name in (SMALL, "ppo_scratch"))
    differences = {
        f"{section}.{key}": value
        for section in ("env", "ppo", "model", "imitation", "finetune")
        for key, value in stated[section].items()
        if value != literal[section][key]
    }
    assert loaded("ppo_scratch").all_boards == loaded(SMALL).all_boards
    assert loaded("ppo_scratch").all_starts == loaded(SMALL).all_starts
    assert differences == {
        "env.step_penalty": 0.01,
        "env.keep_flags": True,
        "ppo.lr": 0.001,
        "finetune.keep_best": True,
    }
    assert stated["finetune"]["updates"] == 300


@pytest.mark.slow
@pytest.mark.parametrize("name", [SMALL, "med_16x16_40"])
def test_the_error_for_a_missing_env_key_names_it(name: str) -> None:
    whole = loaded(name)
    text = dump_config(whole)
    assert parse_config(MinesweeperConfig, text, "whole.yaml") == whole
    for key in type(whole.env).model_fields:
        data = yaml.safe_load(text)
        del data["env"][key]
        short = yaml.safe_dump(data)
        with pytest.raises(BadConfig) as error:
            parse_config(MinesweeperConfig, short, "short.yaml")
        assert error.value.message == f"short.yaml: missing key 'env.{key}'"


def test_the_base_names_no_board() -> None:
    with pytest.raises(BadConfig, match=r"missing key 'env\.H'; missing key 'env\.W'"):
        loaded("base")


@pytest.mark.parametrize("key", BOARD_KEYS)
def test_with_boards_the_environment_names_none(key: str) -> None:
    """The board of a run is written in one place."""
    with pytest.raises(BadConfig) as error:
        loaded("med_16x16_40", **{f"env.{key}": getattr(EnvConfig(), key)})
    assert f"key 'env.{key}': boards and starts name the boards of this configuration" in error.value.message


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"starts": ["safe"]}, "boards and starts belong together"),
        ({"model.depth": 3}, "model.depth must be 0 with model.kind=cnn"),
        ({"model.kind": "residual"}, "model.depth must be at least 1 with model.kind=residual"),
        ({"imitation.value_weight": 0.1}, "imitation.value_weight must be 0 with imitation.teacher=forced_moves"),
        ({"imitation.teacher": "exact"}, "imitation.teacher=exact sets no flags: env.reveal_only must be true"),
        (
            {"imitation.teacher": "exact", "env.reveal_only": True, "env.frontier_mask": True},
            "imitation.teacher=exact guesses anywhere: env.frontier_mask must be false",
        ),
        ({"stage": "ppo", "finetune.kl_coef": 0.1}, "finetune.kl_coef must be 0 where PPO begins from scratch"),
        ({"stage": "ppo", "finetune.sure": 0.1}, "finetune.sure must be 0 where PPO begins from scratch"),
        (
            {"env.density_band": [0.12, 0.2], "finetune.density_spread": 0.1},
            "has a density_band: imitation.density_spread and finetune.density_spread must be 0",
        ),
        ({"env.mine_count": 60}, "mine_count must be at most 55"),
    ],
)
def test_what_would_have_no_effect_is_refused_by_name(changes: dict[str, Any], named: str) -> None:
    with pytest.raises(BadConfig) as error:
        loaded(**changes)
    assert named in error.value.message


def test_a_board_has_a_band_and_a_step_limit_of_its_own() -> None:
    boards = [
        {"H": 8, "W": 8, "mine_count": 10, "weight": 1.0, "density_band": [0.12, 0.2]},
        {"H": 16, "W": 16, "mine_count": 40, "weight": 1.0, "max_steps": 7},
    ]
    config = loaded("med_16x16_40", boards=boards, starts=["safe", "none"])
    assert [board.name for board in config.all_boards] == ["8x8x12-20%", "16x16x40"]
    first, second = (config.environment(board, "none") for board in config.all_boards)
    assert (first.mine_bounds, first.max_steps, first.start) == ((8, 13), 256, "none")
    assert (second.mine_bounds, second.max_steps) == ((40, 40), 7)
    assert parse_config(MinesweeperConfig, dump_config(config), "copy.yaml") == config


def test_the_seeds_keys_may_be_given_by_position() -> None:
    assert EnvConfig(8, 8, 10) == EnvConfig()
    assert EnvConfig(16, 30, 99, False, 0.02).progress_reward == 0.02
    with pytest.raises(TypeError, match="H given by position and by name"):
        EnvConfig(8, H=8)
    with pytest.raises(TypeError, match="at most 12 values by position, found 13"):
        EnvConfig(*range(13))


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        (
            {"mine_count": 56},
            ["mine_count must be at most 55 with H=8, W=8", "guarantee_safe_n", "found 56"],
        ),
        ({"mine_count": 64, "guarantee_safe_neighborhood": False}, ["mine_count must be at most 63"]),
        ({"H": 2, "W": 2, "mine_count": 1}, ["mine_count must be at most 0"]),
        ({"W": 0}, ["W"]),
        ({"first_click_safe": False}, ["guarantee_safe_neighborhood=true contradicts first_click_safe=false"]),
        ({"density_band": (0.001, 0.2)}, ["density_band must give 1 to 55 mines", "which is 0 to 13 mines"]),
        ({"density_band": (0.1, 0.95)}, ["density_band must give 1 to 55 mines", "6 to 61 mines"]),
        ({"density_band": (0.3, 0.2)}, ["density_band", "the lower share first"]),
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
    with pytest.raises(ValidationError) as error:
        EnvConfig(**changes)
    for part in named:
        assert part in str(error.value)


def test_more_mini_batches_than_transitions_are_refused() -> None:
    with pytest.raises(ValidationError, match=r"mini_batches must be at most num_envs \* steps_per_env = 2, found 8"):
        PpoConfig(num_envs=1, steps_per_env=2)


def test_the_start_rule_follows_from_two_keys() -> None:
    assert EnvConfig(guarantee_safe_neighborhood=False).start == "safe"
    assert EnvConfig(guarantee_safe_neighborhood=False, first_click_safe=False).start == "none"
