"""Several processes learn the same as one, up to the order of sums, and none waits for one that died."""

import json
from typing import Any

import pytest
import torch

from ludex.core.errors import BadConfig, BadOption
from ludex.learn.distributed import ALONE, Group, current
from ludex.learn.launch import Launch, read_launch
from tests.cli.conftest import Ludex, ludex
from tests.learn.process_group import ended, start
from tests.learn.shared_update import curve

__all__ = ["ludex"]

CPU = torch.device("cpu")
ROUNDING = 2e-5
"""Sums of a few dozen float32 terms in another order, through fifteen steps of Adam."""


@pytest.mark.slow
def test_two_processes_have_the_curve_of_one() -> None:
    results = ended(start(2, "-m", "tests.learn.shared_update"), 120)
    assert [code for code, _, _ in results] == [0, 0], results
    curves: list[Any] = [json.loads(out) for _, out, _ in results]
    assert curves[0] == curves[1], "every process must have the same losses and the same weights, to the bit"
    alone = curve(ALONE, 5)
    assert len(alone) == len(curves[0]) == 16
    for here, there in zip(alone, curves[0], strict=True):
        assert there == pytest.approx(here, abs=ROUNDING)


def test_the_lanes_of_all_processes_are_those_of_one() -> None:
    def generator() -> torch.Generator:
        return torch.Generator().manual_seed(7)

    groups = [Group(rank, 3) for rank in range(3)]
    whole = torch.rand(6, 4, generator=generator())
    assert torch.equal(torch.cat([group.rand(2, 4, generator=generator(), device=CPU) for group in groups]), whole)
    drawn = torch.randint(2, 9, (6,), generator=generator())
    parts = [group.randint(2, 9, 2, generator=generator(), device=CPU) for group in groups]
    assert torch.equal(torch.cat(parts), drawn)
    rows = torch.arange(9)
    assert sorted(torch.cat([group.shard(rows) for group in groups]).tolist()) == rows.tolist()
    assert [group.is_main for group in groups] == [True, False, False]


def test_what_cannot_be_shared_evenly_is_refused() -> None:
    assert Group(1, 2).share(8, "lanes") == 4
    with pytest.raises(BadConfig, match="lanes: 9 cannot be shared evenly by 2 processes"):
        Group(1, 2).share(9, "lanes")


def test_a_process_started_alone_is_a_group_of_one() -> None:
    assert read_launch({}) == Launch(0, 1, 0)
    assert current() == ALONE
    assert read_launch({"RANK": "3", "WORLD_SIZE": "4", "LOCAL_RANK": "1"}) == Launch(3, 4, 1)


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"WORLD_SIZE": "2", "LOCAL_RANK": "0"}, "RANK must be a number .* found nothing"),
        ({"WORLD_SIZE": "two", "RANK": "0", "LOCAL_RANK": "0"}, "WORLD_SIZE must be a number .* found two"),
        ({"WORLD_SIZE": "2", "RANK": "2", "LOCAL_RANK": "0"}, r"RANK must be in 0\.\.1"),
    ],
)
def test_a_launch_that_is_none_is_named(environment: dict[str, str], said: str) -> None:
    with pytest.raises(BadOption, match=said):
        read_launch(environment)


def test_a_game_that_one_process_trains_refuses_more(ludex: Ludex) -> None:
    answer = ludex("train", "tictactoe", "--games", "1", WORLD_SIZE="2", RANK="0", LOCAL_RANK="0")
    assert answer.returncode == 2
    assert "tictactoe is trained by one process, found 2: start it without torchrun" in answer.stderr


def test_others_that_cannot_be_met_are_named(ludex: Ludex) -> None:
    answer = ludex("train", "minesweeper", "--device", "cpu", WORLD_SIZE="2", RANK="0", LOCAL_RANK="0")
    assert answer.returncode == 1
    assert "error [group_failed]: process 0 of 2 cannot meet the others" in answer.stderr
    assert "MASTER_ADDR" in answer.stderr
