"""Games of workers: the learner goes on with what they bring, and a worker that is killed costs only time."""

import multiprocessing
import os
import signal
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import ludex
from ludex.core.errors import BadRun
from ludex.learn.alphazero import sources
from ludex.learn.alphazero import train as module
from ludex.learn.alphazero.config import AlphaZeroConfig
from ludex.learn.alphazero.export import save_net
from ludex.learn.alphazero.network import AlphaZeroNet
from ludex.learn.alphazero.selfplay import Played, Samples
from ludex.learn.alphazero.sources import PlayTask
from ludex.learn.alphazero.train import Learner, train
from tests.learn.alphazero.miniature import small_config, small_run

CPU = torch.device("cpu")


class Noting:
    """An executor that notes the weights of its tasks, and plays nothing."""

    def __init__(self) -> None:
        self.weights: list[dict[str, torch.Tensor]] = []

    def run(self, call: Any, tasks: Iterable[PlayTask], alone: Any = None) -> Iterator[tuple[int, Played]]:
        for index, task in enumerate(tasks):
            self.weights.append(torch.load(BytesIO(task.weights), weights_only=True))
            none: Any = np.zeros(0)
            yield index, Played(Samples(*[none] * 6), none, none, 0, 0, (0, 0))


@pytest.fixture
def executors(monkeypatch: pytest.MonkeyPatch) -> list[Noting]:
    """Those that were made so far."""
    made: list[Noting] = []

    def executor(config: AlphaZeroConfig) -> Noting:
        made.append(Noting())
        return made[-1]

    monkeypatch.setattr(sources, "worker_executor", executor)
    return made


def worker_learner(folder: Path, **changes: Any) -> Learner:
    config = small_config(synchronous=False, workers=1, **changes)
    return Learner(config, folder, ludex.make("tictactoe"), CPU)


def assert_played(executors: list[Noting], weights: dict[str, torch.Tensor]) -> None:
    [executor] = executors
    assert all(torch.equal(held, weights[name]) for name, held in executor.weights[0].items())


def test_workers_of_a_resumed_run_begin_with_its_weights(tmp_path: Path, executors: list[Noting]) -> None:
    first, second = worker_learner(tmp_path), worker_learner(tmp_path)
    state, tensors = {"iteration": 1, **first.state()}, first.tensors()
    with pytest.raises(BadRun, match="weights of another network"):
        second.restore(state, {**tensors, "net": {}}, "a run")
    second.restore(state, tensors, "a run")
    assert not executors
    second.collect()
    second.close()
    assert_played(executors, first.average.state_dict())


def test_workers_begin_with_the_weights_of_another_run(tmp_path: Path, executors: list[Noting]) -> None:
    start = AlphaZeroNet(worker_learner(tmp_path).sizes)
    save_net(tmp_path / "net.pt", start)
    learner = worker_learner(tmp_path, start_from=str(tmp_path / "net.pt"))
    learner.open(lambda row: None)
    assert not executors
    learner.collect()
    learner.close()
    assert_played(executors, start.state_dict())


@pytest.mark.slow
def test_workers_feed_the_learner_though_one_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "export_net", lambda *given: None)
    changes: dict[str, Any] = {"learning__passes": 1.0, "learning__ownership_weight": 0.1, "self_play__games": 16}
    config = small_config(iterations=8, synchronous=False, workers=1, **changes)
    run, update = small_run(tmp_path, config), Learner.update
    killed: list[int] = []

    def killing(stage: Learner, batch: Any) -> Any:
        if not killed:
            for worker in multiprocessing.active_children():
                assert worker.pid is not None
                os.kill(worker.pid, signal.SIGKILL)
                killed.append(worker.pid)
        return update(stage, batch)

    monkeypatch.setattr(Learner, "update", killing)
    summary = train(config, run, lambda amount: None)
    assert len(killed) == 1
    assert summary["iterations"] == 8
    rows = [row for row in run.metrics() if "loss" in row]
    assert rows
    assert int(str(rows[-1]["steps"])) >= 4
    assert float(str(rows[-1]["ownership_loss"])) > 0
    assert killed[0] not in [worker.pid for worker in multiprocessing.active_children()]
