"""The supervisor of a machine's jobs: starts those that wait, and resumes those whose process died.

One process per folder of jobs is the supervisor, by a lock. It knows running jobs by their locks, so that it finds
those of a supervisor that was killed; processes outlive it, each in a session of its own.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from ludex.core.errors import BadJob, LudexError
from ludex.core.folders import jobs_folder, make_folder
from ludex.core.log import logger
from ludex.core.system import try_lock
from ludex.lab.job import ACTIVE, LOG, Job, JobState
from ludex.lab.jobs import delete_old, list_jobs, state_of
from ludex.lab.limits import JobLimits

LOCK: Final = "supervisor.lock"
POLL_SECONDS: Final = 0.5
BACKOFF_SECONDS: Final = 5.0
LONGEST_BACKOFF: Final = 60.0
RETENTION_SECONDS: Final = 3600.0
SECRETS: Final = ("LUDEX_SECRET", "LUDEX_ADMIN_TOKEN")
"""Variables of the server that no job needs."""
log = logger("lab.supervisor")


@dataclass(frozen=True, slots=True)
class _Backoff:
    """A job whose processes end before they can say why, as on a full disk, is started again more and more rarely."""

    ends: int = 0
    until: float = 0.0

    def next(self, now: float) -> "_Backoff":
        # The first end may have been a kill: the job goes on at once.
        return _Backoff(self.ends + 1, now + min(LONGEST_BACKOFF, self.ends * BACKOFF_SECONDS))


_READY: Final = _Backoff()


class Supervisor:
    """Starts jobs in the background until it is closed."""

    def __init__(self, limits: JobLimits) -> None:
        self._limits = limits
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        """Processes that this supervisor started, by job."""
        self._backoff: dict[str, _Backoff] = {}
        """By job, when a process that ended may be followed by the next."""
        self._deleted = -RETENTION_SECONDS
        """When old jobs were last deleted."""
        self._lock: IO[Any] | None = None
        self._woken = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._work, name="supervisor", daemon=True)

    def start(self) -> None:
        if self._limits.jobs_at_once:
            self._thread.start()

    def wake(self) -> None:
        """Look at the queue now."""
        self._woken.set()

    def close(self) -> None:
        """Start nothing from now on; running jobs go on."""
        self._closed.set()
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join()
        self.release()

    def run(self, *, until_empty: bool, refused: Callable[[], None]) -> None:
        """Work in this thread, `until_empty` only until no job runs or waits; `refused`: another process does it."""
        leads = True
        while True:
            led, leads = leads, self._guarded_tick(leads)
            if led and not leads:
                refused()
            if until_empty and leads and not self._children and not _any_left():
                return
            self._closed.wait(POLL_SECONDS)

    def release(self) -> None:
        """Give up the lock and the processes, which go on."""
        for child in self._children.values():
            if child.poll() is None:
                # It outlives us: no process here waits for it.
                child.returncode = 0
        self._children.clear()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def tick(self) -> bool:
        """Start what may start; False if another process is the supervisor of these jobs."""
        base = jobs_folder()
        if not base.is_dir():
            return True
        if not self._leads(base):
            return False
        self._reap(base)
        self._delete_old()
        jobs = [(job, state_of(job)) for job in list_jobs(base)]
        busy = {job.id for job, state in jobs if state is JobState.RUNNING} | self._children.keys()
        # Those that were interrupted are older than those that wait.
        waiting = [job for job, state in jobs if state in (JobState.INTERRUPTED, JobState.QUEUED)]
        now = time.monotonic()
        self._backoff = {job.id: self._backoff[job.id] for job in waiting if job.id in self._backoff}
        ready = [job for job in waiting if job.id not in busy and self._backoff.get(job.id, _READY).until <= now]
        for job in _in_turn(ready):
            if len(busy) >= self._limits.jobs_at_once:
                break
            self._begin(job)
            busy.add(job.id)
        return True

    def _work(self) -> None:
        while not self._closed.is_set():
            self._guarded_tick()
            self._woken.wait(POLL_SECONDS)
            self._woken.clear()

    def _guarded_tick(self, otherwise: bool = True) -> bool:
        """As `tick`; `otherwise` if that failed."""
        try:
            return self.tick()
        except (OSError, LudexError) as error:
            # A full disk may have room again later, a folder that vanished may be back.
            log.error("supervisor", message=str(error))
            return otherwise

    def _leads(self, base: Path) -> bool:
        if self._lock is None:
            file = (make_folder(base, "LUDEX_JOBS") / LOCK).open("a")
            if not try_lock(file, probes=1):
                file.close()
                return False
            self._lock = file
        return True

    def _begin(self, job: Job) -> None:
        environment = {name: value for name, value in os.environ.items() if name not in SECRETS}
        with (job.folder / LOG).open("ab") as output:
            self._children[job.id] = subprocess.Popen(
                [sys.executable, "-m", "ludex.lab.process", str(job.folder)],
                env={**environment, **self._limits.variables()},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                # Ctrl-C and the end of the server are not the job's.
                start_new_session=True,
            )
        log.info("start", job=job.id)

    def _delete_old(self) -> None:
        if time.monotonic() - self._deleted >= RETENTION_SECONDS:
            delete_old(self._limits)
            self._deleted = time.monotonic()

    def _reap(self, base: Path) -> None:
        for job_id, child in [*self._children.items()]:
            code = child.poll()
            if code is None:
                continue
            del self._children[job_id]
            log.info("end", job=job_id, code=code)
            self._backoff[job_id] = self._backoff.get(job_id, _READY).next(time.monotonic())
            job = Job(base / job_id)
            if code and state_of(job) is JobState.QUEUED:
                _fail(job, f"its process ended with code {code} before it began: {_last_line(job)}")


def is_supervised(base: Path) -> bool:
    """Whether a live process is the supervisor of these jobs."""
    try:
        file = (base / LOCK).open()
    except FileNotFoundError:
        return False
    with file:
        return not try_lock(file, probes=1)


def _any_left() -> bool:
    """Whether a job runs or waits for its turn."""
    return any(state_of(job) in ACTIVE for job in list_jobs())


def _in_turn(jobs: Sequence[Job]) -> list[Job]:
    def turn(job: Job) -> str:
        try:
            return job.queued_utc
        except BadJob:
            return ""

    return sorted(jobs, key=turn)


def _fail(job: Job, reason: str) -> None:
    with job.lock() as has_lock:
        if has_lock and job.stored_state() is JobState.QUEUED:
            job.set_status(JobState.FAILED, reason)


def _last_line(job: Job) -> str:
    return (job.log_tail().strip().splitlines() or ["it wrote nothing"])[-1]
