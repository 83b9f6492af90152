"""One log line and one count per request, and a limit on the lines that clients cause without one."""

import logging
import re
import secrets
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from ludex.core.log import logger
from ludex.web.errors import refuse
from ludex.web.metrics import Metrics
from ludex.web.schemas.base import Problem
from ludex.web.security.rate import Bucket

HEADER: Final = "X-Request-ID"
SANE: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
UNROUTED: Final = "none"
REFUSALS_PER_MINUTE: Final = 60
"""Lines about requests that came too often; those between are counted in the next line."""
_STARTS: Final = frozenset({"http.response.start", "websocket.http.response.start"})

log = logger("web")


class RequestLog:
    """The outermost middleware: it also answers unexpected errors, so that those responses have an id too."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics
        self._refusals = Bucket(per_minute=REFUSALS_PER_MINUTE, burst=REFUSALS_PER_MINUTE)
        self._left_out = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        client_id = Headers(scope=scope).get(HEADER, "")
        request_id = client_id if SANE.fullmatch(client_id) else secrets.token_hex(8)
        status: int | None = None

        async def send_named(message: Message) -> None:
            nonlocal status
            if message["type"] in _STARTS:
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        begin = time.perf_counter()
        # Every request is a task, and so has a context of its own.
        bind_contextvars(request_id=request_id)
        try:
            await self._app(scope, receive, send_named)
        except ClientDisconnect:
            # The client left, or its time was up, before its body was whole: no fault of ours.
            return
        except Exception:
            log.exception("request failed", path=scope["path"])
            if status is not None or scope["type"] == "websocket":
                raise
            problem = Problem(code="internal", message=f"the server failed; its log says why under {request_id}")
            await refuse(scope, receive, send_named, problem)
        finally:
            self._record(scope, status, time.perf_counter() - begin)

    def _record(self, scope: Scope, status: int | None, seconds: float) -> None:
        method = scope.get("method", "WEBSOCKET")
        route = getattr(scope.get("route"), "path", UNROUTED)
        if status == HTTPStatus.TOO_MANY_REQUESTS and self._refusals.take():
            # What is refused for its number must not fill the disk by it.
            self._left_out += 1
        else:
            more = {"refused_since": self._left_out} if self._left_out else {}
            log.info("request", method=method, path=scope["path"], status=status, ms=round(1000 * seconds, 2), **more)
            self._left_out = 0
        if scope["type"] == "http" and status is not None:
            self._metrics.request(method, route, status, seconds)


INTERVAL: Final = 10.0
"""Seconds between two lines of one event."""
MOST_EVENTS: Final = 1_000
"""Kinds of events remembered; messages may quote what a client sent."""
CLIENT_CAUSED: Final = ("ludex.web.connections", "uvicorn.error", "asyncio", "websockets.server")
"""Loggers whose lines a client causes by a connection or by bytes that are no request."""


class LimitedEvents(logging.Filter):
    """Lets each event of a logger pass once per interval, with the number of those left out since.

    >>> now = [0.0]
    >>> limited = LimitedEvents(clock=lambda: now[0])
    >>> def passes():
    ...     record = logging.makeLogRecord({"levelno": logging.WARNING, "msg": "Invalid HTTP request."})
    ...     return record.getMessage() if limited.filter(record) else None
    >>> passes(), passes()
    ('Invalid HTTP request.', None)
    >>> now[0] = 11.0
    >>> passes()
    'Invalid HTTP request. (1 more since)'
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._last: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        message: Any = record.msg
        event = str(message.get("event")) if isinstance(message, dict) else str(message)
        now = self._clock()
        last, left_out = self._last.get(event, (-INTERVAL, 0))
        if now - last < INTERVAL:
            self._last[event] = (last, left_out + 1)
            return False
        if len(self._last) >= MOST_EVENTS:
            self._last.clear()
        self._last[event] = (now, 0)
        if left_out and isinstance(message, dict):
            record.msg = {**message, "more_since": left_out}
        elif left_out:
            record.msg = f"{message} ({left_out} more since)"
        return True


def limit_logs() -> None:
    """Limit the lines of all loggers that clients can make write."""
    for name in CLIENT_CAUSED:
        logger = logging.getLogger(name)
        if not any(isinstance(known, LimitedEvents) for known in logger.filters):
            logger.addFilter(LimitedEvents())
