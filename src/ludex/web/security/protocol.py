"""Connections: how many are open, which one makes room, and their protocols, with bounds on time and headers."""

import asyncio
import json
import socket
from collections import Counter, OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from ludex.core.errors import UsageError
from ludex.core.log import logger
from ludex.core.messages import Message
from ludex.core.system import raise_file_limit
from ludex.web.security.address import Proxies, network_of
from ludex.web.settings import Settings, most_sockets

log = logger("web.connections")

BASE_FILES: Final = 64
"""Open files of a server without visitors: the database, the log, the event loop."""
FILES_PER_WORKER: Final = 8
FILE_SHARE: Final = 0.75
"""Of the remaining files for connections: a response may also hold a static file open."""
FEWEST: Final = 32
"""Connections below which a server is of no use."""


class TooFewFiles(UsageError):
    """The process may open too few files to serve."""


class Connection:
    """One admitted connection, counted until `release`."""

    def __init__(self, pool: "Connections", address: str | None) -> None:
        self._pool = pool
        self.address = address
        """The network it comes from; None for a trusted proxy, which stands for many visitors."""
        self.close: Callable[[], None] | None = None
        """Closes it at once; set when the protocol has its transport."""

    def set_idle(self, idle: bool) -> None:
        """Whether it has no running request, and may be closed for another one."""
        self._pool.set_idle(self, idle)

    def release(self) -> None:
        """It is closed; more than one call has no effect."""
        self._pool.release(self)


class Connections:
    """The connections of a server.

    One without a running request is idle. Where a limit is reached, the one that has been idle for longest is closed
    for the new one: silent connections never keep a visitor out, not even one who shares their address.

    >>> pool, closed = Connections(most=3, most_per_address=2), []
    >>> first, second = pool.admit("a"), pool.admit("a")
    >>> first.close = lambda: closed.append("first")
    >>> pool.admit("a") is None
    True
    >>> first.set_idle(True)
    >>> pool.admit("a") is None, closed
    (False, ['first'])
    """

    def __init__(self, most: int, most_per_address: int) -> None:
        self._most = most
        self._most_per_address = most_per_address
        self._open: set[Connection] = set()
        self._idle: OrderedDict[Connection, None] = OrderedDict()
        self._per_address: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, address: str | None) -> Connection | None:
        """Count a new connection, if need be in place of an idle one; None if it must be refused."""
        if address is not None and self._per_address[address] >= self._most_per_address and not self._evict(address):
            return None
        if len(self._open) >= self._most and not self._evict(None):
            return None
        connection = Connection(self, address)
        self._open.add(connection)
        if address is not None:
            self._per_address[address] += 1
        return connection

    def set_idle(self, connection: Connection, idle: bool) -> None:
        if connection not in self._open:
            return
        if not idle:
            self._idle.pop(connection, None)
        elif connection not in self._idle:
            self._idle[connection] = None

    def release(self, connection: Connection) -> None:
        if connection not in self._open:
            return
        self._open.remove(connection)
        self._idle.pop(connection, None)
        if connection.address is not None:
            self._per_address[connection.address] -= 1
            if not self._per_address[connection.address]:
                del self._per_address[connection.address]

    def _evict(self, address: str | None) -> bool:
        """Close the connection that has been idle for longest, of one address or of all; False if none is idle."""
        idle = next((connection for connection in self._idle if address in (None, connection.address)), None)
        if idle is None or idle.close is None:
            return False
        self.release(idle)
        idle.close()
        return True


def fit_limits(settings: Settings) -> Settings:
    """The settings, lowered and logged where this process may open fewer files. Raises `TooFewFiles`."""
    files = raise_file_limit()
    spare = files - BASE_FILES - FILES_PER_WORKER * settings.workers
    most = min(settings.connections, int(spare * FILE_SHARE))
    if most < min(FEWEST, settings.connections):
        needed = BASE_FILES + FILES_PER_WORKER * settings.workers + int(FEWEST / FILE_SHARE) + 1
        raise TooFewFiles(f"the limit of open files is {files}, a server needs at least {needed}: raise `ulimit -n`")
    limits = {
        "connections": most,
        "connections_per_address": min(settings.connections_per_address, max(1, most // 2)),
        "sockets": min(settings.sockets, most_sockets(most)),
    }
    lowered = {name: limit for name, limit in limits.items() if limit < getattr(settings, name)}
    if lowered:
        log.warning("limits are lower than set", open_files=files, **lowered)
    return settings.model_copy(update=limits)


BATCH: Final = 32
"""Connections accepted before other events are handled; closed ones give their files back only then."""
PAUSE_SECONDS: Final = 0.5
"""After a failed accept: a queue that is not empty would call again at once, for ever."""


def plain_refusal(status: str, code: str, message: str, headers: str = "") -> bytes:
    """A response with a problem, written once: a refusal must cost next to nothing."""
    problem = {"code": code, "message": message, "text": Message(f"ludex.error_{code}").texts()}
    body = json.dumps(problem).encode()
    head = f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\n{headers}connection: close\r\n"
    return f"{head}content-length: {len(body)}\r\n\r\n".encode() + body


REFUSAL: Final = plain_refusal(
    "503 Service Unavailable", "too_many_connections", "too many open connections", "retry-after: 5\r\n"
)


class Acceptor:
    """Takes connections from a listening socket and gives each one admitted to a protocol.

    The event loop's own `create_server` makes a transport of every connection before it can be refused, and uvloop
    accepts a whole queue at once: a thousand connections would use up all files before the first is closed.
    """

    def __init__(
        self,
        listening: socket.socket,
        connections: Connections,
        proxies: Proxies,
        stalled_seconds: float,
        protocol: Callable[[Connection], asyncio.Protocol],
    ) -> None:
        self._listening = listening
        self._connections = connections
        self._proxies = proxies
        self._stalled_ms = int(1000 * stalled_seconds)
        self._protocol = protocol
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._resume: asyncio.TimerHandle | None = None

    def start(self) -> None:
        self._listening.setblocking(False)
        self._loop.add_reader(self._listening, self._accept)

    def stop(self) -> None:
        """Accept no more, and close the socket."""
        if self._resume is not None:
            self._resume.cancel()
        self._loop.remove_reader(self._listening)
        self._listening.close()

    def _accept(self) -> None:
        for _ in range(BATCH):
            try:
                accepted, peer = self._listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                log.error("cannot accept connections", reason=error.strerror, open=len(self._connections))
                self._loop.remove_reader(self._listening)
                self._resume = self._loop.call_later(PAUSE_SECONDS, self.start)
                return
            self._take(accepted, peer[0])

    def _take(self, accepted: socket.socket, host: str) -> None:
        accepted.setblocking(False)
        connection = self._connections.admit(None if host in self._proxies else network_of(host))
        if connection is None:
            log.warning("connection refused", open=len(self._connections))
            _refuse(accepted)
            return
        task = self._loop.create_task(self._connect(accepted, connection))
        self._tasks.add(task)
        task.add_done_callback(partial(self._on_connected, accepted, connection))

    async def _connect(self, accepted: socket.socket, connection: Connection) -> None:
        accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # The system ends a connection whose client does not read the answer.
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, self._stalled_ms)
        await self._loop.connect_accepted_socket(lambda: self._protocol(connection), accepted)

    def _on_connected(self, accepted: socket.socket, connection: Connection, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if task.cancelled() or error is not None:
            connection.release()
            accepted.close()
        if error is not None and not isinstance(error, OSError):
            log.error("connection failed", error=repr(error))


def _refuse(accepted: socket.socket) -> None:
    """Answer without waiting and close: an empty send buffer takes so little at once."""
    try:
        accepted.send(REFUSAL)
    except OSError:
        # The client is gone already, and needs no answer.
        pass
    finally:
        accepted.close()


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
        self._limit_age(self, self._header_seconds)

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
            self._limit_age(self, self._header_seconds)
        elif request.more_body:
            self._limit_age(request, self._body_seconds)
        else:
            self._unbound()

    def _limit_age(self, subject: object, seconds: float) -> None:
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
