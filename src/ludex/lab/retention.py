"""For how long what the laboratory made is kept."""

import shutil
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ludex.arena.saved_tournament import JOURNAL
from ludex.core.errors import BadJob, BadRun
from ludex.core.folders import runs_folder, tournaments_folder
from ludex.core.journal import lock_file
from ludex.core.log import logger
from ludex.core.system import is_locked
from ludex.lab.job import ENDED, Job, JobConflict
from ludex.lab.jobs import list_jobs
from ludex.lab.limits import JobLimits
from ludex.learn.runs import Run, RunState

log = logger("lab.retention")


def delete_with_work(job: Job) -> None:
    """Delete a job that no process works on, with its runs and its tournament, except those that another job names.

    Raises `JobConflict` if another process works on one of them.
    """
    folders = _work_of(job)
    for other in list_jobs(job.folder.parent):
        # A damaged job names nothing.
        with suppress(BadJob):
            folders -= _work_of(other) if other.id != job.id else set()
    for folder in folders:
        if _is_running(Run(folder)):
            raise JobConflict(f"run {folder.name!r} of job {job.id!r} is being trained by another process")
        if is_locked(lock_file(folder / JOURNAL)):
            raise JobConflict(f"tournament {folder.name!r} of job {job.id!r} is being played by another process")
    # First, since it raises if the job itself is worked on.
    job.delete()
    for folder in folders:
        # First, so that a folder that is deleted halfway is no run.
        (folder / "run.json").unlink(missing_ok=True)
        shutil.rmtree(folder)


def delete_old(limits: JobLimits, now: datetime | None = None) -> list[str]:
    """Delete jobs that ended so many days ago, with what they made; returns their ids. Without days all are kept."""
    if limits.lab_days is None:
        return []
    before = (now or datetime.now(UTC)) - timedelta(days=limits.lab_days)
    deleted = []
    for job in list_jobs():
        try:
            if job.status.state in ENDED and job.updated_utc < before.isoformat():
                delete_with_work(job)
                deleted.append(job.id)
                log.info("deleted", job=job.id, days=limits.lab_days)
        except (BadJob, JobConflict, OSError) as error:
            log.warning("kept", job=job.id, reason=str(error))
    return deleted


def _work_of(job: Job) -> set[Path]:
    """The folders of its runs and of its tournament."""
    runs = {runs_folder() / name for name in job.runs if (runs_folder() / name / "run.json").is_file()}
    tournament = tournaments_folder() / job.tournament if job.tournament is not None else None
    return runs | {tournament} if tournament is not None and tournament.is_dir() else runs


def _is_running(run: Run) -> bool:
    try:
        return run.status.state is RunState.RUNNING
    except BadRun:
        return False
