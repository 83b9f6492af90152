"""Budgets of what is under way together, work of any length in threads, and values that are computed once."""

import asyncio
import threading
import time
from collections.abc import Generator
from typing import Any

import pytest

from ludex.web.budget import Budget, Overloaded
from ludex.web.offload import SLICE_SECONDS, THREADS, Offload, TooLong
from ludex.web.recent import LazyValue


def budget(**changes: Any) -> Budget:
    return Budget("work", **{"most": 2, "most_bytes": 100, "most_waiting": 2, **changes})


async def turns() -> None:
    """Let every task go on as far as it can."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_work_waits_in_line_and_is_then_refused_with_a_time_to_come_back() -> None:
    bounded = budget()
    first, _ = await bounded.reserve(), await bounded.reserve()
    waiting = [asyncio.create_task(bounded.reserve()) for _ in range(2)]
    await turns()
    assert (bounded.running, bounded.waiting) == (2, 2)
    with pytest.raises(Overloaded) as error:
        await bounded.reserve()
    assert error.value.retry_after > 0
    first.finish()
    await turns()
    assert [task.done() for task in waiting] == [True, False]
    waiting[1].cancel()
    await turns()
    assert bounded.waiting == 0


async def test_memory_counts_until_it_is_released_from_any_thread() -> None:
    bounded = budget()
    first = await bounded.reserve(80)
    first.finish()
    second = asyncio.create_task(bounded.reserve(60))
    await turns()
    assert (second.done(), bounded.used_bytes, bounded.running) == (False, 80, 0)
    thread = threading.Thread(target=first.release)
    thread.start()
    thread.join()
    assert (await second).size_bytes == 60
    assert bounded.used_bytes == 60
    first.release()
    await turns()
    assert bounded.used_bytes == 60


async def test_room_is_made_of_what_is_only_kept_for_speed() -> None:
    bounded = budget()
    kept = await bounded.reserve(90)
    kept.finish()
    asked: list[int] = []

    def make_room(missing: int) -> None:
        asked.append(missing)
        kept.release()

    bounded.make_room = make_room
    assert (await bounded.reserve(50)).size_bytes == 50
    assert asked[0] == 40


async def test_an_owner_has_so_many_waiting_ones_included() -> None:
    bounded = budget(most=1, most_per_owner=1)
    async with bounded.use(owner="ann"):
        with pytest.raises(Overloaded):
            await bounded.reserve(owner="ann")
        waiting = asyncio.create_task(bounded.reserve(owner="bob"))
        await turns()
        with pytest.raises(Overloaded):
            await bounded.reserve(owner="bob")
        waiting.cancel()
        await turns()
        again = asyncio.create_task(bounded.reserve(owner="bob"))
        await turns()
    (await again).release()


async def test_a_waiter_that_left_just_before_its_turn_leaves_no_share_behind() -> None:
    bounded = budget(most=1, most_per_owner=3)
    first = await bounded.reserve(owner="ann")
    leaving = asyncio.create_task(bounded.reserve(owner="ann"))
    staying = asyncio.create_task(bounded.reserve(owner="bob"))
    await turns()
    # Its task has not run again when the share is free.
    leaving.cancel()
    bounded.release(first)
    second = await asyncio.wait_for(staying, 10)
    bounded.release(second)
    await turns()
    assert leaving.cancelled()
    assert (bounded.running, bounded.waiting, bounded.used_bytes) == (0, 0, 0)
    for _ in range(3):
        bounded.release(await bounded.reserve(owner="ann"))


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


class Document:
    """An object whose text takes as long as nobody has read another one's."""

    def __init__(self, ready: threading.Event) -> None:
        self.ready = ready

    @LazyValue
    def text(self) -> str:
        assert self.ready.wait(60)
        return "text"


def test_a_value_under_way_in_a_thread_does_not_delay_that_of_another_object() -> None:
    slow, fast = Document(threading.Event()), Document(threading.Event())
    fast.ready.set()
    thread = threading.Thread(target=lambda: slow.text)
    thread.start()
    assert fast.text == "text"
    slow.ready.set()
    thread.join()
    assert (slow.__dict__["text"], slow.text) == ("text", "text")
