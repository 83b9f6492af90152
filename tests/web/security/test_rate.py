"""Rates of requests: every path has one, and what is refused writes few lines."""

import asyncio
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from ludex.web.metrics import Metrics
from ludex.web.requestlog import REFUSALS_PER_MINUTE, RequestLog
from ludex.web.security.rate import BYTES_PER_TOKEN, FILES_PER_REQUEST, BodyLimit, Buckets, RateLimit

BURST = 3


async def answer(scope: Any, receive: Any, send: Any) -> None:
    """An app that answers every request."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def statuses(app: Any, path: str, number: int) -> list[int]:
    """What so many requests are answered with."""
    sent: list[int] = []

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            sent.append(message["status"])

    async def ask() -> None:
        scope = {"type": "http", "method": "GET", "path": path, "headers": [], "client": ("192.0.2.1", 5)}
        for _ in range(number):
            await app(scope, None, send)

    asyncio.run(ask())
    return sent


def test_the_api_has_a_rate() -> None:
    app = RateLimit(answer, Buckets(1, BURST))
    assert statuses(app, "/api/matches", BURST + 1) == [200] * BURST + [429]


@pytest.mark.parametrize("path", ["/static/main.js", "/", "/no/such/page", "/metrics"])
def test_every_other_path_has_a_rate_of_its_own(path: str) -> None:
    app, most = RateLimit(answer, Buckets(1, BURST)), FILES_PER_REQUEST * BURST
    assert statuses(app, path, most + 1) == [200] * most + [429]
    assert statuses(app, "/api/matches", 1) == [200]


class Lines(logging.Handler):
    """The records that a logger writes."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture
def lines() -> Iterator[list[logging.LogRecord]]:
    logger, handler = logging.getLogger("ludex.web"), Lines()
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield handler.records
    logger.removeHandler(handler)
    logger.setLevel(level)


def test_requests_that_come_too_often_write_few_lines(lines: list[logging.LogRecord]) -> None:
    app = RequestLog(RateLimit(answer, Buckets(1, BURST)), Metrics())
    statuses(app, "/api/matches", BURST + 10 * REFUSALS_PER_MINUTE)
    answered = len(lines)
    statuses(app, "/static/x.js", 1)
    assert answered == BURST + REFUSALS_PER_MINUTE
    last: Any = lines[-1].msg
    assert last["refused_since"] == 9 * REFUSALS_PER_MINUTE


async def respond(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 201, "headers": []})
    await send({"type": "http.response.body", "body": b"{}"})


def post(app: BodyLimit, size: int, address: str = "192.0.2.1") -> tuple[int, Any]:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b" " * size, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [(b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/api/matches", "headers": headers, "client": (address, 1)}
    asyncio.run(app(scope, receive, send))
    return sent[0]["status"], json.loads(b"".join(message.get("body", b"") for message in sent))


def test_a_long_body_counts_as_many_requests() -> None:
    buckets = Buckets(per_minute=0.001, burst=10)
    app = BodyLimit(respond, longest=100 * BYTES_PER_TOKEN, buckets=buckets)
    assert [post(app, 100)[0] for _ in range(20)] == [201] * 20
    assert post(app, 6 * BYTES_PER_TOKEN)[0] == 201
    status, problem = post(app, 6 * BYTES_PER_TOKEN)
    assert (status, problem["code"]) == (429, "too_many_requests")
    assert post(app, 4 * BYTES_PER_TOKEN)[0] == 201
    # The longest body that the settings allow is not impossible, after the token that its request costs.
    assert not buckets.take("192.0.2.2")
    assert post(app, 100 * BYTES_PER_TOKEN, "192.0.2.2")[0] == 201
    assert buckets.take("192.0.2.2")
