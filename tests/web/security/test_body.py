"""A long body costs its address as much as its parsing costs the server."""

import asyncio
import json
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from ludex.web.security.rate import BYTES_PER_TOKEN, BodyLimit, Buckets


async def respond(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 201, "headers": []})
    await send({"type": "http.response.body", "body": b"{}"})


def post(app: BodyLimit, size: int, address: str = "192.0.2.1") -> tuple[int, Any]:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b" " * size, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [(b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/api/matches", "headers": headers, "client": (address, 1)}
    asyncio.run(app(scope, receive, send))
    return sent[0]["status"], json.loads(b"".join(message.get("body", b"") for message in sent))


def test_a_long_body_counts_as_many_requests() -> None:
    buckets = Buckets(per_minute=0.001, burst=10)
    app = BodyLimit(respond, longest=100 * BYTES_PER_TOKEN, buckets=buckets)
    assert [post(app, 100)[0] for _ in range(20)] == [201] * 20
    assert post(app, 6 * BYTES_PER_TOKEN)[0] == 201
    status, problem = post(app, 6 * BYTES_PER_TOKEN)
    assert (status, problem["code"]) == (429, "too_many_requests")
    assert post(app, 4 * BYTES_PER_TOKEN)[0] == 201
    # The longest body that the settings allow is not impossible, after the token that its request costs.
    assert not buckets.take("192.0.2.2")
    assert post(app, 100 * BYTES_PER_TOKEN, "192.0.2.2")[0] == 201
    assert buckets.take("192.0.2.2")
