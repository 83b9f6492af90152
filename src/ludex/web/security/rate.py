"""Limits on requests: token buckets, the rates of an address and of a WebSocket, and the length of a body."""

import math
import time
from collections.abc import Callable, Hashable
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludex.web.errors import POLICY_VIOLATION, refuse
from ludex.web.recent import Recent
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
        wait = self.wait(tokens)
        if not wait:
            self._level -= tokens
        return wait

    def wait(self, tokens: int = 1) -> float:
        """The seconds until there are so many tokens."""
        now = self._clock()
        self._level = min(self._burst, self._level + (now - self._seen) * self._per_second)
        self._seen = now
        return max(0.0, (tokens - self._level) / self._per_second)


class Buckets:
    """A bucket for each key."""

    def __init__(self, per_minute: float, burst: int) -> None:
        self.per_minute = per_minute
        self.burst = burst
        self._held = Recent[Hashable, Bucket](MOST_KEPT)

    def take(self, key: Hashable, tokens: int = 1) -> float:
        """As `Bucket.take`, from this key's bucket."""
        bucket = self._held.use(key)
        if bucket is None:
            bucket = self._held[key] = Bucket(self.per_minute, self.burst)
        return bucket.take(tokens)

    def wait(self, key: Hashable) -> float:
        """The seconds until this key's bucket holds a token."""
        bucket = self._held.get(key)
        return 0.0 if bucket is None else bucket.wait()


INVITED: Final = "/api/ladders/"
"""Where invited bots connect; a message of theirs that answers no question ends the connection."""
BYTES_PER_TOKEN: Final = 16_384
"""Of a body. To parse four megabytes of small objects takes half a second, in which the server answers no request."""
FILES_PER_REQUEST: Final = 8
"""Pages and files that an address may load for every API request: a page has many, and they cost little."""


class RateLimit:
    """Two buckets per address, of the API and of all else. A cookie would be no key: it is easy to get a new one."""

    def __init__(self, app: ASGIApp, buckets: Buckets) -> None:
        self._app = app
        self._buckets = buckets
        self._files = Buckets(FILES_PER_REQUEST * buckets.per_minute, FILES_PER_REQUEST * buckets.burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wait = 0.0
        if scope["type"] in ("http", "websocket"):
            buckets = self._buckets if scope["path"].startswith("/api/") else self._files
            wait = buckets.take(visitor_of(scope))
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
    """Closes the WebSocket of a client that sends too many messages; invited bots only answer what they are asked."""

    def __init__(self, app: ASGIApp, per_minute: int) -> None:
        self._app = app
        self._per_minute = per_minute

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket" or scope["path"].startswith(INVITED):
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


class BodyLimit:
    """Reads a body up to the limit and hands it on whole; a longer one is refused as soon as that is clear."""

    def __init__(self, app: ASGIApp, longest: int, buckets: Buckets) -> None:
        """`buckets` are those of `RateLimit`, which took one token for the request."""
        self._app = app
        self._longest = longest
        self._buckets = buckets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        declared = headers.get("content-length", "0")
        too_long = declared.isdecimal() and int(declared) > self._longest
        body = None if too_long else await self._read(receive)
        if body is None:
            message = f"the body is longer than {self._longest} bytes"
            await refuse(scope, receive, send, Problem(code="too_large", message=message))
        elif body and not _is_json(headers.get("content-type", "")):
            message = f"expected a body of type application/json, found {headers.get('content-type')!r}"
            await refuse(scope, receive, send, Problem(code="not_json", message=message))
        elif wait := self._buckets.take(visitor_of(scope), self._tokens(body)):
            await refuse_for(wait, scope, receive, send)
        else:
            await self._app(scope, _replay_body(body, receive), send)

    def _tokens(self, body: bytes) -> int:
        """What a body costs beside the token of its request: at most a whole burst, or it would never be accepted."""
        return min(len(body) // BYTES_PER_TOKEN, self._buckets.burst - 1)

    async def _read(self, receive: Receive) -> bytes | None:
        """The body, or None if it is too long."""
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            body += message.get("body", b"")
            if len(body) > self._longest:
                return None
            if not message.get("more_body", False):
                return bytes(body)


def _is_json(content_type: str) -> bool:
    """Whether a type is JSON.

    >>> _is_json("application/json; charset=utf-8"), _is_json("text/plain")
    (True, False)
    """
    kind = content_type.partition(";")[0].strip().lower()
    return kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))


def _replay_body(body: bytes, receive: Receive) -> Receive:
    unread = True

    async def again() -> Message:
        nonlocal unread
        if unread:
            unread = False
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return again
