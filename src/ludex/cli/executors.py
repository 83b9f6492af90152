"""The executor for the tasks of a command."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludex.core.executor import Executor


def executor_of(kind: str, workers: int, address: str, *, apart: bool = False) -> "Executor":
    """Processes of this machine, or the workers of a Ray cluster, which log as this process does."""
    from ludex.core.log import in_workers
    from ludex.lab.executors import executor_of as logging_as

    return logging_as(kind, workers, address, in_workers(), apart=apart)
