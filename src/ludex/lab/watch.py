"""Watches over a job from inside its process: requests, limits on time, memory and disk, progress.

A thread reads the requests in the job's folder and interrupts the work as Ctrl-C does. Work that goes on is killed.
"""

import _thread
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from ludex.core.errors import LudexError
from ludex.core.log import logger
from ludex.core.system import tree_memory
from ludex.lab.job import Job, JobState, JobStatus, Progress
from ludex.lab.limits import DiskQuota, JobLimits, require_disk
from ludex.operations.operation import Pausable

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
log = logger("lab.watch")


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
        if time.monotonic() - self._reported >= REPORT_SECONDS:
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
