"""The rate limit of one address: a request is a token, and a long body as many as its parsing costs."""

import math
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from ludex.web.schemas.base import Problem
from ludex.web.security.address import visitor_of
from ludex.web.security.bucket import Buckets
from ludex.web.security.refusal import refuse

BYTES_PER_TOKEN: Final = 16_384
"""Of a body. To parse four megabytes of small objects takes half a second, in which the server answers no request."""


class RateLimit:
    """One bucket per address, for the API and its WebSockets. A cookie would be no key: it is easy to get a new one."""

    def __init__(self, app: ASGIApp, buckets: Buckets) -> None:
        self._app = app
        self._buckets = buckets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wait = 0.0
        if scope["type"] in ("http", "websocket") and scope["path"].startswith("/api/"):
            wait = self._buckets.take(visitor_of(scope))
        if not wait:
            await self._app(scope, receive, send)
            return
        await refuse_for(wait, scope, receive, send)


async def refuse_for(wait: float, scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse a request that comes too early by so many seconds."""
    seconds = math.ceil(wait)
    problem = Problem(code="too_many_requests", message=f"too many requests; try again in {seconds} s")
    await refuse(scope, receive, send, problem, {"Retry-After": str(seconds)})
