"""The disk: a quota that refuses and stops jobs, and jobs that are deleted when they are old."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ludex.core.folders import jobs_folder, runs_folder, tournaments_folder
from ludex.core.system import try_lock
from ludex.lab import process as watching
from ludex.lab.job import Job, JobConflict, JobState, JobStatus
from ludex.lab.jobs import list_jobs
from ludex.lab.limits import DiskQuota, JobLimits, folder_bytes, used_bytes
from ludex.lab.process import FAILED, Watch, run
from ludex.lab.retention import delete_old, delete_with_work
from ludex.learn.runs import Run
from tests.lab.test_process import waiting
from tests.lab.working import PLAY, TRAIN, queue

ONE_MB = JobLimits(lab_mb=1)


def fill(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "large").write_bytes(b"0" * (1 << 20))


def with_work() -> tuple[Job, Run]:
    """A finished job with a run and a tournament."""
    job = queue(TRAIN)
    made = Run.create(runs_folder(), "tictactoe", "v1_01", "")
    (tournaments_folder() / "cup").mkdir(parents=True)
    job.set_work(runs=[made.name], tournament="cup")
    job.set_status(JobState.FINISHED)
    return job, made


def test_what_is_used_is_counted() -> None:
    assert used_bytes() == 0
    for folder in (jobs_folder(), runs_folder() / "deep" / "er", tournaments_folder()):
        fill(folder)
    assert used_bytes() == 3 << 20
    assert folder_bytes(runs_folder()) == 1 << 20


def test_a_full_laboratory_takes_no_job() -> None:
    queue(TRAIN, ONE_MB)
    fill(runs_folder())
    with pytest.raises(DiskQuota, match=r"fill 1 of 1 MB, LUDEX_LAB_MB"):
        queue(TRAIN, ONE_MB)
    assert len(list_jobs()) == 1


def test_a_job_that_fills_the_disk_is_stopped_and_its_log_is_kept_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "DISK_SECONDS", 0.0)
    job = queue(TRAIN)
    (job.folder / "log.txt").write_text("")

    def call(job: Job, watch: Watch) -> dict[str, Any]:
        fill(runs_folder())
        return waiting(job, watch)

    with job.lock():
        assert run(job, ONE_MB, call) == FAILED
    assert "LUDEX_LAB_MB" in str(job.status.reason)
    with (job.folder / "log.txt").open("a") as file:
        file.write("x" * 900 + "the end")
        file.flush()
        job.trim_log(most=800)
        file.write(", and on")
    assert job.log_tail() == "x" * 93 + "the end, and on"


def test_a_job_is_deleted_with_its_work_only_on_request() -> None:
    job, made = with_work()
    job.delete()
    assert made.folder.is_dir()
    (tournaments_folder() / "cup").rmdir()
    job, made = with_work()
    with made.lock(), pytest.raises(JobConflict, match="is being trained by another process"):
        delete_with_work(job)
    delete_with_work(job)
    assert not made.folder.exists()
    assert not (tournaments_folder() / "cup").exists()
    assert list_jobs() == []


def test_a_tournament_that_another_process_plays_is_kept() -> None:
    job, made = with_work()
    with (tournaments_folder() / "cup" / "journal.jsonl.lock").open("w") as file:
        assert try_lock(file)
        with pytest.raises(JobConflict, match=r"tournament 'cup' of job .* is being played by another process"):
            delete_with_work(job)
    assert made.folder.is_dir()
    assert list_jobs() == [job]


def test_what_another_job_names_is_kept_until_that_is_deleted() -> None:
    job, made = with_work()
    other, damaged = queue(TRAIN), queue(TRAIN)
    other.set_work(runs=job.runs, tournament=job.tournament)
    (damaged.folder / "work.json").write_text("{")
    delete_with_work(job)
    assert made.folder.is_dir()
    assert (tournaments_folder() / "cup").is_dir()
    delete_with_work(other)
    assert not made.folder.exists()
    assert not (tournaments_folder() / "cup").exists()
    assert list_jobs() == [damaged]


def test_old_jobs_go_where_days_are_given() -> None:
    job, made = with_work()
    waits = queue(PLAY)
    later = datetime.now(UTC) + timedelta(days=8)
    assert delete_old(JobLimits(), later) == []
    assert delete_old(JobLimits(lab_days=9), later) == []
    assert delete_old(JobLimits(lab_days=7), later) == [job.id]
    assert not made.folder.exists()
    assert [one.id for one in list_jobs()] == [waits.id]
    assert waits.status == JobStatus(JobState.QUEUED)
