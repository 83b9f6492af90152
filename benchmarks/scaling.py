"""How much faster two nodes of a Ray cluster are than one, each a process of this machine.

`python -m benchmarks.scaling` writes benchmarks/results/scaling.json. The cluster listens on loopback alone.
"""

import json
import os
import tempfile
import time
from collections.abc import Callable, Generator, Iterable
from functools import partial
from typing import Any, TypeVar

from benchmarks.documents import measurement_parser, write
from ludex import make
from ludex.arena.cluster import RayCluster
from ludex.arena.schedules import gauntlet
from ludex.arena.terms import Terms
from ludex.arena.tournament import hold
from ludex.core.bench import machine
from ludex.core.documents import digest
from ludex.core.executor import Alone, Executor
from ludex.core.limit import Limit
from ludex.core.registry import resolve, spec

T = TypeVar("T")
R = TypeVar("R")

NAME = "scaling"
NODE: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 << 20}
FIELD = ("master:nodes=4000", "normal", "easy", "walker")


class Metered:
    """An executor that adds up its workers' processor time."""

    def __init__(self, executor: Executor) -> None:
        self.tasks = 0
        self.cpu_seconds = 0.0
        self._executor = executor

    def run(
        self, call: Callable[[T], R], tasks: Iterable[T], alone: Alone[T, R] | None = None
    ) -> Generator[tuple[int, R], None, None]:
        """As the executor does; a measurement in which workers die is none, and so nothing is done alone."""
        for index, (result, seconds) in self._executor.run(partial(_metered, call), tasks):
            self.tasks += 1
            self.cpu_seconds += seconds
            yield index, result


def _metered(call: Callable[[T], R], task: T) -> tuple[R, float]:
    begin = time.process_time()
    return call(task), time.process_time() - begin


def boards(executor: Executor, count: int) -> str:
    """Play Minesweeper boards with `expert`; the digest of what came out."""
    game = make("minesweeper", "expert")
    evaluate = resolve(spec("minesweeper").tools.evaluate or "")
    services = {"services": None, "executor": executor, "advance": lambda _: None}
    result = evaluate(game, "expert", games=count, seed=0, limit=Limit(), **services)
    if result["interrupted"]:
        raise KeyboardInterrupt
    return digest({key: value for key, value in result.items() if not key.startswith(("ms_", "cpu_"))})


def play_gauntlet(executor: Executor, games: int) -> str:
    """Play a gauntlet of Quoridor; the digest of its moves."""
    terms = Terms.of(make("quoridor"), FIELD, seed=0, opening_plies=4, forfeits=True)
    tournament = hold(terms, gauntlet(len(FIELD)), games=games, executor=executor)
    if tournament.interrupted:
        raise KeyboardInterrupt
    return digest([[list(game.actions) for game in pair] for pair in tournament.pairs.values()])


def measured(
    workloads: dict[str, tuple[Callable[[Executor, int], str], int]], workers: int, executor: Executor
) -> list[dict[str, Any]]:
    """Every workload on these workers, a row each."""
    rows = []
    for name, (play, count) in workloads.items():
        # Workers start, import and load kernels once, which takes a while: that is start-up, not speed.
        play(executor, count // 4 * 2)
        metered, begin, driver = Metered(executor), time.perf_counter(), time.process_time()
        result = play(metered, count)
        row = {
            "workload": name,
            "workers": workers,
            "seconds": time.perf_counter() - begin,
            "tasks": metered.tasks,
            "worker_cpu_seconds": metered.cpu_seconds,
            "driver_cpu_seconds": time.process_time() - driver,
            "load": os.getloadavg()[0],
            "digest": result,
        }
        rows.append(row)
        print(json.dumps(row), flush=True)
    return rows


def main() -> None:
    """Measure, and write the report."""
    options = measurement_parser(__doc__)
    options.add_argument("--boards", type=int, default=2000)
    options.add_argument("--games", type=int, default=8, help="of each meeting of the gauntlet")
    options.add_argument("--repeat", type=int, default=2)
    args = options.parse_args()
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray
    from ray.cluster_utils import Cluster

    workloads: dict[str, tuple[Callable[[Executor, int], str], int]] = {
        "boards": (boards, args.boards),
        "gauntlet": (play_gauntlet, args.games),
    }
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="ray") as folder:
        head = {**NODE, "include_dashboard": False, "temp_dir": folder, "node_ip_address": "127.0.0.2"}
        cluster = Cluster(initialize_head=True, head_node_args=head)
        executor = RayCluster(cluster.address)
        for _ in range(args.repeat):
            rows += measured(workloads, 1, executor)
            second = cluster.add_node(**NODE, node_ip_address="127.0.0.3")
            rows += measured(workloads, 2, executor)
            cluster.remove_node(second)
        ray.shutdown()
        cluster.shutdown()
    versions = ("ludex", "numpy", "numba", "ray")
    document = {"machine": machine(versions), "boards": args.boards, "games": args.games, "rows": rows}
    write(args.into, NAME, document)


if __name__ == "__main__":
    main()
