"""Bodies of requests that are documents: a key given twice and a byte-order mark are refused."""

import json
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.responses import Response

from ludex.core.documents import strict_json


class _StrictRequest(Request):
    async def json(self) -> Any:
        body = await self.body()
        try:
            return strict_json(body)
        except json.JSONDecodeError:
            raise
        except (ValueError, RecursionError) as error:
            raise HTTPException(400, f"body: not valid JSON: {error}") from error


class StrictRoute(APIRoute):
    """A route that reads its body strictly."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def strict(request: Request) -> Response:
            return await handle(_StrictRequest(request.scope, request.receive))

        return strict
