"""Security headers of every response."""

from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
        async def guarded(message: Message) -> None:
            if message["type"] in _STARTS:
                # A response for one person must not be cached for another.
                wanted = (*_RAW, _NO_STORE) if scope.get("path", "").startswith("/api/") else _RAW
                # A page of the documentation has a policy of its own, which names its scripts.
                own = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(one for one in wanted if one[0] not in own)]
            await send(message)

        await self._app(scope, receive, guarded)
