"""Scratch memory of the kernels; one record per thread."""

import threading
from typing import Any, Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine.layout import MOST_HEXES

MOST_EVENTS: Final = 256
EVENT_WORDS: Final = 4


class Scratch(Protocol):
    """The record's fields."""

    blocked: NDArray[np.uint8]
    barred: NDArray[np.uint8]
    steps: NDArray[np.int16]
    queue: NDArray[np.int16]
    """[hexes]: for walks, see `hexes.reach`."""
    events: NDArray[np.int16]
    """[events, 4]: what happened in the last ply, see `events`."""
    count: NDArray[np.int64]
    """[1]: how many events there are."""


LAYOUT = np.dtype(
    [
        ("blocked", np.uint8, (MOST_HEXES,)),
        ("barred", np.uint8, (MOST_HEXES,)),
        ("steps", np.int16, (MOST_HEXES,)),
        ("queue", np.int16, (MOST_HEXES,)),
        ("events", np.int16, (MOST_EVENTS, EVENT_WORDS)),
        ("count", np.int64, (1,)),
    ],
    align=True,
)


def scratch() -> Scratch:
    """A new record for kernels."""
    return cast(Scratch, np.zeros(1, LAYOUT)[0])


def event_bytes(work: Scratch) -> bytes:
    """The events of the last ply, four int16 words each."""
    record = cast(Any, work)
    events: NDArray[np.int16] = record["events"][: record["count"][0]]
    return events.tobytes()


class _ThreadScratch(threading.local):
    """One record per thread: kernels release the GIL."""

    def __init__(self) -> None:
        self.work = scratch()


_LOCAL = _ThreadScratch()


def thread_scratch() -> Scratch:
    """This thread's record."""
    return _LOCAL.work
