"""Many independent tasks on a Ray cluster.

Every node needs the same Ludex, for a result must not depend on where a task ran: a worker with other code refuses. A
node or a worker that dies costs time and nothing else, since Ray begins its tasks again elsewhere.
"""

import logging
import time
from collections.abc import Callable, Generator, Iterable
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import ludex
from ludex.core.errors import ClusterUnavailable, MissingDependency, WorkerLost
from ludex.core.executor import MOST_DEATHS, Alone, Prepare
from ludex.kernels.warmup import sources_digest

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 2
"""So many tasks a processor are handed out, so that no worker waits for us, and a million are not pickled at once."""
RECOUNT_SECONDS = 2.0
"""How often we look whether nodes came or went."""


class RayCluster:
    """The workers of a cluster, a processor each."""

    def __init__(self, address: str, prepare: Prepare | None = None) -> None:
        """Raises `ClusterUnavailable` if no cluster answers at the address."""
        self._prepare = prepare
        self._ray = _join_cluster(address)

    def run(
        self, call: Callable[[T], R], tasks: Iterable[T], alone: Alone[T, R] | None = None
    ) -> Generator[tuple[int, R], None, None]:
        ray = self._ray
        remote = ray.remote(num_cpus=1, max_retries=MOST_DEATHS - 1)(_run_task)
        numbered = enumerate(tasks)
        waiting: dict[Any, tuple[int, T]] = {}
        counted, capacity = -RECOUNT_SECONDS, 0
        try:
            while True:
                if time.monotonic() - counted >= RECOUNT_SECONDS:
                    counted, capacity = time.monotonic(), AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
                for index, task in islice(numbered, max(0, capacity - len(waiting))):
                    waiting[remote.remote(sources_digest(), self._prepare, call, task)] = index, task
                if not waiting:
                    return
                # Wait for one, then take all there are: with thousands under way each look at them costs.
                ray.wait(list(waiting), num_returns=1)
                finished, _ = ray.wait(list(waiting), num_returns=len(waiting), timeout=0)
                for done in finished:
                    index, task = waiting.pop(done)
                    yield index, self._result(done, task, alone)
        finally:
            for ref in waiting:
                ray.cancel(ref, force=True)

    def _result(self, done: Any, task: T, alone: Alone[T, R] | None) -> R:
        from ray.exceptions import RayTaskError, WorkerCrashedError

        try:
            result: R = self._ray.get(done)
        except RayTaskError as error:
            # Ray's own text is the whole traceback; what the task raised is what its caller knows.
            raise error.cause from error
        except WorkerCrashedError as error:
            if alone is not None:
                return alone(task, self._prepare)
            raise WorkerLost(f"a worker of the cluster died {MOST_DEATHS} times in the same task") from error
        return result


def _join_cluster(address: str) -> Any:
    try:
        import ray
    except ModuleNotFoundError as error:
        raise MissingDependency("--executor ray needs Ray: pip install 'ludex[cluster]'") from error
    if not ray.is_initialized():
        try:
            ray.init(address=address, logging_level=logging.ERROR)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise ClusterUnavailable(f"no Ray cluster at {address!r}: {error}") from error
    return ray


def _run_task(code: str, prepare: Callable[[], None] | None, call: Callable[[T], R], task: T) -> R:
    """In the worker: a task's result."""
    if code != sources_digest():
        here = f"{ludex.__version__} in {Path(ludex.__file__).parent}"
        raise ClusterUnavailable(f"a node of the cluster runs another Ludex, {here}: install the same one everywhere")
    _ready(prepare)
    return call(task)


@cache
def _ready(prepare: Callable[[], None] | None) -> None:
    if prepare is not None:
        prepare()
