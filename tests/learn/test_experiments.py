"""Experiments: which runs a configuration, its seeds and its sweep make, and how they are found again."""

import shlex
from pathlib import Path
from typing import Any

import pytest

from ludex.core import registry
from ludex.core.errors import BadConfig, BadOption
from ludex.core.spec import GameSpec, TrainingSpec
from ludex.learn.config import dump_config, load_config, parse_changes
from ludex.learn.experiments import MOST_RUNS, begin, command_of, parse_sweep, plan, runs_of, seeds_of
from ludex.learn.runs import Run


@pytest.fixture(scope="module")
def spec() -> GameSpec:
    return registry.spec("tictactoe")


@pytest.fixture(scope="module")
def training(spec: GameSpec) -> TrainingSpec:
    assert spec.learning.training is not None
    return spec.learning.training


def test_the_first_seed_is_the_configurations_own_and_more_seeds_go_on_with_the_same(training: TrainingSpec) -> None:
    own = load_config(training.config, training.configs, "negamax", {})
    five = [one["seed"] for one in plan(training, "negamax", {}, seeds=5)]
    assert five[0] == own.model_dump()["seed"]
    assert [one["seed"] for one in plan(training, "negamax", {}, seeds=3)] == five[:3]
    assert len(set(five)) == 5


def test_derived_seeds_are_what_the_documentation_says() -> None:
    assert seeds_of(1, 4) == [1, 171140959, 160193174, 1246586020]


def test_a_sweep_is_every_combination_with_every_seed(training: TrainingSpec) -> None:
    trainings = plan(
        training, "negamax", {"games": 9}, seeds=2, sweep={"epsilon": [0.1, 0.2], "random_ties": [True, False]}
    )
    assert len(trainings) == 8
    assert [(one["epsilon"], one["random_ties"]) for one in trainings[::2]] == [
        (0.1, True),
        (0.1, False),
        (0.2, True),
        (0.2, False),
    ]
    assert all(one["games"] == 9 for one in trainings)
    assert [one["seed"] for one in trainings[:2]] == [one["seed"] for one in trainings[2:4]]


def test_one_run_without_seeds_or_sweep_has_the_changes_alone(training: TrainingSpec) -> None:
    assert plan(training, None, {"games": 9}) == [{"games": 9}]


@pytest.mark.parametrize(
    ("seeds", "sweep", "error", "words"),
    [
        (1, {"epsilon": [0.1, 2.0]}, BadConfig, "key 'epsilon': Input should be less than or equal to 1"),
        (1, {"speed": [1, 2]}, BadConfig, "unknown key 'speed'"),
        (1, {"games": [1, 2]}, BadConfig, "key 'games' is both set and swept"),
        (1, {"epsilon": [0.1, 0.1]}, BadConfig, "expected different values"),
        (1, {"epsilon": []}, BadConfig, "expected different values"),
        (2, {"seed": [1, 2]}, BadOption, "swept already"),
        (0, {}, BadOption, "at least 1 seed"),
        (MOST_RUNS + 1, {}, BadOption, f"at most {MOST_RUNS} runs"),
    ],
)
def test_what_cannot_be_planned_is_refused_before_anything_begins(
    training: TrainingSpec, seeds: int, sweep: dict[str, list[Any]], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        plan(training, "negamax", {"games": 9}, seeds=seeds, sweep=sweep)


@pytest.mark.parametrize("text", ["epsilon", "=1,2", "epsilon=[1"])
def test_a_sweep_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(BadConfig):
        parse_sweep([text])


def test_a_key_swept_twice_is_refused() -> None:
    with pytest.raises(BadConfig, match="swept twice"):
        parse_sweep(["epsilon=1", "epsilon=2"])


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUDEX_RUNS", str(tmp_path))
    return tmp_path


def test_the_same_changes_in_the_same_group_are_the_same_run(
    base: Path, spec: GameSpec, training: TrainingSpec
) -> None:
    first, _ = begin(spec, training, "negamax", {"games": 3}, "mine")
    other, _ = begin(spec, training, "negamax", {"games": 4}, "mine")
    again, config = begin(spec, training, "negamax", {"games": 3}, "mine")
    assert (again, dump_config(config)) == (first, first.config_text)
    assert runs_of(base, "mine") == [first, other]


def test_runs_without_a_group_are_always_new(base: Path, spec: GameSpec, training: TrainingSpec) -> None:
    runs = [begin(spec, training, "negamax", {}, None)[0] for _ in range(2)]
    assert runs[0] != runs[1]
    assert [run.group for run in runs] == [None, None]


def test_a_damaged_run_hides_no_experiment(base: Path, spec: GameSpec, training: TrainingSpec) -> None:
    damaged, _ = begin(spec, training, "negamax", {"games": 1}, "mine")
    (damaged.folder / "run.json").write_text("{")
    whole, _ = begin(spec, training, "negamax", {"games": 2}, "mine")
    assert runs_of(base, "mine") == [whole]


def test_a_group_of_another_game_is_refused(base: Path, spec: GameSpec, training: TrainingSpec) -> None:
    Run.create(base, "quoridor", "evaluation", "", group="mine")
    with pytest.raises(BadOption, match="experiment 'mine' is of quoridor, not of tictactoe"):
        begin(spec, training, "negamax", {}, "mine")


@pytest.mark.parametrize("group", ["", "../up", "a/b", ".hidden", "x" * 101])
def test_a_name_that_could_be_a_path_is_refused(base: Path, spec: GameSpec, training: TrainingSpec, group: str) -> None:
    with pytest.raises(BadOption, match="expected a name"):
        begin(spec, training, "negamax", {}, group)


def test_the_command_of_a_run_sets_the_same_values(base: Path, spec: GameSpec, training: TrainingSpec) -> None:
    changes = {"seed": 7, "epsilon": 1e-05, "preset": "3x3x3", "rule": {"kind": "negamax"}}
    run, config = begin(spec, training, "negamax", changes, "mine")
    command = command_of(run)
    assert command is not None
    words = shlex.split(command)
    assert words[:5] == ["ludex", "train", "tictactoe", "--config", "negamax"]
    again = load_config(training.config, training.configs, "negamax", parse_changes(words[6::2]))
    assert again == config


def test_a_run_that_recorded_no_changes_has_no_command(base: Path) -> None:
    assert command_of(Run.create(base, "tictactoe", "negamax", "")) is None
