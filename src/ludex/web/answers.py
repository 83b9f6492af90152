"""Documents in requests and answers: read strictly, written to JSON once, and large ones away from the event loop.

A key given twice, a byte-order mark and too many values in a body are refused.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager
from functools import partial, wraps
from inspect import iscoroutinefunction, signature
from typing import Any, Final, TypeVar

from fastapi import Request
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from ludex.core.documents import strict_json
from ludex.web.budget import Reservation
from ludex.web.offload import cancel_all
from ludex.web.schemas.base import LARGE_ANSWER, Document, is_large
from ludex.web.workers.task import Abandoned

T = TypeVar("T")
Endpoint = Callable[..., Coroutine[Any, Any, Any]]
JSON: Final = "application/json"
PATIENCE_SECONDS: Final = 30.0
"""After which an answer is given up that its client does not read: its share of a budget is for others too."""
SLOWEST_RATE: Final = LARGE_ANSWER
"""Bytes per second, before they are compressed, that a client must read beyond that time."""
MOST_VALUES: Final = 1 << 16
"""Of a body, four times those of the longest match: they are checked one by one where other requests wait."""
MOST_KEYS: Final = 1_000
"""Of an object. Each that a route does not know would be a fault in words: 360,000 took seconds and 31 MB."""


class DocumentResponse(Response):
    """An answer whose JSON is written when it is sent: in a thread if it is large, then in parts, as they are read."""

    media_type = JSON

    def __init__(self, document: BaseModel, status_code: int = 200) -> None:
        super().__init__(status_code=status_code)
        self._document = document

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        document = self._document
        write = (
            document.json_text if isinstance(document, Document) else partial(document.model_dump_json, by_alias=True)
        )
        large = document.is_large() if isinstance(document, Document) else is_large(document)
        if not large:
            await Response(write(), self.status_code, media_type=JSON)(scope, receive, send)
            return
        async with scope["app"].state.ludex.budgets.answers.use():
            body = await asyncio.to_thread(lambda: write().encode())
            headers = {"Content-Length": str(len(body))}
            async with limited_time(send) as send_in_time:
                await StreamingResponse(_parts(body), self.status_code, headers, JSON)(scope, receive, send_in_time)


async def _parts(body: bytes) -> AsyncIterator[memoryview]:
    """A body in parts: the server writes the next one when the client has read most of the last."""
    view = memoryview(body)
    for begin in range(0, len(view), LARGE_ANSWER):
        yield view[begin : begin + LARGE_ANSWER]
        # Other requests have their turn while a part is compressed.
        await asyncio.sleep(0)


@asynccontextmanager
async def limited_time(send: Send) -> AsyncIterator[Send]:
    """A `send` for one answer; a client that reads it too slowly ends the block with `TimeoutError`."""
    async with asyncio.timeout(PATIENCE_SECONDS) as limit:

        async def send_in_time(message: Message) -> None:
            await send(message)
            deadline = limit.when()
            assert deadline is not None
            limit.reschedule(deadline + len(message.get("body", b"")) / SLOWEST_RATE)

        yield send_in_time


async def while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of work that is cancelled when its client goes away. Raises `Abandoned` then."""
    working, leaving = asyncio.create_task(work), asyncio.create_task(wait_for_disconnect(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Abandoned("the client has gone away")
        return working.result()
    finally:
        await cancel_all((working, leaving))


async def wait_for_disconnect(request: Request) -> None:
    """Wait until the client of a request has gone away."""
    while (await request.receive())["type"] != "http.disconnect":
        continue


class StreamedFile(StreamingResponse):
    """A JSON file whose parts are read in a thread while it is sent; its share of a budget is released at the end."""

    def __init__(self, parts: Iterator[str], reservation: Reservation, headers: Mapping[str, str]) -> None:
        super().__init__(_gather(parts), headers=headers, media_type=JSON)
        self._reservation = reservation

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with limited_time(send) as send_in_time:
                await super().__call__(scope, receive, send_in_time)
        finally:
            self._reservation.release()


async def _gather(parts: Iterator[str]) -> AsyncIterator[bytes]:
    while body := await asyncio.to_thread(_collect, parts):
        for begin in range(0, len(body), LARGE_ANSWER):
            yield body[begin : begin + LARGE_ANSWER]
            await asyncio.sleep(0)


def _collect(parts: Iterator[str]) -> bytes:
    """The next parts together, `LARGE_ANSWER` bytes or a little more; none at the end."""
    texts, size = [], 0
    for part in parts:
        texts.append(part)
        size += len(part)
        if size >= LARGE_ANSWER:
            break
    return "".join(texts).encode()


def answering(endpoint: Endpoint, status_code: int) -> Endpoint:
    """An endpoint whose documents become `DocumentResponse`; one that changes the headers of its answer stays as is."""
    changes_headers = any(parameter.annotation is Response for parameter in signature(endpoint).parameters.values())
    if hasattr(endpoint, "__wrapped__") or changes_headers or not iscoroutinefunction(endpoint):
        return endpoint

    @wraps(endpoint)
    async def answer(*arguments: Any, **named: Any) -> Any:
        result = await endpoint(*arguments, **named)
        return DocumentResponse(result, status_code) if isinstance(result, BaseModel) else result

    return answer


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
