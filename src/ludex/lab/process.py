"""The process of one job: `python -m ludex.lab.process FOLDER`.

It holds the job's lock from its first step to its last. Killed at any moment, it leaves a job that the supervisor finds
without a holder, and resumes from what was checkpointed.
"""

import logging
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from ludex.core.errors import AgentFault, LudexError, RunPaused
from ludex.core.executor import MOST_DEATHS
from ludex.core.log import configure, logger
from ludex.core.system import limit_memory, lower_priority
from ludex.lab.job import Job, JobState, JobStatus
from ludex.lab.limits import JobLimits
from ludex.lab.watch import TOO_MUCH_MEMORY, Watch
from ludex.operations.requests import run_request

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
