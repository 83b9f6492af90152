"""Addresses of other servers, and requests to them that end in time whatever the server does."""

import os
import queue
import threading
import time
from collections.abc import Callable
from typing import Final, TypeVar
from urllib.parse import urlsplit

from ludex.core.errors import AgentTimeout, BadOption
from ludex.core.limit import Limit

POLL_SECONDS: Final = 0.02
LARGEST_ANSWER: Final = 1 << 20
"""Bytes of an answer that are read; a longer one is no answer."""
LONGEST_SHOWN: Final = 200
"""Characters of what another server said that stand in a message."""
REDACTED: Final = "[key]"
"""What stands there for a key."""

T = TypeVar("T")


def check_url(url: str, owner: str) -> str:
    """The address as it is. Raises `BadOption` for none of HTTP, and for one with a password or query in it.

    >>> check_url("http://127.0.0.1:8080/v1", "llm")
    'http://127.0.0.1:8080/v1'
    """
    try:
        parts = urlsplit(url)
        # A port that is none raises.
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError as error:
        raise BadOption(f"{owner}: url is no address: {error}") from error
    if not is_address or not url.isascii() or not url.isprintable() or " " in url:
        raise BadOption(f"{owner}: expected an address such as http://127.0.0.1:8080/v1, found {url!r}")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        # Addresses stand in journals and on pages.
        raise BadOption(f"{owner}: an address holds no user, password, query or fragment: keys come from api_key_env")
    return url


def read_key(variable: str | None, owner: str = "api_key_env") -> str:
    """The key that a variable of the environment holds; empty without one. Raises `BadOption`, without the key."""
    if variable is None:
        return ""
    key = os.environ.get(variable, "")
    if not key:
        raise BadOption(f"{owner}: the environment has no variable {variable}, or it is empty")
    if not key.isascii() or not key.isprintable():
        raise BadOption(f"{owner}: the variable {variable} holds no key: expected printable ASCII")
    return key


def call_in_time(work: Callable[[], T], *, seconds: float, limit: Limit, owner: str, abort: Callable[[], object]) -> T:
    """What `work` returns or raises, on a thread of its own; `abort` breaks it off when time is up or a stop wanted.

    Time-outs of sockets do not bound a server that sends a byte now and then. Raises `AgentTimeout`.
    """
    results: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            results.put((work(), None))
        except BaseException as error:
            results.put((None, error))

    threading.Thread(target=run, daemon=True, name="ludex-remote").start()
    deadline = time.monotonic() + seconds
    try:
        while (remaining := deadline - time.monotonic()) > 0 and not limit.stopped:
            try:
                value, error = results.get(timeout=min(POLL_SECONDS, remaining))
            except queue.Empty:
                continue
            if error is not None:
                raise error
            return value  # type: ignore[return-value]
    except BaseException:
        abort()
        raise
    abort()
    raise AgentTimeout(f"{owner}: no answer within {seconds:.1f} s")
