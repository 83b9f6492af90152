"""The rate limit of one address."""

import math
from ipaddress import IPv6Address, ip_address
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from ludex.web.schemas import Problem
from ludex.web.security.bucket import Buckets
from ludex.web.security.refusal import refuse

NETWORK_BITS: Final = 64
"""Of an IPv6 address: a client usually has a whole /64 network."""


class RateLimit:
    """One bucket per address, for the API and its WebSockets. A cookie would be no key: it is easy to get a new one."""

    def __init__(self, app: ASGIApp, per_minute: int, burst: int) -> None:
        self._app = app
        self._buckets = Buckets(per_minute, burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wait = 0.0
        if scope["type"] in ("http", "websocket") and scope["path"].startswith("/api/"):
            wait = self._buckets.take(network_of(scope))
        if not wait:
            await self._app(scope, receive, send)
            return
        seconds = math.ceil(wait)
        problem = Problem(code="too_many_requests", message=f"too many requests; try again in {seconds} s")
        await refuse(scope, receive, send, problem, {"Retry-After": str(seconds)})


def network_of(scope: Scope) -> str:
    """The key of a client's bucket.

    >>> network_of({"client": ("192.0.2.7", 5)}), network_of({"client": ("2001:db8::1:2", 5)})
    ('192.0.2.7', '2001:db8::')
    """
    client = scope.get("client")
    host = client[0] if client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return str(host)
    if isinstance(address, IPv6Address):
        rest = 128 - NETWORK_BITS
        return str(IPv6Address(int(address) >> rest << rest))
    return str(address)
