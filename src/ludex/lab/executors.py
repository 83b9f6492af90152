"""The executor for the tasks of a command or a job."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludex.core.executor import Executor, Prepare


def executor_of(
    kind: str, workers: int, address: str, prepare: "Prepare | None" = None, *, apart: bool = False
) -> "Executor":
    """Processes of this machine, or the workers of a Ray cluster; with `apart` nothing runs in this process."""
    from ludex.core.errors import BadOption
    from ludex.core.executor import LocalProcesses, executor_for

    if kind == "local":
        if address != "auto":
            raise BadOption(f"--address is for --executor ray, found {address!r} with local processes")
        return LocalProcesses(workers, prepare) if apart else executor_for(workers, prepare)
    if workers != 1:
        raise BadOption(f"a cluster has the workers it has: --executor ray takes no --workers, found {workers}")
    from ludex.arena.cluster import RayCluster

    return RayCluster(address, prepare)
