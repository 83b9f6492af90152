"""Waiting for what another process or thread does."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 200.0
"""Seconds: two cores may be busy with other tests, and an agent's first search compiles it."""


def until(met: Callable[[], T], what: str) -> T:
    """What `met` gives as soon as that is true."""
    deadline = time.monotonic() + PATIENCE
    while not (answer := met()):
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.02)
    return answer
