"""The process of one job: `python -m ludex.lab.process FOLDER`.

It holds the job's lock from its first step to its last. Killed at any moment, it leaves a job that the supervisor finds
without a holder, and resumes from what was checkpointed. A thread watches over the work, for requests and for limits on
time, memory and disk: it interrupts the work as Ctrl-C does, and kills what goes on.
"""

import _thread
import logging
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from ludex.core.errors import AgentFault, LudexError, RunPaused
from ludex.core.executor import MOST_DEATHS
from ludex.core.log import configure, logger
from ludex.core.system import limit_memory, lower_priority, tree_memory
from ludex.lab.job import Job, JobState, JobStatus, Progress
from ludex.lab.limits import DiskQuota, JobLimits, require_disk
from ludex.operations.operation import Pausable
from ludex.operations.requests import run_request

POLL_SECONDS: Final = 0.1
REPORT_SECONDS: Final = 1.0
"""The shortest time between two reports of progress."""
SOFT_SECONDS: Final = 20.0
"""How long training may take to its next checkpoint before a pause interrupts it."""
DISK_SECONDS: Final = 30.0
"""How often the size of logs, runs and tournaments is looked at."""
MEMORY_SECONDS: Final = 1.0
"""How often the memory of all processes of the job is looked at."""
GRACE_SECONDS: Final = 5.0
"""How long interrupted work may take to end before it is killed."""
TOO_MUCH_MEMORY: Final = "it needed more memory than LUDEX_JOB_MEMORY_MB allows"


class Watch:
    """One job's work."""

    def __init__(self, job: Job, limits: JobLimits) -> None:
        self._job = job
        self._limits = limits
        self._ends = time.monotonic() + 60 * limits.job_minutes
        self._progress = Progress()
        self._reported = 0.0
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self.end: JobStatus | None = None
        """Why the work is interrupted; None while nothing interrupts it."""
        self._pausable: Sequence[Pausable] = ()
        self._soft_until: float | None = None
        """When a pause interrupts what was asked to stop by itself; None while nothing was."""

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Interrupt nothing from now on; an interrupt under way is raised here at the latest."""
        self._closed.set()
        self._thread.join()
        time.sleep(0)

    @contextmanager
    def progress(self, label: str, total: int | None) -> Iterator[Callable[[int], None]]:
        """The work is so much in all; None: unknown."""
        self._progress = Progress(0, total)
        self.report()
        yield self.advance

    def set_pausable(self, pausable: Sequence[Pausable]) -> None:
        """What a pause asks to stop at its next checkpoint; without any, work is interrupted anywhere."""
        self._pausable = pausable

    def advance(self, amount: int) -> None:
        """So much more is done."""
        self._progress = Progress(self._progress.done + amount, self._progress.total)
        if self._progress.done == self._progress.total or time.monotonic() - self._reported >= REPORT_SECONDS:
            self.report()

    def report(self) -> None:
        """Write how much is done now."""
        self._reported = time.monotonic()
        self._job.set_progress(self._progress)

    def _work(self) -> None:
        looked = measured = time.monotonic()
        while not self._closed.wait(POLL_SECONDS):
            now = time.monotonic()
            requested = self._job.requested
            if now >= self._ends:
                reason = f"stopped after {self._limits.job_minutes} minutes, the limit LUDEX_JOB_MINUTES"
                self._interrupt(JobStatus(JobState.FAILED, reason))
                return
            if now - measured >= MEMORY_SECONDS:
                measured = now
                if (tree_memory() or 0) > self._limits.job_memory_mb << 20:
                    self._interrupt(JobStatus(JobState.FAILED, TOO_MUCH_MEMORY))
                    return
            if now - looked >= DISK_SECONDS:
                looked = now
                if (full := self._disk()) is not None:
                    self._interrupt(JobStatus(JobState.FAILED, full))
                    return
            if requested is JobState.CANCELLED:
                self._interrupt(JobStatus(JobState.CANCELLED))
                return
            if requested is not JobState.PAUSED:
                self._withdraw_pause()
            elif not self._may_reach_checkpoint(now):
                self._interrupt(JobStatus(JobState.PAUSED))
                return

    def _may_reach_checkpoint(self, now: float) -> bool:
        """Whether the work, asked to stop by itself, still has time for that."""
        if self._soft_until is None and self._pausable:
            try:
                for work in self._pausable:
                    work.request_pause()
            except (OSError, LudexError) as error:
                # As on a full disk: the interrupt needs no file.
                log.warning("pause", message=str(error))
                return False
            self._soft_until = now + SOFT_SECONDS
        return self._soft_until is not None and now < self._soft_until

    def _withdraw_pause(self) -> None:
        """Let work go on that was asked to stop by itself."""
        if self._soft_until is None:
            return
        try:
            self._soft_until = None
            for work in self._pausable:
                work.withdraw_pause()
        except OSError as error:
            # Requests must be read on.
            log.warning("resume", message=str(error))

    def _disk(self) -> str | None:
        """Keep the log short; returns why the job must stop if the laboratory has filled its share of the disk."""
        try:
            self._job.trim_log()
            require_disk(self._limits)
        except DiskQuota as error:
            return error.message
        except OSError as error:
            # Requests must be read on.
            log.warning("disk", message=str(error))
        return None

    def _interrupt(self, end: JobStatus) -> None:
        self.end = end
        _interrupt_main()
        if self._closed.wait(GRACE_SECONDS):
            return
        self._job.forget_requests()
        self._job.set_status(end.state, end.reason)
        if sys.platform != "win32" and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(1)


def _interrupt_main() -> None:
    """Raise `KeyboardInterrupt` in the main thread, also while it waits for something."""
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


OK: Final = 0
FAILED: Final = 1
BUSY: Final = 3
"""Another process has the job."""
JOURNAL: Final = "journal.jsonl"
log = logger("lab")
Work = Callable[[Job, Watch], dict[str, Any]]


def main(folder: Path) -> int:
    """Work on a job unless another process does; returns the exit code."""
    # A server's own handling of Ctrl-C, or none at all, may be inherited.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    limits, job = JobLimits.from_environment(), Job(folder)
    lower_priority(limits.job_niceness)
    limit_memory(limits.job_memory_mb << 20)
    configure(0)
    logging.getLogger("ludex.lab").setLevel(logging.INFO)
    with job.lock() as has_lock:
        return run(job, limits, work) if has_lock else BUSY


def work(job: Job, watch: Watch) -> dict[str, Any]:
    """Do what a job asks, from where it stands, and return its result."""
    request = job.request
    log.info("begin", job=job.id, **request.model_dump(mode="json", exclude_defaults=True))
    result = run_request(
        request,
        progress=watch.progress,
        note=lambda text: log.info(text, job=job.id),
        # A tournament that goes on may have been begun under another id.
        name=job.tournament or job.id,
        folder=job.folder,
        journal=job.folder / JOURNAL,
        is_stopped=lambda: job.requested is not None,
        stops=watch.set_pausable,
        works_on=lambda made: job.set_work(**made),
    )
    if result.is_partial:
        raise KeyboardInterrupt
    if result.pause_reason is not None:
        raise RunPaused(result.pause_reason)
    if result.failure is not None:
        raise AgentFault(result.failure)
    log.info("finished", job=job.id)
    return result.model_dump(mode="json")


def run(job: Job, limits: JobLimits, call: Work) -> int:
    """Work on a job whose lock is held, from its state to its end."""
    requested = job.requested
    if job.stored_state() not in (JobState.QUEUED, JobState.INTERRUPTED):
        # Another process was faster and has ended.
        return BUSY
    if requested is not None:
        job.forget_requests()
        job.set_status(requested)
        return OK
    if job.begin() >= MOST_DEATHS:
        job.set_status(JobState.FAILED, f"its process died {MOST_DEATHS} times in a row without progress")
        return FAILED
    watch = Watch(job, limits)
    watch.start()
    end, result = _outcome(job, watch, call)
    watch.report()
    job.forget_requests()
    if result is not None:
        job.finish(result)
        return OK
    job.set_status(end.state, end.reason)
    return FAILED if end.state is JobState.FAILED else OK


def _outcome(job: Job, watch: Watch, call: Work) -> tuple[JobStatus, dict[str, Any] | None]:
    """How the work ended, and its result if it was done."""
    try:
        try:
            result = call(job, watch)
        finally:
            watch.close()
    except RunPaused as error:
        return watch.end or JobStatus(JobState.PAUSED, None if job.requested else error.message), None
    except KeyboardInterrupt:
        return watch.end or JobStatus(JobState.INTERRUPTED), None
    except MemoryError:
        traceback.print_exc()
        return JobStatus(JobState.FAILED, TOO_MUCH_MEMORY), None
    except LudexError as error:
        return watch.end or JobStatus(JobState.FAILED, error.message), None
    except Exception as error:
        traceback.print_exc()
        return watch.end or JobStatus(JobState.FAILED, f"{type(error).__name__}: {error}"), None
    return JobStatus(JobState.FINISHED), result


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
