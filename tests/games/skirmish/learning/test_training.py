"""The pipeline in miniature, by both trainers: its metrics, that it learns, and that a killed run resumes."""

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from ludex.core.errors import BadConfig, BadNet
from ludex.core.registry import make
from ludex.games.skirmish.env.opponents import OpponentWorkers
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.config import CONFIGS, METRICS, NetConfig, SkirmishConfig
from ludex.games.skirmish.learning.network import geometry_of
from ludex.games.skirmish.learning.network_files import Measuring, load_net
from ludex.games.skirmish.learning.training import train
from ludex.games.skirmish.rules.illegal_actions import DeploymentDeadlockError
from ludex.learn.config import load_config
from ludex.learn.curves import numbers
from ludex.learn.runs import Run, RunState
from tests.games.skirmish.learning.support import new_run, tiny
from tests.games.skirmish.support import BOARD, change, shipped, whole_folder
from tests.json_values import number
from tests.killing import Killed, killed_after

CPU = torch.device("cpu")
CONTRACT = {
    "deployment_valid_action_rate",
    "deployment_invalid_action_attempt_rate",
    "deployment_steps_mean",
    "deployment_deadlock_count",
    "deployment_pass_count",
    "winrate_with_active_deployment",
}
DIAGNOSTICS = {
    f"placement_{where}_{what}"
    for where in ("front", "objective", "cover")
    for what in ("survival", "damage_taken", "damage_dealt")
}


def weights(path: Path) -> dict[str, torch.Tensor]:
    return load_net(path, geometry_of(shipped("small")), CPU).state_dict()


def same(weights: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return all(torch.equal(weights[name], other[name]) for name in weights)


@pytest.fixture(scope="module", params=["ppo", pytest.param("maskable_ppo", marks=pytest.mark.full)])
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    config = tiny(trainer=request.param)
    run = new_run(tmp_path_factory.mktemp(request.param), config)
    advanced: list[int] = []
    summary = train(config, run, advanced.append)
    assert sum(advanced) == config.amount == 62
    run.finish(summary)
    return run


def evaluations(run: Run) -> list[dict[str, Any]]:
    return [row for row in run.metrics() if "win_rate" in row]


@pytest.mark.slow
def test_every_evaluation_holds_every_name_of_the_contract_in_its_range(whole: Run) -> None:
    rows = evaluations(whole)
    assert [(row["stage"], row["update"], row["opponent"]) for row in rows] == [
        (stage, update, opponent) for stage, update in (("il", 0), ("ppo", 2)) for opponent in ("random", "aggressive")
    ]
    for row in rows:
        assert row.keys() >= CONTRACT | DIAGNOSTICS
        assert row["deployment_valid_action_rate"] == 1.0
        assert row["deployment_invalid_action_attempt_rate"] == 0.0
        assert row["deployment_steps_mean"] == 3.0
        assert (row["deployment_deadlock_count"], row["deployment_pass_count"]) == (0, 0)
        assert 0.0 <= row["winrate_with_active_deployment"] <= 1.0
        assert 0.0 <= row["ci95"][0] <= row["win_rate"] <= row["ci95"][1] <= 1.0
        # Three units a game, each on a hex of its own.
        assert sum(row["unit_slots"]) == sum(row["hex_slots"]) >= 3 * row["games"]
        assert all(row[name] is None or -1.0 <= row[name] <= 1.0 for name in DIAGNOSTICS)


@pytest.fixture(scope="module")
def untrained(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    """Win rates of a network that has learned nothing, by opponent; both trainers start from it."""
    few = {"ppo.num_envs": 2, "ppo.steps_per_env": 2}
    config = tiny(stage="ppo", curriculum=[{"presets": ["small"], "updates": 1}], **few)
    run = new_run(tmp_path_factory.mktemp("untrained"), config)
    # It is evaluated before its first update.
    with pytest.raises(Killed):
        train(config, run, killed_after(0))
    return {row["opponent"]: row["win_rate"] for row in evaluations(run) if row["update"] == 0}


@pytest.mark.slow
def test_learning_improves_on_its_start(whole: Run, untrained: dict[str, float]) -> None:
    imitated = [row for row in whole.metrics() if "unseen_agreement" in row]
    assert number(imitated[-1]["unseen_policy_loss"]) < 0.8 * number(imitated[0]["unseen_policy_loss"])
    assert number(imitated[-1]["unseen_agreement"]) > 0.5, "it meets its teacher's choice too seldom"
    ends = {row["opponent"]: row["win_rate"] for row in evaluations(whole) if row["update"] == 2}
    assert untrained.keys() == ends.keys()
    assert sum(ends.values()) > sum(untrained.values())
    assert ends["random"] >= 0.75


def test_updates_log_their_metrics(whole: Run) -> None:
    assert set(numbers([whole.metrics()])) <= set(METRICS)
    updates = [row for row in whole.metrics() if "transitions_per_second" in row]
    assert [row["update"] for row in updates] == [1, 2]
    assert [row["transitions"] for row in updates] == [8 * 32, 2 * 8 * 32]
    for row in updates:
        assert {"value_loss", "approx_kl", "clip_fraction", "preset"} <= row.keys()
    summary = whole.summary()
    assert summary is not None
    assert summary["parameters"] == sum(tensor.numel() for tensor in weights(whole.folder / "net.pt").values())
    assert not same(weights(whole.folder / "imitated.pt"), weights(whole.folder / "net.pt"))


@pytest.mark.slow
def test_the_last_evaluation_is_that_of_the_network_that_is_saved(whole: Run) -> None:
    (expected,) = (row for row in evaluations(whole) if (row["update"], row["opponent"]) == (2, "aggressive"))
    with OpponentWorkers(0) as workers:
        net = whole.folder / "net.pt"
        measuring = Measuring(shipped("small"), net, CPU, workers, games=8, lanes=8, seed=0, advance=lambda games: None)
        result = measuring.against("aggressive", 0.0, "learned").row()
    assert {name: expected[name] for name in result} == result


def kill_process(config: SkirmishConfig, run: Run) -> None:
    """Train in another process until a checkpoint is there, then kill it."""
    code = (
        "import sys; from pathlib import Path; from ludex.learn.runs import Run\n"
        "from ludex.learn.config import parse_config\n"
        "from ludex.games.skirmish.learning.config import SkirmishConfig\n"
        "from ludex.games.skirmish.learning.training import train\n"
        "run = Run(Path(sys.argv[1])); config = parse_config(SkirmishConfig, run.config_text, 'config')\n"
        "train(config, run, lambda amount: None)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(run.folder)])
    deadline = time.monotonic() + 240
    while not list((run.folder / "checkpoints").glob("ppo-00000[12].pt")):
        assert process.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


def break_off(config: SkirmishConfig, run: Run) -> None:
    """Train here until the third update, after which there is no checkpoint yet."""
    with pytest.raises(Killed):
        train(config, run, killed_after(2))
    assert list((run.folder / "checkpoints").glob("ppo-000002.pt"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("trainer", "end"),
    [
        ("ppo", break_off),
        pytest.param("maskable_ppo", break_off, marks=pytest.mark.full),
        pytest.param("ppo", kill_process, marks=pytest.mark.full),
        pytest.param("maskable_ppo", kill_process, marks=pytest.mark.full),
    ],
)
def test_a_run_that_was_killed_goes_on(
    trainer: str, end: Callable[[SkirmishConfig, Run], None], tmp_path: Path
) -> None:
    small = {"evaluation.games": 2, "evaluation.opponents": ["random"], "opponents.bots": 0.0}
    small |= {"ppo.num_envs": 4, "ppo.steps_per_env": 8, "checkpoint_every": 1}
    stages = [{"presets": ["small"], "updates": 4}]
    config = tiny(trainer=trainer, stage="ppo", curriculum=stages, **small)
    run = new_run(tmp_path, config)
    end(config, run)
    advanced: list[int] = []
    train(config, run, advanced.append)
    assert sum(advanced) == 4
    assert [row["update"] for row in run.metrics() if "transitions_per_second" in row] == [1, 2, 3, 4]
    assert [row["update"] for row in evaluations(run) if row["opponent"] == "random"] == [0, 2, 4]


@pytest.mark.full
def test_imitation_that_was_broken_off_ends_as_it_would_have(tmp_path: Path) -> None:
    few = {"imitation.games": 2, "imitation.steps": 20, "evaluation.games": 2, "evaluation.opponents": ["random"]}
    config = tiny(stage="il", **few)
    once, twice = new_run(tmp_path / "once", config), new_run(tmp_path / "twice", config)
    train(config, once, lambda amount: None)
    done = 0

    def advance(amount: int) -> None:
        nonlocal done
        done += amount
        if done == 11:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(config, twice, advance)
    train(config, twice, lambda amount: None)
    assert same(weights(once.folder / "net.pt"), weights(twice.folder / "net.pt"))
    steps = [row["step"] for row in twice.metrics() if "unseen_agreement" in row]
    assert steps == [row["step"] for row in once.metrics() if "unseen_agreement" in row]


@pytest.mark.slow
def test_a_network_that_forgot_is_evaluated_again_and_the_log_has_every_name(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="ludex.train")
    short = {"curriculum": [{"presets": ["small"], "updates": 1}], "evaluation.opponents": ["random"]}
    few = {"imitation.games": 2, "imitation.steps": 2, "ppo.num_envs": 4, "ppo.steps_per_env": 8}
    config = tiny(**short, **few, **{"forget_placing": True, "evaluation.games": 2})
    train(config, new_run(tmp_path, config), lambda amount: None)
    logged: list[Any] = [record.msg for record in caplog.records if record.name == "ludex.train"]
    assert [(row["stage"], row["update"]) for row in logged] == [("il", 0), ("ppo", 0), ("ppo", 1)]
    assert all(row["event"] == "evaluation" and row.keys() >= CONTRACT | DIAGNOSTICS for row in logged)


@pytest.mark.slow
def test_an_update_may_find_nothing_to_learn_from(tmp_path: Path) -> None:
    few: dict[str, Any] = {"ppo.num_envs": 2, "ppo.steps_per_env": 2, "battle_share": 1e-6, "opponents.bots": 0.0}
    few |= {"evaluation.games": 2, "evaluation.opponents": ["random"], "evaluation.every": 9}
    config = tiny(stage="ppo", curriculum=[{"presets": ["small"], "updates": 9}], **few)
    run = new_run(tmp_path, config)
    train(config, run, lambda amount: None)
    learned = [row["learned_from"] for row in run.metrics() if "learned_from" in row]
    assert len(learned) == 9
    # Lanes begin apart; soon there are battles only.
    assert 0 in learned


@pytest.mark.slow
def test_a_curriculum_takes_its_weights_along(tmp_path: Path) -> None:
    first, both = {"presets": ["small"], "updates": 1}, {"presets": ["default", "mirror"], "updates": 2}
    config = tiny(curriculum=[first, both])
    assert [config.preset_at(update) for update in range(3)] == ["small", "default", "mirror"]
    # A board without walls, as small: those of the others take longer.
    folder = whole_folder(tmp_path, "small")
    change(folder, BOARD, "wall_hexes", [])
    other = f"default:scenario={folder}"
    config = tiny(
        **{
            "stage": "ppo",
            "curriculum": [first, {"presets": [other], "updates": 1}],
            "ppo.num_envs": 4,
            "ppo.steps_per_env": 8,
            "opponents.bots": 0.0,
            "evaluation.games": 2,
            "evaluation.opponents": ["random"],
            "evaluation.every": 2,
        }
    )
    run = new_run(tmp_path, config)
    train(config, run, lambda amount: None)
    updates = [row["preset"] for row in run.metrics() if "transitions_per_second" in row]
    assert updates == ["small", other]
    assert {row["preset"] for row in evaluations(run)} == {"small", other}


def test_equal_tables_have_one_digest_wherever_they_were_read(tmp_path: Path) -> None:
    elsewhere = make("skirmish", f"default:scenario={whole_folder(tmp_path, 'small')}")
    assert isinstance(elsewhere, Skirmish)
    digests = [geometry_of(game).digest for game in (shipped("small"), elsewhere, shipped("default"))]
    assert digests[0] == digests[1] != digests[2]


def test_the_contract_is_trained_by_maskable_ppo_on_the_full_board_player_by_player() -> None:
    config = load_config(SkirmishConfig, CONFIGS, "contract", {})
    assert (config.trainer, config.presets) == ("maskable_ppo", ("mirror",))
    scenario = shipped("mirror").scenario
    assert scenario.config.deployment_order_mode == "player_by_player"
    assert (scenario.grid.cols, scenario.grid.rows) == (25, 21)


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["il", "ppo"])
@pytest.mark.parametrize("trainer", ["ppo", "maskable_ppo"])
def test_a_deadlock_is_counted_in_the_metrics_before_it_ends_the_run(stage: str, trainer: str, tmp_path: Path) -> None:
    config = tiny(trainer=trainer, stage=stage, curriculum=[{"presets": ["cramped"], "updates": 2}])
    run = new_run(tmp_path, config)
    with pytest.raises(DeploymentDeadlockError), run.lock():
        train(config, run, lambda amount: None)
    last = run.metrics()[-1]
    assert last["stage"] == stage
    assert number(last["deployment_deadlock_count"]) >= 1
    assert run.status.state is RunState.FAILED
    assert "pool sizes {1: 3, 2: 4}" in str(run.status.reason)


@pytest.mark.slow
def test_a_deadlock_of_rollouts_is_logged_with_every_metric(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludex.games.skirmish.learning.ppo_stage.evaluate_scenarios", lambda *args: ())
    for trainer in ("ppo", "maskable_ppo"):
        config = tiny(trainer=trainer, stage="ppo", curriculum=[{"presets": ["cramped"], "updates": 2}])
        run = new_run(tmp_path, config)
        with pytest.raises(DeploymentDeadlockError):
            train(config, run, lambda amount: None)
        (row,) = run.metrics()
        assert number(row["deployment_deadlock_count"]) >= 1
        assert trainer == "ppo" or row.keys() >= CONTRACT


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"trainer": "a2c"}, "trainer"),
        ({"opponents.bots": 0.8, "opponents.past": 0.5}, "at most 1, found 1.3"),
        ({"net.width": 10}, "net.width"),
        ({"evaluation.games": 3}, "evaluation.games"),
        ({"curriculum": []}, "curriculum"),
        ({"learning_rate": 0.1}, "learning_rate"),
        ({"openings": 1.5}, "openings"),
        ({"battle_share": 0.0}, "battle_share"),
        ({"trainer": "maskable_ppo", "openings": 0.5}, "expected openings 0 and battle_share 1, found 0.5 and 1"),
        ({"trainer": "maskable_ppo", "threads": 2}, "expected threads 1, found 2"),
        ({"ppo.aux_mine_weight": 0.1}, "aux_mine_weight"),
        ({"ppo.compile": True}, "expected ppo.compile false"),
    ],
)
def test_a_bad_configuration_is_named(changes: dict[str, Any], named: str) -> None:
    with pytest.raises(BadConfig, match=named):
        tiny(**changes)


def test_a_network_of_another_size_is_refused(whole: Run) -> None:
    with pytest.raises(BadNet, match=r"width=8.*expected.*width=16"):
        load_net(
            whole.folder / "net.pt",
            geometry_of(shipped("small")),
            CPU,
            NetConfig(width=16, depth=0, attention_layers=1, placing_gain=8.0),
        )
