"""Copies of metrics for other tools, with stand-ins for those that are not installed."""

import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ludex.core.errors import BadOption, MissingDependency
from ludex.learn.loggers import check_loggers, logging_to
from ludex.learn.runs import Run

Calls = list[tuple[Any, ...]]


def install(monkeypatch: pytest.MonkeyPatch, name: str, **members: Any) -> None:
    module = ModuleType(name)
    module.__spec__ = ModuleSpec(name, None)
    for key, value in members.items():
        setattr(module, key, value)
    monkeypatch.setitem(sys.modules, name, module)


@pytest.fixture
def wandb(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Weights & Biases as far as it is called; what it is called with."""
    calls: Calls = []

    class Session:
        def log(self, values: dict[str, float], step: int) -> None:
            calls.append(("log", values, step))

        def finish(self) -> None:
            calls.append(("finish",))

    def init(**given: Any) -> Session:
        calls.append(("init", given))
        return Session()

    install(monkeypatch, "wandb", init=init)
    return calls


@pytest.fixture
def tensorboard(monkeypatch: pytest.MonkeyPatch) -> Calls:
    calls: Calls = []

    class SummaryWriter:
        def __init__(self, folder: str, purge_step: int) -> None:
            calls.append(("open", folder, purge_step))

        def add_scalar(self, name: str, value: float, step: int) -> None:
            calls.append((name, value, step))

        def close(self) -> None:
            calls.append(("close",))

    install(monkeypatch, "tensorboard")
    install(monkeypatch, "torch.utils.tensorboard", SummaryWriter=SummaryWriter)
    return calls


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run.create(tmp_path, "toy", "small", "games: 3\n", group="mine")


def test_weights_and_biases_gets_every_row_and_stays_offline(
    wandb: Calls, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("WANDB_MODE", "WANDB_PROJECT"):
        monkeypatch.delenv(variable, raising=False)
    with logging_to(run, ["wandb"]) as logged:
        assert wandb == [], "nothing is begun before the first row"
        logged.log({"games": 1, "loss": 0.5, "note": None})
        logged.log({"games": 2, "loss": float("nan"), "promoted": True})
    (_, given), *rest = wandb
    assert (given["project"], given["id"], given["group"], given["mode"]) == ("ludex", run.name, "mine", "offline")
    assert (given["dir"], given["config"]) == (str(run.folder), {"games": 3})
    assert rest == [("log", {"games": 1.0, "loss": 0.5}, 0), ("log", {"games": 2.0}, 1), ("finish",)]
    assert len(run.metrics()) == 2


def test_a_person_may_send_runs_to_the_service(wandb: Calls, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WANDB_MODE", "online")
    monkeypatch.setenv("WANDB_PROJECT", "mine")
    with logging_to(run, ["wandb"]) as logged:
        logged.log({"games": 1})
    assert (wandb[0][1]["mode"], wandb[0][1]["project"]) == ("online", "mine")


def test_a_resumed_run_goes_on_where_its_rows_end(tensorboard: Calls, run: Run) -> None:
    run.log({"games": 1})
    run.checkpoint({})
    run.log({"games": 2})
    with logging_to(run, ["tensorboard", "tensorboard"]) as logged:
        logged.resume()
        logged.log({"stage": "ppo", "opponent": "random", "win_rate": 0.5})
    assert tensorboard == [
        ("open", str(run.folder / "tensorboard"), 1),
        ("ppo/random/win_rate", 0.5, 1),
        ("close",),
    ]


def test_a_tool_is_closed_when_training_fails(wandb: Calls, run: Run) -> None:
    def train() -> None:
        with logging_to(run, ["wandb"]) as logged:
            logged.log({"games": 1})
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train()
    assert wandb[-1] == ("finish",)


@pytest.mark.parametrize(("name", "extra"), [("tensorboard", "train"), ("wandb", "wandb")])
def test_a_tool_that_is_not_installed_is_refused_with_its_extra(
    monkeypatch: pytest.MonkeyPatch, name: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingDependency, match=rf"{name} is not installed: pip install 'ludex\[{extra}\]'"):
        check_loggers([name])


def test_an_unknown_tool_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(BadOption, match="unknown logger 'paper'; known: tensorboard, wandb"):
        check_loggers(["paper"])
