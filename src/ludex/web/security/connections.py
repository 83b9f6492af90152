"""Open connections: how many there are, whose they are, and which one makes room for the next.

A connection without a running request is idle. Where a limit is reached, the connection that has been idle for longest
is closed for the new one, so that silent connections never keep a visitor out, not even one who shares their address.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Final

from ludex.core.errors import UsageError
from ludex.core.log import logger
from ludex.core.system import raise_file_limit
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

    code = "too_few_files"


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
        found = next((one for one in self._idle if address in (None, one.address)), None)
        if found is None or found.close is None:
            return False
        self.release(found)
        found.close()
        return True


def fitted(settings: Settings) -> Settings:
    """The settings with lower limits where this process may not open so many files; what is lowered is logged.

    Raises `TooFewFiles`.
    """
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
