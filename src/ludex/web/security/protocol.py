"""uvicorn's protocols with time-outs for headers and bodies.

uvicorn bounds the time between two requests of a connection, but not the time before the first, nor the time of
headers and bodies: silent and slow clients hold their connections for ever. Another server (hypercorn, granian) would
replace a stack that the tests know and still leave limits per address to us; a subclass keeps uvicorn with httptools
and uvloop.
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from ludex.web.security.connections import Connection

TIMED_OUT: Final = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class TimedHttp(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """HTTP/1.1 by httptools, or by h11 where that is not installed."""

    def __init__(self, *, connection: Connection, header_seconds: float, body_seconds: float, **uvicorn: Any) -> None:
        super().__init__(**uvicorn)
        self._connection = connection
        self._header_seconds = header_seconds
        self._body_seconds = body_seconds
        self._timer: asyncio.TimerHandle | None = None
        self._timed: object = None
        """What the timer is for: the request whose body it bounds, or `self` for headers."""
        self._upgraded = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._connection.close = self.transport.abort
        self._connection.set_idle(True)
        self._bound(self, self._header_seconds)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._follow()

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
