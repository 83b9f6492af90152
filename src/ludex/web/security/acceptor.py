"""Accepts connections: it refuses those above a limit before they cost anything, and survives a lack of open files."""

import asyncio
import json
import socket
from collections.abc import Callable
from functools import partial
from typing import Final

from ludex.core.log import logger
from ludex.core.messages import Message
from ludex.web.security.address import Proxies, network_of
from ludex.web.security.connections import Connection, Connections

BATCH: Final = 32
"""Connections accepted before other events are handled; closed ones give their files back only then."""
PAUSE_SECONDS: Final = 0.5
"""After a failed accept: a queue that is not empty would call again at once, for ever."""
FULL: Final = {
    "code": "too_many_connections",
    "message": "too many open connections",
    "text": Message("ludex.error_too_many_connections").texts(),
}
# Written once: a refusal must cost next to nothing.
_BODY: Final = json.dumps(FULL).encode()
REFUSAL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 5\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%b" % (len(_BODY), _BODY)
)

log = logger("web.connections")


class Acceptor:
    """Takes connections from a listening socket and gives each one admitted to a protocol.

    The event loop's own `create_server` makes a transport of every connection before anybody can refuse it, and uvloop
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
        task.add_done_callback(partial(self._connected, accepted, connection))

    async def _connect(self, accepted: socket.socket, connection: Connection) -> None:
        accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # The system ends a connection whose client does not read the answer.
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, self._stalled_ms)
        await self._loop.connect_accepted_socket(lambda: self._protocol(connection), accepted)

    def _connected(self, accepted: socket.socket, connection: Connection, task: "asyncio.Task[None]") -> None:
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
