"""A run whose process is killed as by `kill -9` ends with the weights of a run that nothing interrupted."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from ludex.learn import checkpoints
from ludex.learn.alphazero import train as module
from ludex.learn.alphazero.export import load_net
from ludex.learn.alphazero.train import train
from ludex.learn.runs import Run
from tests.killing import Killed
from tests.learn.alphazero.miniature import small_config, small_run

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
DYING = """
import os, signal, sys
from pathlib import Path
from ludex.learn import checkpoints
from ludex.learn.alphazero.train import train
from ludex.learn.runs import Run
from tests.learn.alphazero.miniature import small_config

written = checkpoints.save_tensors

def killed_within_a_checkpoint(path, held):
    written(path, held)
    if path.stem.endswith("4"):
        os.kill(os.getpid(), signal.SIGKILL)

checkpoints.save_tensors = killed_within_a_checkpoint
folder = Path(sys.argv[1])
train(small_config(learning__ownership_weight=0.2), Run.open(folder.parent, folder.name), lambda amount: None)
"""
"""The tensors and the positions of a checkpoint lie there when it dies; the document that names them does not."""


def kill_process(run: Run) -> None:
    child = subprocess.run(
        [sys.executable, "-c", DYING, str(run.folder)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert child.returncode == -signal.SIGKILL, child.stderr


def break_off(run: Run) -> None:
    """End a training here as `DYING` does in another process."""
    written = checkpoints.save_tensors

    def killed_within_a_checkpoint(path: Path, held: dict[str, Any]) -> None:
        written(path, held)
        if path.stem.endswith("4"):
            raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoints, "save_tensors", killed_within_a_checkpoint)
        with pytest.raises(Killed):
            train(
                small_config(learning__ownership_weight=0.2),
                Run.open(run.folder.parent, run.folder.name),
                lambda amount: None,
            )


@pytest.mark.parametrize("end", [break_off, pytest.param(kill_process, marks=pytest.mark.full)])
def test_a_run_killed_while_it_writes_a_checkpoint_ends_bit_for_bit(
    end: Callable[[Run], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "export_net", lambda *given: None)
    config = small_config(learning__ownership_weight=0.2)
    whole, run = small_run(tmp_path / "whole", config), small_run(tmp_path / "killed", config)
    end(run)
    latest = json.loads((run.folder / "checkpoints" / "latest.json").read_text())
    assert latest["state"]["iteration"] == 2
    assert len([*(run.folder / "checkpoints").glob("*.pt")]) == 2, "one of them is half a checkpoint"
    train(config, Run.open(run.folder.parent, run.folder.name), lambda amount: None)
    train(config, whole, lambda amount: None)
    expected, weights = (load_net(one.folder / "net.pt", torch.device("cpu")).state_dict() for one in (whole, run))
    assert expected.keys() == weights.keys()
    assert all(torch.equal(expected[name], weights[name]) for name in expected)
    assert len([*(run.folder / "checkpoints").glob("*.pt")]) == 1
    counted = ("iteration", "loss", "games", "window", "steps")
    rows = [[{key: row.get(key) for key in counted} for row in one.metrics()] for one in (whole, run)]
    assert rows[0] == rows[1]
