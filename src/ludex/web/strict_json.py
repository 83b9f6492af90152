"""Bodies of requests that are documents: a key given twice, a byte-order mark and too many values are refused."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any, Final

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.responses import Response

from ludex.core.documents import strict_json
from ludex.web.answers import answering
from ludex.web.schemas.base import LARGE_ANSWER

MOST_VALUES: Final = 1 << 16
"""Of a body, four times those of the longest match: they are checked one by one where other requests wait."""
MOST_KEYS: Final = 1_000
"""Of an object. Each that a route does not know would be a fault in words: 360,000 took seconds and 31 MB."""


class _StrictRequest(Request):
    async def json(self) -> Any:
        body = await self.body()
        try:
            return await asyncio.to_thread(_read, body) if len(body) > LARGE_ANSWER else _read(body)
        except json.JSONDecodeError:
            raise
        except (ValueError, RecursionError) as error:
            raise HTTPException(400, f"body: not valid JSON: {error}") from error


def _read(body: bytes) -> Any:
    values = sum(map(body.count, (b",", b"[", b"{")))
    if values > MOST_VALUES:
        raise ValueError(f"expected at most {MOST_VALUES:,} values, found {values:,}")
    return strict_json(body, MOST_KEYS)


class StrictRoute(APIRoute):
    """A route that reads its body strictly, and writes its answer where that delays no other request."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, answering(endpoint, options.get("status_code") or 200), **options)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def strict(request: Request) -> Response:
            try:
                return await handle(_StrictRequest(request.scope, request.receive))
            except RecursionError as error:
                # What JSON may nest is less than what checks it and copies it can.
                raise HTTPException(400, "body: nested too deeply") from error

        return strict
