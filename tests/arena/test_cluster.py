"""A real Ray cluster of two nodes on this machine: the same results to the bit, and a killed node costs only time.

One test, because starting the cluster is most of its time.
"""

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ludex import make
from ludex.arena import cluster as clusters
from ludex.arena.cluster import RayCluster
from ludex.arena.schedules import gauntlet
from ludex.arena.terms import Terms
from ludex.arena.tournament import hold
from ludex.core.errors import ClusterUnavailable
from ludex.core.executor import InProcess
from ludex.core.folders import runs_folder
from ludex.core.limit import Limit
from ludex.lab.process import Watch, work
from ludex.learn.experiments import runs_of
from ludex.learn.runs import Run
from tests.arena.test_tournament import engine, moves, untimed
from tests.cli.conftest import Ludex, Result, ludex
from tests.core.tasks import dies_always, process_id, square
from tests.games.minesweeper.learning.support import TINY
from tests.lab.working import LIMITS, queue

__all__ = ["ludex"]

ROOT = Path(__file__).parents[2]
NODE: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 << 20}
SLOW = Terms.of(
    make("tictactoe"), (engine("late"), "perfect", "ranking"), seed=3, limit=Limit(time_ms=500), forfeits=True
)


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A head; addresses of loopback, but not the one that Ray replaces with the machine's own."""
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "src"), str(ROOT)]))
    import ray
    from ray.cluster_utils import Cluster

    # A path of pytest's would be too long for a socket.
    with tempfile.TemporaryDirectory(prefix="ray") as folder:
        # Where Ray notes its address: a folder that it expects to be there.
        monkeypatch.setenv("RAY_TMPDIR", folder)
        (Path(folder) / "ray").mkdir()
        system = {"health_check_period_ms": 500, "health_check_failure_threshold": 3}
        head = {**NODE, "include_dashboard": False, "temp_dir": folder, "_system_config": system}
        ray_cluster = Cluster(initialize_head=True, head_node_args={**head, "node_ip_address": "127.0.0.2"})
        try:
            yield ray_cluster
        finally:
            ray.shutdown()
            ray_cluster.shutdown()


def output(result: Result) -> Any:
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def without_times(document: Any) -> Any:
    """A document without what a clock says."""
    if isinstance(document, dict):
        timed = ("ms_", "cpu_", "seconds", "games_per")
        return {key: without_times(value) for key, value in document.items() if not key.startswith(timed)}
    return [without_times(value) for value in document] if isinstance(document, list) else document


def left_by(run: Run) -> tuple[Any, Any]:
    """What training left: the metrics, and the digest of the ranking."""
    summary = run.summary()
    assert summary is not None
    return run.metrics(), summary["ranking_sha256"]


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_two_nodes_play_what_one_process_plays(
    cluster: Any, ludex: Ludex, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    second = cluster.add_node(**NODE, node_ip_address="127.0.0.3")
    workers = RayCluster(cluster.address)

    assert dict(workers.run(square, range(10))) == {number: number**2 for number in range(10)}
    with pytest.raises(ArithmeticError, match=r"^unlucky$"):
        dict(workers.run(square, range(20)))
    assert os.getpid() not in dict(workers.run(process_id, range(4))).values()
    assert dict(workers.run(dies_always, [7], lambda task, prepare: -task)) == {0: -7}
    endless = workers.run(square, range(14, 10**9))
    next(endless)
    endless.close()

    games = ("tictactoe", "--agents", "random,perfect:ties=random", "--games", "24", "--seed", "5", "--json")
    here, there = (
        ludex("match", *games, *where) for where in ((), ("--executor", "ray", "--address", cluster.address))
    )
    assert without_times(output(there)) == without_times(output(here))

    expected = hold(SLOW, gauntlet(3), games=4, executor=InProcess())
    killed: list[int] = []

    def kill(games: int) -> None:
        if games and not killed:
            killed.append(games)
            cluster.remove_node(second, allow_graceful=False)

    tournament = hold(SLOW, gauntlet(3), games=4, executor=workers, advance=kill)
    assert killed
    assert moves(tournament) == moves(expected)
    assert untimed(tournament) == untimed(expected)

    monkeypatch.setattr(clusters, "sources_digest", lambda: "of something else")
    with pytest.raises(ClusterUnavailable, match="runs another Ludex"):
        dict(workers.run(square, range(4)))


@pytest.mark.full
def test_every_command_and_job_gives_the_same_on_a_cluster(cluster: Any, ludex: Ludex, tmp_path: Path) -> None:
    cluster.add_node(**NODE, node_ip_address="127.0.0.3")
    alone = ("eval", "minesweeper", "--preset", "small", "--agent", "random", "--games", "50", "--json")
    here, there = (ludex(*alone, *where) for where in ((), ("--executor", "ray", "--address", cluster.address)))
    assert without_times(output(there)) == without_times(output(here))

    on_ray = {"executor": "ray", "address": cluster.address}
    play = {"kind": "tournament", "game": "tictactoe", "agents": ["random", "perfect:ties=random"], "games": 8}
    train = {"kind": "train", "game": "tictactoe", "changes": {"games": 40, "checkpoint_every": 20}, "seeds": 2}
    jobs = [queue(body, **more) for body in (play, train) for more in ({}, on_ray)]
    results = [work(job, Watch(job, LIMITS)) for job in jobs]
    assert without_times(results[0]) == without_times(results[1])
    one_machine, two_nodes = (runs_of(runs_folder(), job.id) for job in jobs[2:])
    assert [left_by(run) for run in one_machine] == [left_by(run) for run in two_nodes] != []

    settings = [part for key, value in TINY.items() for part in ("--set", f"{key}={value}")]
    examples = ["minesweeper", "examples", "--config", "miniature", *settings, "--chunks", "4"]
    selfplay = ["quoridor", "selfplay", "--config", "miniature", "--set", "games=22", "--set", "nodes=20"]
    for arguments in (examples, selfplay):
        folders = [tmp_path / f"{arguments[1]}-{where}" for where in ("here", "there")]
        for folder, where in zip(folders, ((), ("--executor", "ray", "--address", cluster.address)), strict=True):
            output(ludex(*arguments, str(folder), *where, "--json"))
        assert files(folders[0]) == files(folders[1]) != {}

    puzzles = ["puzzles", "make", "tictactoe", "--theme", "fork", "--count", "4", "--json"]
    folders = [tmp_path / f"puzzles-{where}" for where in ("here", "there")]
    for folder, where in zip(folders, ((), ("--executor", "ray", "--address", cluster.address)), strict=True):
        folder.mkdir()
        assert output(ludex(*puzzles, "--output", str(folder), *where))["puzzles"] == 4
    assert files(folders[0]) == files(folders[1])


def test_a_cluster_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch, ludex: Ludex) -> None:
    def refuses(**_: Any) -> None:
        raise ConnectionError("no answer")

    absent = SimpleNamespace(is_initialized=lambda: False, init=refuses)
    monkeypatch.setitem(sys.modules, "ray", absent)
    result = ludex("match", "tictactoe", "--agents", "random,perfect", "--games", "2", "--executor", "ray")
    assert (result.returncode, result.stdout) == (1, "")
    assert "error [cluster_unavailable]: no Ray cluster at 'auto': no answer" in result.stderr


def test_ray_is_asked_for_by_name(monkeypatch: pytest.MonkeyPatch, ludex: Ludex) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    result = ludex("match", "tictactoe", "--agents", "random,perfect", "--games", "2", "--executor", "ray")
    assert (result.returncode, "pip install 'ludex[cluster]'" in result.stderr) == (2, True)
