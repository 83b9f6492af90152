"""The learner in miniature: the loss falls, an interrupted run goes on bit for bit, the network plays."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from ludex.core.errors import BadNet, BadRun, RunPaused
from ludex.learn.alphazero import train as module
from ludex.learn.alphazero.config import ALPHAZERO_METRICS, AlphaZeroConfig
from ludex.learn.alphazero.export import load_net
from ludex.learn.alphazero.train import train
from ludex.learn.curves import numbers
from ludex.learn.runs import Row, Run, RunState
from ludex.learn.trainings import ALPHAZERO, train_run
from tests.learn.alphazero.miniature import small_config, small_run

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def without_onnx(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exporter takes seconds: one test calls it."""
    monkeypatch.setattr(module, "export_net", lambda *given: None)


def weights(run: Run) -> dict[str, Any]:
    return load_net(run.folder / "net.pt", torch.device("cpu")).state_dict()


def losses(run: Run) -> list[float]:
    return [float(str(row["loss"])) for row in run.metrics() if "loss" in row]


def trained(folder: Path, config: AlphaZeroConfig) -> tuple[Run, Row]:
    run = small_run(folder, config)
    return run, train(config, run, lambda amount: None)


def test_the_loss_falls(tmp_path: Path) -> None:
    run, summary = trained(tmp_path, small_config(iterations=12, evaluation__every=12, learning__ownership_weight=0.2))
    run_losses = losses(run)
    assert sum(run_losses[-3:]) / 3 < sum(run_losses[:3]) / 3 - 0.1
    owned = [float(str(row["ownership_loss"])) for row in run.metrics() if "loss" in row]
    assert owned[-1] < owned[0] - 0.1
    assert summary["iterations"] == 12
    assert set(numbers([run.metrics()])) <= set(ALPHAZERO_METRICS)
    rows = [row for row in run.metrics() if "opponent" in row]
    assert [row["opponent"] for row in rows] == ["earlier network", "no network"]
    assert all(0.0 <= float(str(row["win_rate"])) <= 1.0 for row in rows)


def test_a_run_goes_on_from_the_weights_of_another(tmp_path: Path) -> None:
    first, _ = trained(tmp_path / "first", small_config(iterations=1))
    start = str(first.folder / "net.pt")
    # Too few positions to learn from: the weights stay those of the beginning.
    config = small_config(start_from=start, self_play__plies=1, seed=2)
    second = small_run(tmp_path / "second", config)
    second.request_pause()
    with pytest.raises(RunPaused):
        train(config, second, lambda amount: None)
    assert all(torch.equal(held, weights(second)[name]) for name, held in weights(first).items())
    with pytest.raises(BadNet, match=r"channels=8.*expected.*channels=16"):
        trained(tmp_path / "other", small_config(iterations=1, start_from=start, net__channels=16))
    with pytest.raises(BadRun, match=r"missing\.pt"):
        trained(tmp_path / "none", small_config(iterations=1, start_from=str(tmp_path / "missing.pt")))


def test_a_run_fails_whose_minutes_are_over_before_it_has_learned(tmp_path: Path) -> None:
    config = small_config(minutes=1e-6, iterations=None, synchronous=False)
    run = small_run(tmp_path, config)
    expected = r"nothing was learned: in \d+ s 0 games with 0 positions ended, and a step needs 64 positions"
    with pytest.raises(BadRun, match=expected):
        train_run(ALPHAZERO, run, config, lambda amount: None)
    assert (run.status.state, run.summary()) == (RunState.FAILED, None)


class Clock:
    """A clock that only what a test names moves: so much at each look."""

    def __init__(self, tick: float) -> None:
        self.tick, self.now = tick, 0.0

    def perf_counter(self) -> float:
        self.now += self.tick
        return self.now


def test_self_play_learning_and_evaluation_look_at_the_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(0.5)
    monkeypatch.setattr(module, "time", clock)
    changes: dict[str, Any] = {"self_play__plies": 1000, "evaluation__every": 1, "learning__passes": 50.0}
    run, summary = trained(tmp_path, small_config(minutes=1, iterations=None, synchronous=False, **changes))
    assert 60 * 0.75 < clock.now < 60 + 40 * clock.tick
    assert summary["seconds"] == pytest.approx(60, rel=0.25)
    assert (run.folder / "net.pt").is_file()


def test_the_minutes_begin_with_the_command_and_hold_the_compilation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(0.2)

    def compile_slowly(*given: object) -> None:
        clock.now += 20.0

    monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr(module, "compile_games", compile_slowly)
    config = small_config(minutes=1, iterations=None, synchronous=False, self_play__plies=1000)
    run = replace(small_run(tmp_path, config), began=-15.0)
    summary = train(config, run, lambda amount: None)
    assert 30 < clock.now < 60 - 15 + 40 * clock.tick
    assert summary["seconds"] == pytest.approx(60, rel=0.25)


def test_the_minutes_hold_what_the_files_of_the_network_take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, write = Clock(0.2), module.Learner.agent

    def write_slowly(learner: module.Learner) -> bytes:
        clock.now += 10.0
        return write(learner)

    monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr(module.Learner, "agent", write_slowly)
    changes: dict[str, Any] = {"self_play__plies": 1000, "learning__passes": 50.0, "checkpoint_every": 1000}
    trained(tmp_path, small_config(minutes=1, iterations=None, synchronous=False, **changes))
    assert 45 < clock.now < 70


def test_a_pause_is_obeyed(tmp_path: Path) -> None:
    config = small_config()
    run = small_run(tmp_path, config)
    run.request_pause()
    with pytest.raises(RunPaused):
        train(config, run, lambda amount: None)
    assert (run.folder / "net.pt").is_file()
    assert json.loads((run.folder / "checkpoints" / "latest.json").read_text())["state"]["iteration"] == 1
