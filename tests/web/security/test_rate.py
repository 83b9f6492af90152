"""Rates of requests: every path has one, and what is refused writes few lines."""

import asyncio
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from ludex.web.metrics import Metrics
from ludex.web.requestlog import REFUSALS_PER_MINUTE, RequestLog
from ludex.web.security.rate import FILES_PER_REQUEST, Buckets, RateLimit

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
