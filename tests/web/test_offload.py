"""Work of any length in threads: long work takes turns and keeps no other work waiting."""

import asyncio
import threading
import time
from collections.abc import Generator

import pytest

from ludex.web.offload import SLICE_SECONDS, THREADS, Offload, TooLong


def busy(until: threading.Event | None = None, slices: float = 3) -> Generator[None, None, str]:
    """Work of some slices, or until an event; a step takes a part of a slice."""
    begin = time.thread_time()
    while not until.is_set() if until is not None else time.thread_time() - begin < slices * SLICE_SECONDS:
        yield
    return "done"


def test_long_work_leaves_the_threads_to_others() -> None:
    async def serve() -> str:
        offload, stop = Offload(), threading.Event()
        works = [asyncio.create_task(offload.run_steps(busy(stop))) for _ in range(2 * THREADS)]
        query = await asyncio.wait_for(offload.run(lambda: "answer"), 60)
        assert not any(work.done() for work in works)
        stop.set()
        assert await asyncio.gather(*works) == ["done"] * len(works)
        offload.close()
        return query

    assert asyncio.run(serve()) == "answer"


async def test_work_is_given_up_when_its_time_is_over() -> None:
    offload, never = Offload(), threading.Event()
    endless = busy(never)
    with pytest.raises(TooLong):
        await offload.run_steps(endless, 2 * SLICE_SECONDS)
    with pytest.raises(StopIteration):
        next(endless)
    assert await offload.run_steps(busy(slices=0.5), SLICE_SECONDS) == "done"
    offload.close()


async def test_an_error_of_a_step_is_the_callers() -> None:
    def broken() -> Generator[None, None, str]:
        yield
        raise ValueError("ply 1")

    offload = Offload()
    with pytest.raises(ValueError, match="ply 1"):
        await offload.run_steps(broken())
    offload.close()
