"""`ludex` with a server that has a fault of its own, named first: what a soak must find."""

import json
import sys
from collections.abc import Callable

from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludex.web import serving
from ludex.web.app import create_app
from ludex.web.settings import Settings
from ludex.web.workers.preparation import OnPrepared

LEAK = 5_000_000
"""Bytes that are kept of every request."""
leaked: list[bytes] = []


class Planted:
    """Stands before the app, and spoils some of what passes."""

    def __init__(self, app: ASGIApp, fault: str) -> None:
        self._app = app
        self._fault = fault
        self._moves = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path, method = scope.get("path", ""), scope.get("method")
        if self._fault == "leak" and scope["type"] == "http":
            leaked.append(b"x" * LEAK)
        if path.endswith("/moves"):
            self._moves += 1
            if self._moves % 5 == 0 and self._fault == "breaks":
                return await self._answer(send, 500)
            if self._moves % 5 == 0 and self._fault == "refuses":
                return await self._answer(send, 422)
        parts = path.split("/")
        if self._fault == "loses" and method == "GET" and len(parts) == 4 and parts[2] == "matches":
            return await self._answer(send, 404)
        return await self._app(scope, receive, send)

    async def _answer(self, send: Send, status: int) -> None:
        start: Message = {"type": "http.response.start", "status": status, "headers": [(b"content-length", b"2")]}
        await send(start)
        await send({"type": "http.response.body", "body": json.dumps({}).encode()})


def main() -> None:
    fault, *arguments = sys.argv[1:]

    def create(
        settings: Settings,
        prepare: Callable[[], None] | None = None,
        on_prepared: OnPrepared | None = None,
    ) -> FastAPI:
        app = create_app(settings, prepare, on_prepared)
        app.add_middleware(Planted, fault=fault)
        return app

    setattr(serving, "create_app", create)  # noqa: B010 - the module imports the name, it does not export it
    sys.argv = ["ludex", *arguments]
    from ludex.cli.main import main as ludex

    ludex()


if __name__ == "__main__":
    main()
