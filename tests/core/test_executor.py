"""Executors: every task once, in any process, and errors are not lost."""

import os
from pathlib import Path

import pytest

from ludex.core.errors import WorkerLost
from ludex.core.executor import Executor, InProcess, LocalProcesses, executor_for
from tests.core.tasks import dies_always, dies_once, process_id, square

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("executor", [InProcess(), LocalProcesses(2)], ids=["here", "processes"])
def test_every_task_is_done_once(executor: Executor) -> None:
    assert dict(executor.run(square, range(10))) == {number: number**2 for number in range(10)}


@pytest.mark.parametrize("executor", [InProcess(), LocalProcesses(2)], ids=["here", "processes"])
def test_an_error_in_a_task_reaches_the_caller(executor: Executor) -> None:
    with pytest.raises(ArithmeticError, match="unlucky"):
        dict(executor.run(square, range(20)))


def test_tasks_run_in_other_processes() -> None:
    assert os.getpid() not in dict(LocalProcesses(2).run(process_id, range(4))).values()


def test_closing_early_ends_the_pool() -> None:
    results = LocalProcesses(2).run(square, range(10**9))
    next(results)
    results.close()
    assert list(results) == []


def test_one_worker_needs_no_process() -> None:
    assert isinstance(executor_for(1), InProcess)
    with pytest.raises(ValueError, match="workers"):
        LocalProcesses(0)


def test_a_killed_worker_costs_only_time(tmp_path: Path) -> None:
    names = [f"{number}.deadly" if number in (3, 8) else f"{number}.txt" for number in range(12)]
    results = dict(LocalProcesses(2).run(dies_once, [str(tmp_path / name) for name in names]))
    assert results == {number: str(number) for number in range(12)}


def test_a_task_whose_worker_died_is_done_alone(tmp_path: Path) -> None:
    names = [str(tmp_path / ("7.deadly" if number == 7 else f"{number}.txt")) for number in range(12)]
    alone: list[str] = []

    def here(mark: str, prepare: object) -> str:
        alone.append(mark)
        return "alone"

    results = dict(LocalProcesses(2).run(dies_once, names, here))
    assert names[7] in alone
    assert results == {number: "alone" if name in alone else str(number) for number, name in enumerate(names)}


def test_a_task_that_kills_every_worker_is_named() -> None:
    with pytest.raises(WorkerLost, match="died 5 times while this was under way: 7"):
        dict(LocalProcesses(1).run(dies_always, [7]))
