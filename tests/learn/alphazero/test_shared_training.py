"""Two processes train one network: equal weights in both, and a killed group goes on as if it had not been."""

import json
from pathlib import Path

import pytest

from tests.learn.alphazero.miniature import small_config, small_run
from tests.learn.process_group import ended, start

pytestmark = pytest.mark.full


def trained(folder: Path, last: int, code: int) -> list[str]:
    """The digests of the weights that play after each iteration."""
    results = ended(start(2, "-m", "tests.learn.alphazero.shared_training", str(folder), str(last)), 200)
    assert [one for one, _, _ in results] == [code, code], results
    digests: list[list[str]] = [json.loads(out) for _, out, _ in results]
    assert digests[0] == digests[1]
    return digests[0]


def test_two_processes_train_one_network_and_go_on_after_a_kill(tmp_path: Path) -> None:
    config = small_config(iterations=5)
    whole, killed = small_run(tmp_path / "whole", config), small_run(tmp_path / "killed", config)
    expected = trained(whole.folder, 99, 0)
    assert len(set(expected)) == 5
    # Killed in its fourth iteration, it resumes from the checkpoint after its second.
    assert trained(killed.folder, 3, 3) == expected[:3]
    assert trained(killed.folder, 99, 0) == expected[2:]
