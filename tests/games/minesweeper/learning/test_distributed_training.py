"""Two processes train one network: the curve of one, the same weights in both, and no waiting for one that died."""

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ludex.core.errors import BadConfig
from ludex.games.minesweeper.learning.network import build
from ludex.games.minesweeper.learning.ppo import Finetuning
from ludex.games.minesweeper.learning.training import train
from ludex.learn.distributed import Group
from ludex.learn.runs import Run
from tests.games.minesweeper.learning.support import TINY, new_run, tiny
from tests.games.minesweeper.learning.test_training import CPU, nothing, same, untimed, weights
from tests.learn.process_group import ended, start

ROUNDING = 1e-5
"""Losses are means over some hundred float32 terms, added in another order by two processes than by one."""
STRAYED = 1e-4
"""The mean over a layer's weights; their gradients move each by some thousandths."""
ENDLESS = "1000000"


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run that two processes have trained, by torchrun and the command line."""
    folder = tmp_path_factory.mktemp("pair")
    changes = [part for key, value in TINY.items() for part in ("--set", f"{key}={value}")]
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "ludex"]
    result = subprocess.run(
        [*command, "train", "minesweeper", "--config", "miniature", *changes, "--json"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    summary = json.loads(result.stdout)
    assert summary["processes"] == 2
    runs = list((folder / "runs").iterdir())
    assert len(runs) == 1, "one process alone makes the folder"
    return Run(runs[0])


@pytest.mark.full
def test_two_processes_have_the_curve_of_one(tmp_path: Path, pair: Run) -> None:
    alone = new_run(tmp_path, tiny())
    train(tiny(), alone, nothing)
    here, there = untimed(alone), untimed(pair)
    assert len(here) == len(there) > 10
    for one, other in zip(here, there, strict=True):
        assert other == _nearly(one)
    before, after = weights(alone.folder / "net.pt"), weights(pair.folder / "net.pt")
    # This bias is added to every logit and changes no probability: its gradient is rounding, which Adam makes large.
    for name in sorted(set(before) - {"policy_head.bias"}):
        assert float((before[name] - after[name]).abs().mean()) < STRAYED, name


def _nearly(row: dict[str, Any]) -> dict[str, Any]:
    return {
        key: pytest.approx(value, abs=ROUNDING, rel=ROUNDING) if isinstance(value, float) else value
        for key, value in row.items()
    }


@pytest.mark.full
def test_a_process_that_dies_ends_the_other_and_the_run_goes_on(tmp_path: Path, pair: Run) -> None:
    """Killed in stage B; resumed by two, the end is that of two never killed, to the bit; by one, nearly the same."""
    run = new_run(tmp_path, tiny())
    module = "tests.games.minesweeper.learning.shared_training"
    led, killed = ended(start(2, "-m", module, str(run.folder), "14"), 200)
    assert killed[0] == -signal.SIGKILL
    assert led[0] == 1, led
    assert "GroupFailed: another process of this training ended or fell silent" in led[2]
    assert not (run.folder / "net.pt").exists()
    assert [path.name for path in (run.folder / "checkpoints").glob("*.pt")] == ["ppo-000002.pt"]
    alone = Run(Path(shutil.copytree(run.folder, tmp_path / "alone")))
    again = ended(start(2, "-m", module, str(run.folder), ENDLESS), 200)
    assert [code for code, _, _ in again] == [0, 0], again
    assert same(weights(run.folder / "net.pt"), weights(pair.folder / "net.pt"))
    assert untimed(run) == untimed(pair)
    train(tiny(), alone, nothing)
    for one, other in zip(untimed(pair), untimed(alone), strict=True):
        assert other == _nearly(one)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"ppo.num_envs": 9}, "ppo.num_envs: 9 cannot be shared evenly by 2 processes"),
        ({"ppo.mini_batches": 64}, "transitions of a mini-batch .*: 1 cannot be shared evenly by 2 processes"),
    ],
)
def test_lanes_and_batches_must_be_even(changes: dict[str, int], said: str) -> None:
    config = tiny(**changes)
    with pytest.raises(BadConfig, match=said):
        Finetuning(config, build(config.model), build(config.model), CPU, Group(0, 2))
