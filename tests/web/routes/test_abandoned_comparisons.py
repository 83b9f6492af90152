"""Comparisons that nobody waits for any more are not made, and few wait at all."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request

from ludex.web.budget import Budgets, Overloaded
from ludex.web.routes.runs import _compare
from ludex.web.workers.task import Abandoned

ADDRESSES = 12


class Client:
    """A connection that asks for a comparison, until it is closed."""

    def __init__(self, budgets: Budgets, address: str, work: Callable[[Path], str]) -> None:
        self.closed = asyncio.Event()
        state: Any = SimpleNamespace(budgets=budgets)
        self.answer = asyncio.create_task(_compare(state, address, Request({"type": "http"}, self._receive), work))

    async def _receive(self) -> Any:
        await self.closed.wait()
        return {"type": "http.disconnect"}


async def turns() -> None:
    """Let every task go on as far as it can without a thread."""
    for _ in range(10):
        await asyncio.sleep(0)


class SlowWork:
    """Draws a picture until it may end."""

    def __init__(self) -> None:
        self.begun, self.finish = threading.Event(), threading.Event()

    def __call__(self, _: Path) -> str:
        self.begun.set()
        self.finish.wait()
        return "picture"


@pytest.fixture
def slow() -> Iterator[SlowWork]:
    work = SlowWork()
    yield work
    work.finish.set()


async def test_what_a_closed_connection_asked_for_is_not_drawn(slow: SlowWork) -> None:
    drawn = list[str]()

    def draw(_: Path) -> str:
        drawn.append("for nobody")
        return "picture"

    budgets = Budgets()
    first = Client(budgets, "first", slow)
    await asyncio.to_thread(slow.begun.wait)
    closed = [Client(budgets, f"address {number}", draw) for number in range(5)]
    await turns()
    assert budgets.pictures.waiting == 5
    for client in closed:
        client.closed.set()
    answers = await asyncio.gather(*(client.answer for client in closed), return_exceptions=True)
    assert [type(answer) for answer in answers] == 5 * [Abandoned]
    assert budgets.pictures.waiting == 0
    slow.finish.set()
    assert await first.answer == "picture"
    assert await Client(budgets, "last", lambda _: "another").answer == "another"
    assert drawn == []


async def test_few_wait_for_a_comparison_and_fewer_of_one_address(slow: SlowWork) -> None:
    async def refused(clients: list[Client]) -> int:
        await turns()
        return sum(client.answer.done() and isinstance(client.answer.exception(), Overloaded) for client in clients)

    budgets = Budgets()
    first = Client(budgets, "one", slow)
    await asyncio.to_thread(slow.begun.wait)
    same = [Client(budgets, "one", lambda _: "mine") for _ in range(4)]
    assert await refused(same) == 2, "three of an address at once"
    others = [Client(budgets, f"address {number}", lambda _: "theirs") for number in range(ADDRESSES)]
    assert await refused(others) == ADDRESSES - 6, "eight wait"
    slow.finish.set()
    assert await first.answer == "picture"
    results = await asyncio.gather(*(client.answer for client in same + others), return_exceptions=True)
    assert (results.count("mine"), results.count("theirs")) == (2, 6)
