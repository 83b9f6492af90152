"""The size of a request's headers, by both parsers, for requests and for upgrades to a WebSocket."""

import asyncio
import importlib.util
from types import ModuleType
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http import auto
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from ludex.web.security import protocol
from ludex.web.security.protocol import Connections

GET = b"GET / HTTP/1.1\r\nHost: a\r\n"
UPGRADE = GET + (
    b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
CHUNKED = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n"
ONE = b"x: " + b"a" * 40_000
MANY = b"x: y\r\n" * 8_000
REFUSED = b"HTTP/1.1 431 Request Header Fields Too Large"


class Requests:
    """An app that counts what reaches it."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.lengths: list[int] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.paths.append(scope["path"])
        length, more = 0, scope["type"] == "http"
        while more:
            message = await receive()
            length, more = length + len(message.get("body", b"")), message.get("more_body", False)
        self.lengths.append(length)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


async def _exchange(module: ModuleType, app: Requests, sent: bytes, most: int) -> bytes:
    config = uvicorn.Config(
        app, ws=protocol.CountedWebSocket, lifespan="off", h11_max_incomplete_event_size=protocol.HEADER_BYTES
    )
    config.load()
    state, pool = ServerState(), Connections(10, 10)

    def connect() -> asyncio.Protocol:
        connection = pool.admit("a")
        assert connection is not None
        http: asyncio.Protocol = module.TimedHttp(
            connection=connection, header_seconds=30, body_seconds=30, config=config, server_state=state, app_state={}
        )
        return http

    server = await asyncio.get_running_loop().create_server(connect, "127.0.0.1", 0)
    async with server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
        writer.write(sent)
        received = b""
        while len(received) < most and (part := await asyncio.wait_for(reader.read(most), 30)):
            received += part
        writer.close()
    return received


@pytest.fixture(params=[HttpToolsProtocol, H11Protocol], ids=["httptools", "h11"])
def module(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The protocols over one parser."""
    monkeypatch.setattr(auto, "AutoHTTPProtocol", request.param)
    specification = importlib.util.spec_from_file_location("protocol_over_one_parser", protocol.__file__)
    assert specification is not None
    assert specification.loader is not None
    loaded = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(loaded)
    assert issubclass(loaded.TimedHttp, request.param)
    return loaded


@pytest.mark.parametrize(
    "sent",
    [GET + ONE, GET + MANY, b"GET /" + b"a" * 40_000, UPGRADE + ONE, UPGRADE + MANY, GET + ONE + b"\r\n\r\n"],
    ids=["one header", "many headers", "path", "upgrade, one header", "upgrade, many headers", "complete"],
)
def test_large_headers_are_refused_before_they_are_parsed(module: ModuleType, sent: bytes) -> None:
    app = Requests()
    answer = asyncio.run(_exchange(module, app, sent, 1 << 20))
    assert answer.startswith(REFUSED)
    assert b'"headers_too_large"' in answer
    assert app.paths == []


@pytest.mark.parametrize(
    "rest", [b"0\r\n" + 2 * MANY, b"0\r\n" + 2 * ONE, b"1;a=" + b"a" * 80_000], ids=["trailers", "trailer", "chunk"]
)
def test_headers_behind_a_body_are_bounded_too(rest: bytes) -> None:
    app = Requests()
    answer = asyncio.run(_exchange(protocol, app, CHUNKED + rest, 1 << 20))
    assert answer.startswith(REFUSED)
    assert app.lengths in ([], [1])


def test_headers_and_bodies_within_the_limit_pass(module: ModuleType) -> None:
    app = Requests()
    long = b"x: " + b"a" * 30_000 + b"\r\n"
    body = b"a" * 1_000_000
    post = b"POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n%b\r\n%b" % (len(body), long, body)
    # The second head begins in the part that ends the first body.
    answer = asyncio.run(_exchange(module, app, post + GET + long + b"\r\n", 2 * len(b"ok") + 150))
    assert answer.count(b"200 OK") == 2
    assert (app.paths, app.lengths) == (["/b", "/"], [1_000_000, 0])
