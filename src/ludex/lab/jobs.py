"""The queue of jobs: one lock holds it against every other process that adds to it."""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from ludex.core.errors import BadJob, BadOption, LudexError
from ludex.core.folders import jobs_folder, make_folder
from ludex.core.system import lock
from ludex.lab.job import ACTIVE, DOCUMENT, RESUMABLE, Job, JobConflict, JobState, UnknownJob
from ludex.lab.limits import JobLimits, require_disk
from ludex.operations.requests import JobRequest

ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,159}")
LONGEST_TITLE: Final = 100


class TooManyJobs(LudexError):
    """As many jobs wait as may."""


def new_id(request: JobRequest) -> str:
    """The id of a new job: kind, game, time and a random end."""
    return f"{request.kind}-{request.game}-{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


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
