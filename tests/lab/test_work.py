"""What jobs of each kind do, in this process: the results of the commands, and what is kept on the way."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ludex.core.executor import InProcess
from ludex.core.folders import runs_folder
from ludex.lab.job import Job, JobState
from ludex.lab.process import Watch, run, work
from ludex.learn.experiments import runs_of
from ludex.learn.loggers import LOGGERS, Log, LoggerSpec
from ludex.learn.runs import Run
from ludex.learn.trainings import train_by
from tests.arena.test_cluster import without_times
from tests.cli.conftest import Ludex, ludex
from tests.lab.working import LIMITS, TRAIN, queue

__all__ = ["ludex"]

SMALL = {**TRAIN, "changes": {"games": 20, "checkpoint_every": 10}}
EVALUATE = {"kind": "evaluation", "game": "tictactoe", "agent": "tactical", "opponents": ["random"], "games": 4}
DUEL = {"kind": "duel", "game": "tictactoe", "agents": ["tactical", "random"], "games": 4, "seed": 3}
TUNE: dict[str, Any] = {"kind": "tuning", "game": "tictactoe", "agent": "minimax:depth=2", "parameters": ["samples"]}
TUNE |= {"iterations": 2, "pairs": 1, "proof": 2}
PUZZLES = {"kind": "puzzles", "game": "tictactoe", "theme": "fork", "count": 2, "seed": 3}

STUMBLING = """
from pathlib import Path

from ludex.core.decision import Decision
from ludex.core.game import legal_actions

FOLDER = Path(__file__).parent


class Stumbles:
    name = "stumbles"

    def decide(self, view, legal, *, rng, limit):
        with (FOLDER / "moves").open("a") as moves:
            moves.write(".")
        if (FOLDER / "moves").stat().st_size > 15 and not (FOLDER / "healed").exists():
            raise ValueError("it stumbled")
        return Decision(legal_actions(legal)[0])
"""
"""An agent that fails after so many moves in all processes, until it is healed."""


def worked(job: Job) -> dict[str, Any]:
    with job.lock():
        run(job, LIMITS, work)
    assert job.status.state is JobState.FINISHED, job.status
    assert job.result is not None
    return job.result


def trained(one: Run) -> tuple[Any, Any]:
    summary = one.summary()
    assert summary is not None
    return one.metrics(), summary["ranking_sha256"]


@pytest.mark.slow
def test_seeds_and_a_sweep_are_one_job_with_the_runs_of_the_command(ludex: Ludex) -> None:
    job = queue(SMALL, seeds=2, sweep={"epsilon": [0.1, 0.2]})
    assert list(worked(job)["runs"]) == job.runs
    assert (len(job.runs), job.progress.done, job.progress.total) == (4, 80, 80)
    runs = [Run(runs_folder() / name) for name in job.runs]
    assert {one.group for one in runs} == {job.id}
    command = ("train", "tictactoe", "--set", "games=20", "--set", "checkpoint_every=10")
    ludex(*command, "--seeds", "2", "--sweep", "epsilon=0.1,0.2", "--name", "same")
    assert [*map(trained, runs)] == [*map(trained, runs_of(runs_folder(), "same"))]
    assert len({digest for _, digest in map(trained, runs)}) > 1


def test_a_job_writes_the_metrics_for_other_tools_too(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[tuple[dict[str, float], int]] = []

    @contextmanager
    def copy(run: Run, step: int) -> Iterator[Log]:
        yield lambda values, step: rows.append((dict(values), step))
        rows.append(({}, -1))

    monkeypatch.setitem(LOGGERS, "copy", LoggerSpec(copy, (), "train"))
    job = queue(SMALL, log=["copy"])
    worked(job)
    (made,) = (Run(runs_folder() / name) for name in job.runs)
    assert [(values.get("games"), step) for values, step in rows] == [(10.0, 0), (20.0, 1), (None, -1)]
    assert len(made.metrics()) == 2


def test_an_executor_trains_the_same_and_a_finished_run_is_left_alone() -> None:
    here, there = queue(SMALL), queue(SMALL)
    worked(here)
    (expected,) = (Run(runs_folder() / name) for name in here.runs)
    made = Run.create(runs_folder(), "tictactoe", "v1_01", expected.config_text)
    watch = Watch(there, LIMITS)
    with watch.progress("training", 40) as advance:
        train_by(InProcess(), [expected, made], advance)
    watch.report()
    assert trained(made) == trained(expected)
    assert there.progress.done == 40


@pytest.mark.parametrize(
    ("body", "command"),
    [
        (EVALUATE, "eval tictactoe --agent tactical --opponent random --games 4"),
        (DUEL, "match tictactoe --agents tactical,random --games 4 --seed 3"),
        (TUNE, "tune tictactoe --agent minimax:depth=2 --options samples --iterations 2 --pairs 1 --proof 2"),
    ],
    ids=["evaluation", "duel", "tuning"],
)
def test_a_job_is_the_command_and_goes_on_from_its_journal(body: dict[str, Any], command: str, ludex: Ludex) -> None:
    job = queue(body)
    document = worked(job)
    assert without_times(document) == without_times(json.loads(ludex(*command.split(), "--json").stdout))
    journals = {path: path.read_text() for path in job.folder.glob("*.jsonl")}
    job.set_status(JobState.QUEUED)
    assert worked(job) == document
    assert {path: path.read_text() for path in job.folder.glob("*.jsonl")} == journals != {}


@pytest.mark.slow
def test_puzzles_are_those_of_the_command(ludex: Ludex, own_folders: Path) -> None:
    job = queue(PUZZLES)
    assert worked(job)["puzzles"] == 2
    assert ludex("puzzles", "make", "tictactoe", "--theme", "fork", "--count", "2", "--seed", "3").returncode == 0
    assert (job.folder / "puzzles_fork.json").read_bytes() == (own_folders / "puzzles_fork.json").read_bytes()


def test_a_duel_that_an_agent_ends_fails_and_goes_on_from_its_pairs(
    own_folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (own_folders / "stumbling.py").write_text(STUMBLING)
    monkeypatch.setenv("PYTHONPATH", str(own_folders))
    monkeypatch.syspath_prepend(str(own_folders))
    job = queue({"kind": "duel", "game": "tictactoe", "agents": ["py:stumbling:Stumbles", "random"], "games": 8})
    with job.lock():
        run(job, LIMITS, work)
    assert (job.status.state, "it stumbled" in (job.status.reason or ""), job.result) == (JobState.FAILED, True, None)
    assert 0 < job.progress.done < 8
    (own_folders / "healed").touch()
    job.set_status(JobState.QUEUED)
    assert (worked(job)["games"], job.progress.done) == (8, 8)
