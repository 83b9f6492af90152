"""The queue of jobs, which one lock holds against every other process that adds to it, and how long they are kept."""

import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from ludex.arena.saved_tournament import JOURNAL
from ludex.core.errors import BadJob, BadOption, BadRun, LudexError
from ludex.core.folders import jobs_folder, make_folder, runs_folder, tournaments_folder
from ludex.core.journal import lock_file
from ludex.core.log import logger
from ludex.core.system import is_locked, lock
from ludex.lab.job import ACTIVE, DOCUMENT, ENDED, RESUMABLE, Job, JobConflict, JobState, UnknownJob
from ludex.lab.limits import JobLimits, require_disk
from ludex.learn.runs import Run, RunState
from ludex.operations.requests import JobRequest

ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,159}")
LONGEST_TITLE: Final = 100


class TooManyJobs(LudexError):
    """As many jobs wait as may."""


def new_id(request: JobRequest) -> str:
    """The id of a new job: kind, game, time and a random end."""
    return f"{request.kind}-{request.game}-{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"


def create(request: JobRequest, limits: JobLimits, job_id: str | None = None) -> Job:
    """A new job in the queue. Raises `TooManyJobs` and `DiskQuota`. The request must have been checked."""
    require_disk(limits)
    base = make_folder(jobs_folder(), "LUDEX_JOBS")
    with queue_lock(base):
        require_room(base, limits)
        job = Job(base / (job_id or new_id(request)))
        job.folder.mkdir()
        job.set_status(JobState.QUEUED)
        job.write_request(request, title_of(request))
    return job


def resume(job: Job, limits: JobLimits) -> None:
    """Queue a job again; a mere request to pause is withdrawn. Raises `JobConflict`, and `TooManyJobs`."""
    base = job.folder.parent
    with queue_lock(base), job.lock() as has_lock:
        if has_lock:
            job.require(job.stored_state(), *RESUMABLE, wanted="resumed")
            require_room(base, limits, besides=job.id)
            job.forget_requests()
            job.set_status(JobState.QUEUED)
            return
    if not job.withdraw_pause():
        raise JobConflict(f"job {job.id!r} is running")


def rename(job: Job, title: str) -> None:
    """Give a job another title. Raises `BadOption`."""
    title = check_title(title)
    with queue_lock(job.folder.parent):
        job.set_title(title)


def require_room(base: Path, limits: JobLimits, besides: str = "") -> None:
    """Raise `TooManyJobs` if no further job may wait, `besides` the one that is to."""
    active = sum(state_of(job) in ACTIVE for job in list_jobs(base) if job.id != besides)
    if active >= limits.jobs_at_once + limits.jobs_waiting:
        raise TooManyJobs(f"{active} jobs run or wait already: cancel one, or try again when one has ended")


def list_jobs(base: Path | None = None) -> list[Job]:
    """Every job, oldest first."""
    folder = jobs_folder() if base is None else base
    if not folder.is_dir():
        return []
    jobs = [Job(path) for path in folder.iterdir() if ID.fullmatch(path.name) and (path / DOCUMENT).is_file()]
    return sorted(jobs, key=_age)


def open_job(job_id: str) -> Job:
    """A job by its id. Raises `UnknownJob`."""
    folder = jobs_folder() / job_id
    if not ID.fullmatch(job_id) or not (folder / DOCUMENT).is_file():
        raise UnknownJob(f"no job is called {job_id!r}")
    return Job(folder)


def state_of(job: Job) -> JobState | None:
    """Its state; None for a folder that is damaged or was deleted meanwhile."""
    try:
        return job.status.state
    except BadJob:
        return None


def title_of(request: JobRequest) -> str:
    """The first title of a job, without words of any language."""
    return request.name if request.name is not None else request.title[:LONGEST_TITLE]


def check_title(title: str) -> str:
    """A title of one line. Raises `BadOption`."""
    title = title.strip()
    if not 1 <= len(title) <= LONGEST_TITLE or not title.isprintable():
        raise BadOption(f"a title is one line of 1 to {LONGEST_TITLE} characters, found {title!r:.200}")
    return title


@contextmanager
def queue_lock(base: Path) -> Iterator[None]:
    """Hold the queue against every other process that adds to it."""
    with (base / "queue.lock").open("a") as file:
        lock(file)
        yield


def _age(job: Job) -> tuple[str, str]:
    try:
        return job.created_utc, job.id
    except BadJob:
        # A damaged job is listed first; reading it raises.
        return "", job.id


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
