"""Workers load the kernels of games ahead of the first search, unless the server's settings say otherwise."""

from multiprocessing import Pipe
from queue import Empty, SimpleQueue

import pytest

from ludex.web.workers import worker
from ludex.web.workers.worker import FLAGS, Order, Terms, Worker


class Waits(Exception):
    """The worker has nothing left to do and waits for a task."""


class NoTasks(SimpleQueue[Order]):
    def get(self, block: bool = True, timeout: float | None = None) -> Order:
        raise Waits if block else Empty


@pytest.mark.parametrize(("preload", "loaded"), [(True, ["pile player", "gated agents"]), (False, [])])
def test_kernels_are_loaded_while_no_task_waits(
    monkeypatch: pytest.MonkeyPatch, preload: bool, loaded: list[str]
) -> None:
    found: list[str] = []
    monkeypatch.setattr(worker, "prepared_groups", lambda: [("pile", "player"), ("gated", "agents")])
    monkeypatch.setattr(worker, "load_kernels", lambda game, group: found.append(f"{game} {group}"))
    ours, theirs = Pipe()
    terms = Terms(database=None, report_seconds=1, search_ms=1000, prepare=None, preload=preload)
    with ours, theirs, pytest.raises(Waits):
        Worker(theirs, bytearray(FLAGS), terms).run(NoTasks())
    assert found == loaded
