"""The states of a job: those of a training run, and cancelled."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class JobState(StrEnum):
    """Where a job stands; only `running` depends on a live process, which holds the job's lock."""

    QUEUED = "queued"
    """Waits for its turn."""
    RUNNING = "running"
    """A live process works on it."""
    PAUSED = "paused"
    """Stopped on request; it can be resumed."""
    FINISHED = "finished"
    """Done, with a result."""
    FAILED = "failed"
    """Ended by an error or a limit, which its reason names; it can be resumed."""
    INTERRUPTED = "interrupted"
    """Its process died; the supervisor resumes it."""
    CANCELLED = "cancelled"
    """Ended on request for good; what it made so far is kept."""


RESUMABLE: Final = frozenset({JobState.PAUSED, JobState.FAILED, JobState.INTERRUPTED})
ACTIVE: Final = frozenset({JobState.QUEUED, JobState.RUNNING, JobState.INTERRUPTED})
ENDED: Final = frozenset({JobState.FINISHED, JobState.FAILED, JobState.CANCELLED})


@dataclass(frozen=True, slots=True)
class JobStatus:
    """A job's state, with the reason if it has failed or paused by itself."""

    state: JobState
    reason: str | None = None
