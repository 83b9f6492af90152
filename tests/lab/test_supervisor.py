"""Real processes of jobs: killed, found again by their locks, resumed to the same result."""

import errno
import json
import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from ludex.core.folders import runs_folder, tournaments_folder
from ludex.lab.job import ENDED, Job, JobState
from ludex.lab.jobs import list_jobs, resume
from ludex.lab.limits import JobLimits
from ludex.lab.supervisor import Supervisor, is_supervised
from ludex.learn.runs import Run
from tests.cli.conftest import Ludex, ludex
from tests.lab.working import ENDLESS, LIMITS, PLAY, TRAIN, TUNE, queue, until_state
from tests.waiting import until

__all__ = ["ludex"]


@pytest.fixture
def supervisors() -> Iterator[list[Supervisor]]:
    """Those that a test starts; the jobs that they leave are killed."""
    started: list[Supervisor] = []
    yield started
    for process in started:
        process.close()
    for job in list_jobs():
        if job.is_locked():
            kill(job)


def supervise(started: list[Supervisor], **limits: int) -> Supervisor:
    supervisor = Supervisor(JobLimits(**limits))
    started.append(supervisor)
    supervisor.start()
    return supervisor


def kill(job: Job) -> None:
    """As `kill -9` does."""
    assert job.pid is not None
    os.kill(job.pid, signal.SIGKILL)
    until(lambda: not job.is_locked(), "the end of the process")


def rows(job: Job) -> int:
    return Run(runs_folder() / job.runs[0]).rows() if job.runs else 0


def trained(run: str) -> tuple[list[Any], str]:
    """What training left: the metrics, and the digest of the ranking."""
    training = Run(runs_folder() / run)
    summary = training.summary()
    assert summary is not None
    return training.metrics(), str(summary["ranking_sha256"])


def pairs(name: str) -> list[str]:
    """The games of a tournament, without times, in the order of their places."""
    lines = (tournaments_folder() / name / "journal.jsonl").read_text().splitlines()[1:]
    return sorted(json.dumps(without_times(json.loads(line)), sort_keys=True) for line in lines)


def without_times(line: Any) -> Any:
    if isinstance(line, dict):
        return {key: without_times(value) for key, value in line.items() if key not in ("micros", "digest")}
    return [without_times(value) for value in line] if isinstance(line, list) else line


@pytest.mark.slow
def test_kills_lose_nothing_and_the_result_is_that_of_the_command(supervisors: list[Supervisor], ludex: Ludex) -> None:
    job, played = queue(TRAIN), queue(PLAY)
    first = supervise(supervisors, jobs_at_once=2)
    until(lambda: rows(job) >= 2, "two checkpoints")
    # The job's own process dies: the supervisor begins it again.
    kill(job)
    died = job.pid
    until(lambda: job.pid != died and rows(job) >= 4, "the next process")
    # The supervisor ends: its job goes on, and the next one finds it by its lock.
    alive, name = job.pid, job.runs
    first.close()
    assert job.status.state in (JobState.RUNNING, JobState.FINISHED)
    supervise(supervisors, jobs_at_once=2)
    until_state(job, *ENDED)
    until_state(played, *ENDED)
    assert (job.status.state, played.status.state) == (JobState.FINISHED, JobState.FINISHED), job.log_tail()
    assert (job.pid, job.runs) == (alive, name)
    # The same by the command line.
    ludex("train", "tictactoe", "--set", "games=600", "--set", "checkpoint_every=40", "--name", "alone")
    (other,) = {path.name for path in runs_folder().iterdir()} - {*job.runs}
    assert trained(job.runs[0]) == trained(other)
    ludex("tournament", "tictactoe", "--agents", "random,perfect", "--games", "4", "--name", "alone")
    assert played.tournament == played.id
    assert pairs(played.id) == pairs("alone") != []


@pytest.mark.slow
def test_a_tuning_that_is_killed_goes_on_from_its_journal(supervisors: list[Supervisor], ludex: Ludex) -> None:
    job = queue(TUNE)
    journal = job.folder / "journal.jsonl"

    def finished() -> list[str]:
        return journal.read_text().splitlines()[1:] if journal.exists() else []

    supervise(supervisors)
    until(lambda: len(finished()) >= 2, "two iterations")
    kill(job)
    before = finished()
    assert len(before) < TUNE["iterations"]
    until_state(job, *ENDED)
    assert job.status.state is JobState.FINISHED, job.log_tail()
    # What was finished before the kill was not played again, and the result is that of the command.
    assert finished()[: len(before)] == before
    assert len(finished()) == TUNE["iterations"]
    flags = ("--agent", TUNE["agent"], "--options", "bias", "--iterations", "60", "--pairs", "2")
    alone = json.loads(ludex("tune", "tictactoe", *flags, "--proof", "20", "--opening-plies", "2", "--json").stdout)
    assert job.result is not None
    assert (job.result["tuned"], job.result["options"]) == (alone["tuned"], alone["options"])


@pytest.mark.slow
def test_both_killed_then_paused_resumed_and_cancelled(supervisors: list[Supervisor]) -> None:
    job, second = queue(ENDLESS), queue(ENDLESS)
    first = supervise(supervisors)
    until(lambda: rows(job) >= 2, "two checkpoints")
    assert job.pid is not None
    # It stands back, has a session of its own, and one runs at a time: the second waits.
    assert os.getpriority(os.PRIO_PROCESS, job.pid) == min(19, os.nice(0) + 10)
    assert os.getsid(job.pid) == job.pid
    assert second.status.state is JobState.QUEUED
    first.close()
    kill(job)
    assert job.status.state is JobState.INTERRUPTED
    before = rows(job)
    supervise(supervisors)
    # The one that was interrupted goes before the one that waits.
    until(lambda: rows(job) > before + 2, "progress after the restart")
    assert second.status.state is JobState.QUEUED
    metrics = Run(runs_folder() / job.runs[0]).metrics()
    assert [row["games"] for row in metrics] == [10 * (row + 1) for row in range(len(metrics))]
    job.request_pause()
    until_state(job, JobState.PAUSED)
    assert f"paused; go on with: ludex jobs resume {job.id}" in job.log_tail()
    until_state(second, JobState.RUNNING)
    second.cancel()
    until_state(second, JobState.CANCELLED)
    resume(job, LIMITS)
    until_state(job, JobState.RUNNING)
    job.cancel()
    until_state(job, JobState.CANCELLED)
    assert not job.is_locked()


@pytest.mark.slow
def test_a_process_that_cannot_begin_is_a_failure_with_its_last_words(
    supervisors: list[Supervisor], monkeypatch: pytest.MonkeyPatch
) -> None:
    job = queue(PLAY)
    monkeypatch.setenv("LUDEX_LOG", "loud")
    supervise(supervisors)
    until_state(job, JobState.FAILED)
    assert "LUDEX_LOG must be 'text' or 'json'" in str(job.status.reason)


def test_processes_that_end_without_a_word_are_started_more_and_more_rarely(
    supervisors: list[Supervisor], monkeypatch: pytest.MonkeyPatch
) -> None:
    job, now, started = queue(PLAY), [100.0], list[float]()

    class Ended:
        """A process that could not even write why."""

        returncode = 0

        def __init__(self, *_: object, **__: object) -> None:
            started.append(now[0])
            job.set_status(JobState.RUNNING)

        def poll(self) -> int:
            return 1

    monkeypatch.setattr("ludex.lab.supervisor.subprocess.Popen", Ended)
    monkeypatch.setattr("ludex.lab.supervisor.time.monotonic", lambda: now[0])
    supervisor = Supervisor(LIMITS)
    supervisors.append(supervisor)
    while now[0] < 140.0:
        supervisor.tick()
        now[0] += 1.0
    assert started == [100.0, 101.0, 107.0, 118.0, 134.0]


def test_jobs_work_goes_on_after_a_failure(supervisors: list[Supervisor], monkeypatch: pytest.MonkeyPatch) -> None:
    job, failures = queue(PLAY), [OSError(errno.ENOSPC, "No space left on device")]
    supervisor = Supervisor(LIMITS)
    supervisors.append(supervisor)

    def begin(started: Job) -> None:
        if failures:
            raise failures.pop()
        started.set_status(JobState.FINISHED)

    monkeypatch.setattr(supervisor, "_begin", begin)
    supervisor.run(until_empty=True, refused=lambda: pytest.fail("another process is the supervisor"))
    assert job.status.state is JobState.FINISHED


def test_one_process_is_the_supervisor(supervisors: list[Supervisor]) -> None:
    job = queue(PLAY)
    assert not is_supervised(job.folder.parent)
    first, second = Supervisor(JobLimits(jobs_at_once=0)), Supervisor(LIMITS)
    supervisors += [first, second]
    assert first.tick()
    assert is_supervised(job.folder.parent)
    assert not second.tick()
    first.close()
    assert not is_supervised(job.folder.parent)
