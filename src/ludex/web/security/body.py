"""Limits the body of a request to a length, to JSON, and to what its address may send in a time."""

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludex.web.errors import refuse
from ludex.web.schemas.base import Problem
from ludex.web.security.address import visitor_of
from ludex.web.security.rate import BYTES_PER_TOKEN, Buckets, refuse_for


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
