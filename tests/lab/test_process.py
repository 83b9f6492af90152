"""The process of a job, run in this one: how work ends, and what its folder says then."""

import errno
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from ludex.core.errors import BadRun, RunPaused
from ludex.core.system import tree_memory
from ludex.lab import process as watching
from ludex.lab.job import Job, JobState, JobStatus, Progress
from ludex.lab.jobs import resume
from ludex.lab.limits import JobLimits
from ludex.lab.process import BUSY, FAILED, OK, Watch, run
from tests.lab.working import LIMITS, TRAIN, queue


def worked(job: Job, call: Any, limits: JobLimits = LIMITS) -> int:
    with job.lock() as has_lock:
        assert has_lock
        return run(job, limits, call)


def raising(error: BaseException) -> Any:
    def call(job: Job, watch: Watch) -> dict[str, Any]:
        raise error

    return call


def waiting(job: Job, watch: Watch) -> dict[str, Any]:
    """Work that ends only by an interrupt."""
    threading.Event().wait(60)
    raise AssertionError("not interrupted")


def test_a_finished_job_has_a_result() -> None:
    job = queue(TRAIN)

    def call(job: Job, watch: Watch) -> dict[str, Any]:
        with watch.progress("steps", 10) as advance:
            advance(4)
            advance(6)
        return {"done": True}

    assert worked(job, call) == OK
    assert (job.status, job.result) == (JobStatus(JobState.FINISHED), {"done": True})
    assert job.progress == Progress(10, 10)
    # Another process that was started for it leaves it alone.
    assert worked(job, call) == BUSY


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (BadRun("the run is damaged"), "the run is damaged"),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero"),
        (MemoryError(), "it needed more memory than LUDEX_JOB_MEMORY_MB allows"),
    ],
)
def test_a_failed_job_says_its_reason_and_can_be_resumed(error: Exception, reason: str) -> None:
    job = queue(TRAIN)
    assert worked(job, raising(error)) == FAILED
    assert job.status == JobStatus(JobState.FAILED, reason)
    resume(job, LIMITS)
    assert worked(job, lambda job, watch: {}) == OK
    assert job.status == JobStatus(JobState.FINISHED)


@pytest.mark.skipif(sys.platform != "linux", reason="only /proc says what other processes hold")
def test_the_processes_of_a_job_share_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "MEMORY_SECONDS", 0.0)
    own = tree_memory()
    assert own is not None
    # Far less than the other process takes is left, since processes of earlier tests may still end.
    limits = LIMITS.model_copy(update={"job_memory_mb": max(256, (own >> 20) + 160)})

    def call(job: Job, watch: Watch) -> dict[str, Any]:
        hold = "import sys; held = bytearray(512 << 20); sys.stdin.read()"
        with subprocess.Popen([sys.executable, "-c", hold], stdin=subprocess.PIPE) as child:
            try:
                return waiting(job, watch)
            finally:
                child.kill()

    job = queue(TRAIN)
    assert worked(job, lambda job, watch: {}, limits) == OK
    job = queue(TRAIN)
    assert worked(job, call, limits) == FAILED
    assert job.status == JobStatus(JobState.FAILED, "it needed more memory than LUDEX_JOB_MEMORY_MB allows")


def test_work_that_pauses_by_itself_says_why() -> None:
    job = queue(TRAIN)
    assert worked(job, raising(RunPaused("run 'a' is paused"))) == OK
    assert job.status == JobStatus(JobState.PAUSED, "run 'a' is paused")


@pytest.mark.parametrize(("request_name", "state"), [("cancel", JobState.CANCELLED), ("pause", JobState.PAUSED)])
def test_a_request_ends_the_work_promptly(request_name: str, state: JobState) -> None:
    job = queue(TRAIN)

    def call(job: Job, watch: Watch) -> dict[str, Any]:
        (job.folder / request_name).touch()
        return waiting(job, watch)

    assert worked(job, call) == OK
    assert (job.status, job.requested) == (JobStatus(state), None)


class Training:
    """Stands for a run: notes what is requested of it."""

    def __init__(self) -> None:
        self.requested, self.withdrawn = threading.Event(), threading.Event()

    def request_pause(self) -> None:
        self.requested.set()

    def withdraw_pause(self) -> None:
        self.withdrawn.set()


def test_training_may_reach_its_checkpoint_before_it_pauses() -> None:
    job = queue(TRAIN)

    def call(job: Job, watch: Watch) -> dict[str, Any]:
        watch.set_pausable((training := Training(),))
        (job.folder / "pause").touch()
        assert training.requested.wait(60)
        raise RunPaused("paused")

    assert worked(job, call) == OK
    assert job.status == JobStatus(JobState.PAUSED)


def test_training_that_is_resumed_before_its_checkpoint_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    job, now = queue(TRAIN), [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    def call(job: Job, watch: Watch) -> dict[str, Any]:
        for _ in range(2):
            watch.set_pausable((training := Training(),))
            job.request_pause()
            assert training.requested.wait(60)
            resume(job, LIMITS)
            assert training.withdrawn.wait(60)
            # The next pause has its time for a checkpoint again.
            now[0] += watching.SOFT_SECONDS + 1
        return {}

    assert worked(job, call) == OK
    assert job.status == JobStatus(JobState.FINISHED), job.status


class Refusing(Training):
    """Cannot be asked to pause."""

    def request_pause(self) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(("training", "seconds"), [(Training(), 0.0), (Refusing(), watching.SOFT_SECONDS)])
def test_training_that_reaches_no_checkpoint_is_interrupted(
    training: Training, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "SOFT_SECONDS", seconds)
    job = queue(TRAIN)

    def call(job: Job, watch: Watch) -> dict[str, Any]:
        watch.set_pausable((training,))
        (job.folder / "pause").touch()
        return waiting(job, watch)

    assert worked(job, call) == OK
    assert job.status == JobStatus(JobState.PAUSED)


def test_a_request_before_the_start_is_granted_without_work() -> None:
    job = queue(TRAIN)
    (job.folder / "cancel").touch()
    assert worked(job, raising(AssertionError("it worked"))) == OK
    assert job.status == JobStatus(JobState.CANCELLED)


def test_the_time_limit_stops_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    job, now = queue(TRAIN), [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    def call(job: Job, watch: Watch) -> dict[str, Any]:
        now[0] = 61.0
        return waiting(job, watch)

    assert worked(job, call, JobLimits(job_minutes=1)) == FAILED
    assert job.status == JobStatus(JobState.FAILED, "stopped after 1 minutes, the limit LUDEX_JOB_MINUTES")


def test_a_job_whose_process_dies_again_and_again_fails() -> None:
    job = queue(TRAIN)
    for _ in range(5):
        # A process that is killed leaves this behind.
        job.begin()
    assert worked(job, raising(AssertionError("it worked"))) == FAILED
    assert job.status.reason == "its process died 5 times in a row without progress"


def test_progress_between_deaths_is_no_failure() -> None:
    job = queue(TRAIN)
    for done in range(1, 9):
        assert job.begin() == 0
        job.set_progress(Progress(done, 10))
