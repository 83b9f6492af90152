"""Games of workers: the learner goes on with what they bring, and a worker that is killed costs only time."""

import multiprocessing
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from ludex.learn.alphazero import train as module
from ludex.learn.alphazero.train import Learner, train
from tests.learn.alphazero.miniature import small_config, small_run

pytestmark = pytest.mark.slow


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
