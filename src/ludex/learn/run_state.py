"""The states of a training run."""

from dataclasses import dataclass
from enum import StrEnum


class RunState(StrEnum):
    """Where a run stands; only `running` depends on a live process, which holds the run's lock."""

    QUEUED = "queued"
    """Created, and not begun."""
    RUNNING = "running"
    """A live process trains it."""
    PAUSED = "paused"
    """Stopped on request at a checkpoint; it can be resumed."""
    FINISHED = "finished"
    """Trained to its end, with a summary."""
    FAILED = "failed"
    """Ended by an error, which its reason names."""
    INTERRUPTED = "interrupted"
    """Its process was stopped or died; it can be resumed from its last checkpoint."""


@dataclass(frozen=True)
class RunStatus:
    """A run's state, with the reason if it has failed."""

    state: RunState
    reason: str | None = None
