"""The protocols of a connection: HTTP with bounds on time and on the size of headers, and counted WebSockets."""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from ludex.web.security.connections import Connection, plain_refusal

TIMED_OUT: Final = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
HEADER_BYTES: Final = 32 << 10
"""Of one request, its first line included."""
HEADERS_TOO_LARGE: Final = plain_refusal(
    "431 Request Header Fields Too Large",
    "headers_too_large",
    f"the headers of a request are longer than {HEADER_BYTES} bytes",
)


class TimedHttp(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """HTTP/1.1 by httptools, or by h11 where that is not installed, with bounds on headers and on time.

    The parsers collect a header without a limit. So bytes are counted before they are parsed: after `HEADER_BYTES` in
    which no headers were completed and no body came, the request is refused. Trailers of a body count alike.
    """

    def __init__(self, *, connection: Connection, header_seconds: float, body_seconds: float, **uvicorn: Any) -> None:
        super().__init__(**uvicorn)
        self._connection = connection
        self._header_seconds = header_seconds
        self._body_seconds = body_seconds
        self._timer: asyncio.TimerHandle | None = None
        self._timed: object = None
        """What the timer is for: the request whose body it bounds, or `self` for headers."""
        self._upgraded = False
        self._unfinished = 0
        """Bytes since the last completed headers or the last part of a body."""
        self._progressed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._connection.close = self.transport.abort
        self._connection.set_idle(True)
        self._bound(self, self._header_seconds)

    def data_received(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest and not self._upgraded and not self.transport.is_closing():
            part, rest = rest[: HEADER_BYTES - self._unfinished], rest[HEADER_BYTES - self._unfinished :]
            self._progressed = False
            super().data_received(bytes(part))
            self._unfinished = 0 if self._progressed or self._h11_progressed() else self._unfinished + len(part)
            if self._unfinished >= HEADER_BYTES:
                self._refuse_headers()
        self._follow()

    def on_headers_complete(self) -> None:
        self._progressed = True
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._progressed = True
        super().on_body(body)

    def _h11_progressed(self) -> bool:
        """Whether h11, which has no callbacks, is past the headers; it bounds unfinished trailers itself."""
        conn = getattr(self, "conn", None)
        return conn is not None and str(conn.their_state) != "IDLE"

    def _refuse_headers(self) -> None:
        request = self._running
        if request is None or not request.response_started:
            self.transport.write(HEADERS_TOO_LARGE)
        self.transport.close()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._running is None:
            self._unbound()
            self._connection.set_idle(True)

    def handle_websocket_upgrade(self, *event: Any) -> None:
        self._upgraded = True
        super().handle_websocket_upgrade(*event)
        protocol = self.transport.get_protocol()
        assert isinstance(protocol, CountedWebSocket)
        protocol.connection = self._connection

    def connection_lost(self, exc: Exception | None) -> None:
        self._unbound()
        self._connection.release()
        super().connection_lost(exc)

    @property
    def _running(self) -> Any:
        """The request that is not answered yet."""
        return None if self.cycle is None or self.cycle.response_complete else self.cycle

    def _follow(self) -> None:
        """Set the timer to what the connection waits for now."""
        request = self._running
        self._connection.set_idle(request is None and not self._upgraded)
        if self._upgraded or self.transport.is_closing():
            self._unbound()
        elif request is None:
            self._bound(self, self._header_seconds)
        elif request.more_body:
            self._bound(request, self._body_seconds)
        else:
            self._unbound()

    def _bound(self, subject: object, seconds: float) -> None:
        """Close the connection in some seconds; more bytes of the same subject give no more time."""
        if self._timed is not subject:
            self._unbound()
            self._timed = subject
            self._timer = self.loop.call_later(seconds, self._time_out)

    def _unbound(self) -> None:
        self._timed = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_out(self) -> None:
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        elif not self.transport.is_closing():
            request = self._running
            if request is None or not request.response_started:
                self.transport.write(TIMED_OUT)
            self.transport.close()


class CountedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket whose connection is counted until it is lost."""

    connection: Connection | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        if self.connection is not None:
            self.connection.release()
        super().connection_lost(exc)
