"""Headers: the origin check of requests, and the security headers of every response."""

from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludex.web.errors import refuse
from ludex.web.schemas.base import Problem

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_RAW: Final = tuple((name.lower().encode(), value.encode()) for name, value in HEADERS.items())
_NO_STORE: Final = (b"cache-control", b"no-store")
_STARTS: Final = frozenset({"http.response.start", "websocket.http.response.start"})


class SecurityHeaders:
    """Adds them to every response, refusals, errors and files among them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] in _STARTS:
                # A response for one person must not be cached for another.
                headers = (*_RAW, _NO_STORE) if scope.get("path", "").startswith("/api/") else _RAW
                # A page of the documentation has a policy of its own, which names its scripts.
                own = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(header for header in headers if header[0] not in own)]
            await send(message)

        await self._app(scope, receive, send_with_headers)


SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
MOST_HOSTS: Final = 256
"""Host headers whose name is remembered."""
LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class OriginCheck:
    """Refuses unsafe requests and WebSockets that another site's page has sent.

    A browser sends the origin of its page; a program that sends none has no person's cookie. A server that only this
    machine can reach also refuses foreign host names: a site may point its name here (DNS rebinding), and would then
    be the same origin.
    """

    def __init__(self, app: ASGIApp, origins: tuple[str, ...], loopback: bool) -> None:
        self._app = app
        self._origins = frozenset(origins)
        self._hosts = LOOPBACK_NAMES | {urlsplit(origin).hostname for origin in origins} if loopback else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        problem = self._problem(scope) if scope["type"] in ("http", "websocket") else None
        if problem is None:
            await self._app(scope, receive, send)
        else:
            await refuse(scope, receive, send, problem)

    def _problem(self, scope: Scope) -> Problem | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self._hosts is not None and _host_name(host) not in self._hosts:
            return Problem(
                code="wrong_host",
                message=f"this server answers to this machine alone, not to {host!r}; LUDEX_ORIGINS names others",
            )
        if scope["type"] == "http" and scope["method"] in SAFE_METHODS:
            return None
        origin = headers.get("origin")
        if origin is None:
            foreign = headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")
        else:
            # A proxy that adds TLS may hide from us which of the two it is.
            own = (f"http://{host}", f"https://{host}") if host else ()
            foreign = origin not in self._origins and origin not in own
        if foreign:
            return Problem(
                code="wrong_origin",
                message=f"a page of {origin or 'another site'} may not do this here; LUDEX_ORIGINS names others",
            )
        return None


@lru_cache(maxsize=MOST_HOSTS)
def _host_name(host: str) -> str | None:
    """The name of a Host header without its port.

    >>> _host_name("[::1]:8000"), _host_name("LocalHost"), _host_name("a b"), _host_name("[")
    ('::1', 'localhost', 'a b', None)
    """
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None
