"""Rate limits: token buckets, the limit of one address, and that of one WebSocket."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludex.web.errors import POLICY_VIOLATION, refuse
from ludex.web.schemas.base import Problem
from ludex.web.security.address import visitor_of

MOST_KEPT: Final = 10_000
"""Buckets; the one unused for longest is forgotten first."""


class Bucket:
    """A bucket that fills by itself.

    >>> now = [0.0]
    >>> bucket = Bucket(per_minute=60, burst=2, clock=lambda: now[0])
    >>> [bucket.take() for _ in range(3)]
    [0.0, 0.0, 1.0]
    >>> now[0] = 1.5
    >>> [bucket.take(), bucket.take()]
    [0.0, 0.5]
    >>> bucket.take(2)
    1.5
    """

    def __init__(self, per_minute: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_minute / 60
        self._burst = burst
        self._clock = clock
        self._level = float(burst)
        self._seen = clock()

    def take(self, tokens: int = 1) -> float:
        """Take tokens and return 0, or return the seconds until there are so many."""
        now = self._clock()
        self._level = min(self._burst, self._level + (now - self._seen) * self._per_second)
        self._seen = now
        if self._level >= tokens:
            self._level -= tokens
            return 0.0
        return (tokens - self._level) / self._per_second


class Buckets:
    """A bucket for each key."""

    def __init__(self, per_minute: float, burst: int) -> None:
        self._per_minute = per_minute
        self.burst = burst
        self._held: OrderedDict[Hashable, Bucket] = OrderedDict()

    def take(self, key: Hashable, tokens: int = 1) -> float:
        """As `Bucket.take`, from this key's bucket."""
        bucket = self._held.setdefault(key, Bucket(self._per_minute, self.burst))
        self._held.move_to_end(key)
        if len(self._held) > MOST_KEPT:
            self._held.popitem(last=False)
        return bucket.take(tokens)


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


class FloodLimit:
    """Closes the WebSocket of a client that sends too many messages."""

    def __init__(self, app: ASGIApp, per_minute: int) -> None:
        self._app = app
        self._per_minute = per_minute

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        bucket = Bucket(self._per_minute, burst=self._per_minute)
        hung_up = False

        async def receive_limited() -> Message:
            nonlocal hung_up
            message = await receive()
            if message["type"] != "websocket.receive" or not bucket.take():
                return message
            hung_up = True
            await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": "too_many_messages"})
            return {"type": "websocket.disconnect", "code": POLICY_VIOLATION, "reason": "too_many_messages"}

        async def send_open(message: Message) -> None:
            # The app may still send messages to the closed connection.
            if not hung_up:
                await send(message)

        await self._app(scope, receive_limited, send_open)
