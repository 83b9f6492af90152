"""The order in which searches wait for a worker, and what a worker loads while none waits."""

from multiprocessing import Pipe
from queue import Empty, SimpleQueue

import pytest

from ludex.web.workers import worker
from ludex.web.workers.pool import FairQueue
from ludex.web.workers.search import Search
from ludex.web.workers.task import Task
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
    order: list[str] = []
    monkeypatch.setattr(worker, "prepared_groups", lambda: [("pile", "player"), ("gated", "agents")])
    monkeypatch.setattr(worker, "load_kernels", lambda game, group: order.append(f"{game} {group}"))
    ours, theirs = Pipe()
    terms = Terms(database=None, report_seconds=1, search_ms=1000, prepare=None, preload=preload, memory_mb=3072)
    with ours, theirs, pytest.raises(Waits):
        Worker(theirs, bytearray(FLAGS), terms).run(NoTasks())
    assert order == loaded


def search(address: str, person: str, ms: float = 1.0) -> Search:
    task = Task("tictactoe", "3x3x3", seed=1, actions=(), agent="perfect", movetime_ms=None)
    return Search(task, person, lambda _: None, address=address, expected_ms=ms)


def served(queue: FairQueue, running: list[Search], most: int = 100) -> list[str]:
    """Who is served until the queue has no more."""
    names = []
    while (task := queue.pop(running, most)) is not None:
        names.append(str(task.person))
    return names


async def test_an_address_with_many_people_has_one_turn_like_any_other() -> None:
    queue = FairQueue()
    for number in range(100):
        queue.add(search("attacker", f"cookie{number}"))
    queue.add(search("home", "ann"))
    queue.add(search("school", "bob"))
    assert served(queue, [])[:4] == ["cookie0", "ann", "bob", "cookie1"]


async def test_people_of_one_address_take_turns_and_their_shortest_search_is_first() -> None:
    queue = FairQueue()
    for one in (search("school", "ann", 900), search("school", "ann", 10), search("school", "bob", 500)):
        queue.add(one)
    order = [(task.person, task.expected_ms) for task in queue.order([])]
    assert order == [("ann", 10), ("bob", 500), ("ann", 900)]


async def test_who_has_fewer_running_searches_comes_first() -> None:
    queue = FairQueue()
    queue.add(search("a", "ann"))
    queue.add(search("b", "bob"))
    assert served(queue, [search("a", "ann")]) == ["bob", "ann"]


async def test_an_address_never_has_all_the_workers() -> None:
    queue = FairQueue()
    queue.add(search("a", "ann"))
    queue.add(search("b", "bob"))
    assert served(queue, [search("a", "eve"), search("c", "joe")], most=1) == ["bob"]
    assert len(queue) == 1


async def test_who_returns_has_not_saved_up_turns() -> None:
    queue = FairQueue()
    for _ in range(3):
        queue.add(search("a", "ann"))
    assert queue.pop([], 9) is not None
    queue.add(search("b", "bob"))
    assert served(queue, []) == ["ann", "bob", "ann"]
