"""Where answers are written, large ones never in the event loop, and clients that read them slowly."""

import asyncio
import json
import threading
from collections.abc import Callable, Coroutine, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from ludex.web import answers
from ludex.web.answers import DocumentResponse, StreamedFile, StrictRoute
from ludex.web.budget import Budgets
from ludex.web.schemas.base import LARGE_ANSWER, Document
from tests.web.playing import api_routes

PARTS = 3
Send = Callable[[Any], Coroutine[Any, Any, None]]


async def receive() -> Any:
    await asyncio.Event().wait()


def parts() -> Iterator[str]:
    for _ in range(PARTS):
        yield "x" * LARGE_ANSWER


async def send_file(budgets: Budgets, send: Send) -> None:
    reservation = await budgets.exports.reserve(owner="ann")
    scope = {"type": "http", "asgi": {"spec_version": "2.3"}, "method": "GET", "headers": []}
    await StreamedFile(parts(), reservation, {})(scope, receive, send)


async def test_a_client_that_stops_reading_loses_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "PATIENCE_SECONDS", 0.05)
    monkeypatch.setattr(answers, "SLOWEST_RATE", 1e9)

    async def never_read(message: Any) -> None:
        if message.get("body"):
            await asyncio.Event().wait()

    budgets = Budgets()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(send_file(budgets, never_read), 60)
    await asyncio.sleep(0)
    assert (budgets.exports.running, budgets.exports.used_bytes) == (0, 0)


async def test_what_was_read_gives_a_client_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    # Without the time that the first part adds, the second would come too late.
    monkeypatch.setattr(answers, "PATIENCE_SECONDS", 1.0)
    monkeypatch.setattr(answers, "SLOWEST_RATE", LARGE_ANSWER / 3_600)

    loop = asyncio.get_running_loop()

    async def send(_message: Any) -> None:
        pass

    begin = loop.time()
    async with answers.limited_time(send) as send_in_time:
        await send_in_time({"type": "http.response.body", "body": b"x" * LARGE_ANSWER})
        await asyncio.sleep(begin + 1.2 - loop.time())


class Numbers(Document):
    """A document that notices the thread that writes it."""

    values: list[int]

    def json_text(self) -> str:
        writers.append(threading.current_thread())
        return super().json_text()


writers: list[threading.Thread] = []


async def sent(document: Document) -> list[Any]:
    messages: list[Any] = []

    async def receive() -> Any:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        messages.append(message)

    app = SimpleNamespace(state=SimpleNamespace(ludex=SimpleNamespace(budgets=Budgets())))
    scope = {"type": "http", "app": app, "asgi": {"spec_version": "2.3"}, "method": "GET", "headers": []}
    await DocumentResponse(document, 201)(scope, receive, send)
    return messages


@pytest.mark.parametrize(("count", "in_loop"), [(10, True), (100_000, False)])
def test_a_large_document_is_written_in_a_thread_and_sent_in_parts(count: int, in_loop: bool) -> None:
    writers.clear()
    document = Numbers(values=[7] * count)
    begin, *parts = asyncio.run(sent(document))
    assert begin["status"] == 201
    assert [thread is threading.main_thread() for thread in writers] == [in_loop]
    body = b"".join(bytes(part["body"]) for part in parts)
    assert json.loads(body) == {"values": [7] * count}
    assert all(len(part["body"]) <= LARGE_ANSWER for part in parts)


def test_every_route_answers_so() -> None:
    documents = [route for route in api_routes() if route.response_model is not None]
    assert len(documents) > 40
    assert [route.path for route in documents if not isinstance(route, StrictRoute)] == []
