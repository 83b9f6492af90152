"""The rate limit of one address."""

import math

from starlette.types import ASGIApp, Receive, Scope, Send

from ludex.web.schemas import Problem
from ludex.web.security.address import visitor_of
from ludex.web.security.bucket import Buckets
from ludex.web.security.refusal import refuse


class RateLimit:
    """One bucket per address, for the API and its WebSockets. A cookie would be no key: it is easy to get a new one."""

    def __init__(self, app: ASGIApp, per_minute: int, burst: int) -> None:
        self._app = app
        self._buckets = Buckets(per_minute, burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wait = 0.0
        if scope["type"] in ("http", "websocket") and scope["path"].startswith("/api/"):
            wait = self._buckets.take(visitor_of(scope))
        if not wait:
            await self._app(scope, receive, send)
            return
        seconds = math.ceil(wait)
        problem = Problem(code="too_many_requests", message=f"too many requests; try again in {seconds} s")
        await refuse(scope, receive, send, problem, {"Retry-After": str(seconds)})
