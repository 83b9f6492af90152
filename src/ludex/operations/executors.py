"""The executor for the tasks of a command or a job."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludex.core.executor import Executor


def executor_of(kind: str, workers: int, address: str, *, isolated: bool = False) -> "Executor":
    """Processes of this machine, or the workers of a Ray cluster, which log as this process does.

    With `isolated` nothing runs in this process, which a task could end.
    """
    from ludex.core.errors import BadOption
    from ludex.core.executor import LocalProcesses, executor_for
    from ludex.core.log import in_workers

    if kind == "local":
        if address != "auto":
            raise BadOption(f"--address is for --executor ray, found {address!r} with local processes")
        return LocalProcesses(workers, in_workers()) if isolated else executor_for(workers, in_workers())
    if workers != 1:
        raise BadOption(f"a cluster has the workers it has: --executor ray takes no --workers, found {workers}")
    from ludex.arena.cluster import RayCluster

    return RayCluster(address, in_workers())
