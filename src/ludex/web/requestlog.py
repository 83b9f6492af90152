"""One log line and one count per request, under an id that the response carries."""

import re
import secrets
import time
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from ludex.core.log import logger
from ludex.web.metrics import Metrics
from ludex.web.schemas.base import Problem
from ludex.web.security.refusal import refuse

HEADER: Final = "X-Request-ID"
SANE: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
UNROUTED: Final = "none"
_STARTS: Final = frozenset({"http.response.start", "websocket.http.response.start"})

log = logger("web")


class RequestLog:
    """The outermost middleware: it also answers unexpected errors, so that those responses have an id too."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(HEADER, "")
        request_id = given if SANE.fullmatch(given) else secrets.token_hex(8)
        status: int | None = None

        async def named(message: Message) -> None:
            nonlocal status
            if message["type"] in _STARTS:
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        begin = time.perf_counter()
        # Every request is a task, and so has a context of its own.
        bind_contextvars(request_id=request_id)
        try:
            await self._app(scope, receive, named)
        except ClientDisconnect:
            # The client left, or its time was up, before its body was whole: no fault of ours.
            return
        except Exception:
            log.exception("request failed", path=scope["path"])
            if status is not None or scope["type"] == "websocket":
                raise
            problem = Problem(code="internal", message=f"the server failed; its log says why under {request_id}")
            await refuse(scope, receive, named, problem)
        finally:
            self._record(scope, status, time.perf_counter() - begin)

    def _record(self, scope: Scope, status: int | None, seconds: float) -> None:
        method = scope.get("method", "WEBSOCKET")
        route = getattr(scope.get("route"), "path", UNROUTED)
        log.info("request", method=method, path=scope["path"], status=status, ms=round(1000 * seconds, 2))
        if scope["type"] == "http" and status is not None:
            self._metrics.request(method, route, status, seconds)
