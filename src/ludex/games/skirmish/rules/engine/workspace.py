"""Records that kernels read and write as a single pointer, and their scratch memory: one record per thread."""

import threading
from typing import Annotated, Any, Final, TypeVar, cast, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine.layout import MOST_HEXES

MOST_EVENTS: Final = 256
EVENT_WORDS: Final = 4

R = TypeVar("R")


def new_record(fields: type[R]) -> R:
    """A record of zeros with the fields that a class declares: `int`, or arrays annotated with their shape."""
    members: list[tuple[Any, ...]] = []
    for name, hint in get_type_hints(fields, include_extras=True).items():
        if hint is int:
            members.append((name, np.int64))
        else:
            array, shape = get_args(hint)
            members.append((name, get_args(get_args(array)[1])[0], shape))
    return cast(R, np.zeros(1, np.dtype(members, align=True))[0])


class Scratch:
    """What kernels write for themselves, and the dice and the events of a ply."""

    blocked: Annotated[NDArray[np.uint8], (MOST_HEXES,)]
    barred: Annotated[NDArray[np.uint8], (MOST_HEXES,)]
    steps: Annotated[NDArray[np.int16], (MOST_HEXES,)]
    queue: Annotated[NDArray[np.int16], (MOST_HEXES,)]
    """For walks, see `hexes.reach`."""
    generator: Annotated[NDArray[np.uint64], (1,)]
    """The random generator of the ply."""
    events: Annotated[NDArray[np.int16], (MOST_EVENTS, EVENT_WORDS)]
    """What happened in the last ply, see `events`."""
    count: Annotated[NDArray[np.int64], (1,)]
    """How many events there are."""


def event_bytes(work: Scratch) -> bytes:
    """The events of the last ply, four int16 words each."""
    record = cast(Any, work)
    events: NDArray[np.int16] = record["events"][: record["count"][0]]
    return events.tobytes()


class _ThreadScratch(threading.local):
    """One record per thread: kernels release the GIL."""

    def __init__(self) -> None:
        self.work = new_record(Scratch)


_LOCAL = _ThreadScratch()


def thread_scratch() -> Scratch:
    """This thread's record."""
    return _LOCAL.work
