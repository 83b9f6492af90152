"""A limit on log lines that clients can cause without a request."""

import logging
import time
from collections.abc import Callable
from typing import Any, Final

INTERVAL: Final = 10.0
"""Seconds between two lines of one event."""
MOST_EVENTS: Final = 1_000
"""Kinds of events remembered; messages may quote what a client sent."""
CLIENT_CAUSED: Final = ("ludex.web.connections", "uvicorn.error", "asyncio", "websockets.server")
"""Loggers whose lines a client causes by a connection or by bytes that are no request."""


class LimitedEvents(logging.Filter):
    """Lets each event of a logger pass once per interval, with the number of those left out since.

    >>> now = [0.0]
    >>> limited = LimitedEvents(clock=lambda: now[0])
    >>> def passes():
    ...     record = logging.makeLogRecord({"levelno": logging.WARNING, "msg": "Invalid HTTP request."})
    ...     return record.getMessage() if limited.filter(record) else None
    >>> passes(), passes()
    ('Invalid HTTP request.', None)
    >>> now[0] = 11.0
    >>> passes()
    'Invalid HTTP request. (1 more since)'
    """

    def __init__(self, interval: float = INTERVAL, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._interval = interval
        self._clock = clock
        self._last: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        message: Any = record.msg
        event = str(message.get("event")) if isinstance(message, dict) else str(message)
        now = self._clock()
        last, left_out = self._last.get(event, (-self._interval, 0))
        if now - last < self._interval:
            self._last[event] = (last, left_out + 1)
            return False
        if len(self._last) >= MOST_EVENTS:
            self._last.clear()
        self._last[event] = (now, 0)
        if left_out and isinstance(message, dict):
            record.msg = {**message, "more_since": left_out}
        elif left_out:
            record.msg = f"{message} ({left_out} more since)"
        return True


def limit_logs() -> None:
    """Limit the lines of all loggers that clients can make write."""
    for name in CLIENT_CAUSED:
        logger = logging.getLogger(name)
        if not any(isinstance(one, LimitedEvents) for one in logger.filters):
            logger.addFilter(LimitedEvents())
