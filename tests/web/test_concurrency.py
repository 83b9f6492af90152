"""Budgets of what is under way together."""

import asyncio
import threading
from typing import Any

import pytest

from ludex.web.budget import Budget, Overloaded


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
    with pytest.raises(Overloaded) as refused:
        await bounded.reserve()
    assert refused.value.retry_after > 0
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
