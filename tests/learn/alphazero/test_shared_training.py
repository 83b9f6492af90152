"""Two processes train one network: equal weights in both, and a killed group goes on as if it had not been."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch

import ludex
from ludex.core.errors import BadRun
from ludex.learn.alphazero.train import Learner
from ludex.learn.distributed import ALONE, Group
from ludex.learn.runs import Row
from tests.learn.alphazero.miniature import small_config, small_run
from tests.learn.process_group import ended, start


def learner(folder: Path, group: Group) -> Learner:
    return Learner(small_config(), folder, ludex.make("tictactoe"), torch.device("cpu"), group)


def saved(stage: Learner, step: int) -> tuple[Row, dict[str, Any]]:
    """The checkpoint after so many steps."""
    stage.step = step
    return {"iteration": step, **stage.state()}, stage.tensors()


def test_the_parts_of_a_process_stay_as_long_as_a_checkpoint_needs_them(tmp_path: Path) -> None:
    group, parts = Group(1, 2), tmp_path / "replay-1"
    first = learner(tmp_path, group)
    files = [saved(first, step) and sorted(path.stem[-1] for path in parts.glob("*.pt")) for step in (2, 4, 6)]
    assert files == [["2"], ["2", "4"], ["4", "6"]]
    # The main process was killed before the last of them was complete.
    second = learner(tmp_path, group)
    second.restore(*saved(learner(tmp_path, Group(0, 2)), 4), "a run")
    saved(second, 5)
    assert sorted(path.stem[-1] for path in parts.glob("*.pt")) == ["4", "5"]


def test_another_number_of_processes_cannot_resume_a_run(tmp_path: Path) -> None:
    state, tensors = saved(learner(tmp_path, Group(0, 2)), 2)
    alone = learner(tmp_path, ALONE)
    with pytest.raises(BadRun, match="a run: its checkpoint is of a group of 2, found a group of 1"):
        alone.restore(state, tensors, "a run")
    state, tensors = saved(alone, 2)
    with pytest.raises(BadRun, match="of a group of 1, found a group of 2"):
        learner(tmp_path, Group(1, 2)).restore(state, tensors, "a run")


def trained(folder: Path, last: int, code: int) -> list[str]:
    """The digests of the weights that play after each iteration."""
    results = ended(start(2, "-m", "tests.learn.alphazero.shared_training", str(folder), str(last)), 200)
    assert [one for one, _, _ in results] == [code, code], results
    digests: list[list[str]] = [json.loads(out) for _, out, _ in results]
    assert digests[0] == digests[1]
    return digests[0]


@pytest.mark.full
def test_two_processes_train_one_network_and_go_on_after_a_kill(tmp_path: Path) -> None:
    config = small_config(iterations=5)
    whole, killed = small_run(tmp_path / "whole", config), small_run(tmp_path / "killed", config)
    expected = trained(whole.folder, 99, 0)
    assert len(set(expected)) == 5
    # Killed in its fourth iteration, it resumes from the checkpoint after its second.
    assert trained(killed.folder, 3, 3) == expected[:3]
    assert trained(killed.folder, 99, 0) == expected[2:]
