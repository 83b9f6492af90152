"""The pool of workers: real processes, with players that misbehave in every way we could think of."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ludex.core.clock import Clock
from ludex.core.errors import AgentFault, GameOver, IllegalChoice, UnknownAgent
from ludex.core.ranking import Entry
from ludex.store.database import Database
from ludex.web.schemas.analyses import Analysis
from ludex.web.settings import Settings
from ludex.web.workers.pool import WorkerPool
from ludex.web.workers.search import Search
from ludex.web.workers.task import Abandoned, Task, TooBusy
from tests.web.workers.faulty_agents import Sulk, plant

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]


@asynccontextmanager
async def pool_of(**settings: Any) -> AsyncIterator[WorkerPool]:
    pool = WorkerPool(Settings(**{"workers": 1, "preload": False, **settings}), plant)
    await pool.start()
    try:
        yield pool
    finally:
        await pool.close()


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    """The event loop of all these tests, to which the shared pool belongs."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def shared(runner: asyncio.Runner) -> Iterator[WorkerPool]:
    opened = pool_of(report_ms=100, searches_per_person=2, searches_waiting=2)
    yield runner.run(opened.__aenter__())
    runner.run(opened.__aexit__(None, None, None))


@pytest.fixture
def pool(shared: WorkerPool) -> Iterator[WorkerPool]:
    """One worker for the tests that leave it as they found it."""
    yield shared
    assert shared.replaced == 0


def task(agent: str, *actions: int, seed: int = 1, movetime_ms: int | None = None) -> Task:
    return Task("tictactoe", "3x3x3", seed, actions, agent, movetime_ms)


def unheard(_: Analysis) -> None:
    """A report handler that does nothing."""


async def begun(pool: WorkerPool, agent: str, person: str | None = None) -> Search:
    """A search whose worker has reported something."""
    heard = asyncio.Event()
    search = pool.begin(task(agent), person, lambda _: heard.set())
    await heard.wait()
    return search


def gone(pid: int) -> bool:
    """Whether a process is no more, or is a zombie that was not waited for yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


async def until(true: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not happen in time"
        await asyncio.sleep(0.02)


async def test_an_analysis_is_a_whole_document_of_the_match_it_is_about(pool: WorkerPool) -> None:
    analysis = await pool.begin(task("perfect", 4, 0), "ann", unheard).result()
    assert (analysis.player, analysis.ply, analysis.agent, analysis.final) == (0, 2, "perfect", True)
    assert analysis.candidates[0].action == analysis.action
    assert analysis.candidates[0].text == analysis.text
    assert analysis.ms >= 0
    assert len(analysis.overlay["exact"]) == 9


async def test_workers_are_nice_and_keep_agents_and_matches(pool: WorkerPool) -> None:
    # Extended, taken back, forked and begun again: the position is right each time.
    lines = [(), (4,), (4, 0), (4, 0, 8), (4,), (4, 1), (0, 1, 2, 3, 4)]
    for actions in lines:
        analysis = await pool.begin(task("counts", *actions), None, unheard).result()
        free = [cell for cell in range(9) if cell not in actions]
        assert (analysis.ply, analysis.action) == (len(actions), free[0])
        assert analysis.stats == {"pid": pool.pids[0], "built": 1, "nice": min(19, os.nice(0) + 10)}


async def test_cancel_makes_the_best_so_far_the_result(pool: WorkerPool) -> None:
    search = await begun(pool, "patient")
    search.cancel()
    assert (await search.result()).note == "stopped"


async def test_a_search_cancelled_while_it_waits_answers_at_once(pool: WorkerPool) -> None:
    first = await begun(pool, "patient")
    second = pool.begin(task("patient"), None, unheard)
    second.cancel()
    first.cancel()
    assert (await first.result()).note == (await second.result()).note == "stopped"


async def test_stopping_one_search_does_not_stop_the_next(pool: WorkerPool) -> None:
    first = await begun(pool, "patient")
    first.cancel()
    await first.result()
    second = await begun(pool, "patient")
    first.cancel()
    await asyncio.sleep(0.1)
    assert not second.done
    second.cancel()
    await second.result()


async def test_time_is_kept_by_the_match_and_by_the_server() -> None:
    async with pool_of(search_ms=300) as pool:
        for movetime, least in ((100, 95), (100_000, 295), (None, 0)):
            analysis = await pool.begin(task("patient", movetime_ms=movetime), None, unheard).result()
            assert analysis.note == "stopped"
            assert least <= analysis.ms < 30_000


async def test_an_agent_gets_its_clock_and_is_stopped_when_it_is_empty(pool: WorkerPool) -> None:
    started = asyncio.Event()
    clocks = (Clock(100), Clock(900_000))
    search = pool.begin(replace(task("reads"), clocks=clocks), None, unheard, started.set)
    assert (await search.result()).stats == {"left": [100, 900_000]}
    assert started.is_set()
    analysis = await pool.begin(replace(task("patient"), clocks=clocks), None, unheard).result()
    assert analysis.note == "stopped"
    assert analysis.ms >= 95


@pytest.mark.parametrize(
    ("movetime_ms", "clocks", "longest"),
    [(None, (), None), (70, (), 70), (None, (Clock(90), Clock(5)), 90), (70, (Clock(90), Clock(5)), 70)],
)
def test_time_is_up_by_the_move_or_by_the_clock(
    movetime_ms: int | None, clocks: tuple[Clock, ...], longest: float | None
) -> None:
    assert replace(task("perfect", movetime_ms=movetime_ms), clocks=clocks).longest_ms == longest


async def test_a_worker_that_does_not_stop_is_killed_and_replaced() -> None:
    async with pool_of(grace_ms=100) as pool:
        (old,) = pool.pids
        search = await begun(pool, "deaf")
        search.cancel()
        with pytest.raises(AgentFault, match=r"'deaf' of tictactoe gave no move: it did not stop"):
            await search.result()
        assert (await pool.begin(task("counts"), None, unheard).result()).stats["pid"] != old
        assert gone(old)
        assert pool.replaced == 1


async def test_a_deaf_worker_past_its_time_is_killed() -> None:
    async with pool_of(search_ms=100, grace_ms=100) as pool:
        with pytest.raises(AgentFault, match="it did not stop"):
            await pool.begin(task("deaf"), None, unheard).result()


async def test_a_crash_is_the_agents_fault_and_the_next_is_served() -> None:
    async with pool_of() as pool:
        with pytest.raises(AgentFault, match="its process ended with code 3"):
            await pool.begin(task("crash"), None, unheard).result()
        assert (await pool.begin(task("counts"), None, unheard).result()).action == 0


async def test_a_worker_killed_from_outside_is_replaced() -> None:
    async with pool_of(workers=2) as pool:
        busy, idle = await begun(pool, "patient"), pool.pids
        for pid in idle:
            os.kill(pid, signal.SIGKILL)
        with pytest.raises(AgentFault, match="ended by SIGKILL"):
            await busy.result()
        await until(lambda: pool.replaced == 2)
        assert (await pool.begin(task("counts"), None, unheard).result()).action == 0
        assert not set(pool.pids) & set(idle)


async def test_errors_come_across_as_they_were(pool: WorkerPool) -> None:
    for agent, kind, message in (
        ("raises", AgentFault, "agent 'raises' of tictactoe: ZeroDivisionError: by nothing"),
        ("cheats", IllegalChoice, "agent 'cheats' chose illegal action 99"),
        ("garbles", AgentFault, "agent 'garbles' of tictactoe: TypeError: Object of type object"),
        ("sulks", Sulk, "gloom x3"),
        ("wanders", AgentFault, "FaultyAgent._wanders.<locals>.Hidden: here only"),
        ("nobody", UnknownAgent, "unknown agent of tictactoe: 'nobody'"),
    ):
        with pytest.raises(kind) as error:
            await pool.begin(task(agent), None, unheard).result()
        assert error.value.message.startswith(message)
        assert type(error.value) is kind
    with pytest.raises(GameOver):
        await pool.begin(task("perfect", 0, 3, 1, 4, 2), None, unheard).result()


async def test_an_agent_that_failed_is_closed_and_made_again(pool: WorkerPool) -> None:
    with pytest.raises(AgentFault, match="by nothing"):
        await pool.begin(task("stumbles"), None, unheard).result()
    decision = await pool.begin(task("stumbles"), None, unheard).result()
    assert decision.stats == {"replaced": True, "closed": True}


async def test_reports_are_few_and_the_last_one_is_not_lost(pool: WorkerPool) -> None:
    heard: list[int] = []
    begin = time.monotonic()
    await pool.begin(task("talker"), None, lambda analysis: heard.append(analysis.stats["number"])).result()
    spent_ms = 1000 * (time.monotonic() - begin)
    assert heard == sorted(heard)
    assert heard[0] == 0
    # The last one came while it was silent, before the result.
    assert heard[-1] == 499
    assert 3 <= len(heard) <= spent_ms / 100 + 2


async def test_one_person_may_not_have_all_the_workers(pool: WorkerPool) -> None:
    mine = [await begun(pool, "patient", "ann"), pool.begin(task("patient"), "ann", unheard)]
    with pytest.raises(TooBusy) as error:
        pool.begin(task("patient"), "ann", unheard)
    assert error.value.retry_after >= 1
    mine.append(pool.begin(task("counts"), "bob", unheard))
    mine[1].abandon()
    # An abandoned one makes room.
    mine.append(pool.begin(task("counts"), "ann", unheard))
    mine[0].cancel()
    assert (await mine[2].result()).final
    assert (await mine[3].result()).final


async def test_the_queue_has_an_end(pool: WorkerPool) -> None:
    first = await begun(pool, "patient")
    waiting = [pool.begin(task("counts"), None, unheard) for _ in range(2)]
    assert (pool.running, pool.waiting) == (1, 2)
    with pytest.raises(TooBusy, match="2 searches wait"):
        pool.begin(task("counts"), None, unheard)
    first.cancel()
    assert [(await one.result()).action for one in waiting] == [0, 0]
    assert (pool.running, pool.waiting) == (0, 0)


async def test_an_abandoned_search_has_no_result(pool: WorkerPool) -> None:
    search = await begun(pool, "patient")
    search.abandon()
    with pytest.raises(Abandoned):
        await search.result()
    assert (await pool.begin(task("counts"), None, unheard).result()).final


async def test_closing_abandons_everything_and_leaves_no_process() -> None:
    async with pool_of(workers=2) as pool:
        searches = [
            await begun(pool, "deaf"),
            await begun(pool, "patient"),
            pool.begin(task("deaf"), None, unheard),
        ]
        pids = pool.pids
    for search in searches:
        with pytest.raises(Abandoned):
            await search.result()
    assert all(map(gone, pids))
    with pytest.raises(Abandoned, match="the server is closing"):
        pool.begin(task("counts"), None, unheard)


def test_no_worker_outlives_a_server_that_was_killed() -> None:
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.web.workers.pool_server"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    with server:
        workers = [int(pid) for pid in server.stdout.readline().split()]
        assert len(workers) == 2
        assert not any(map(gone, workers))
        server.kill()
    asyncio.run(until(lambda: all(map(gone, workers))))


async def test_new_learned_values_are_played_at_once() -> None:
    with Database.open() as database:
        table = database.rankings("tictactoe", "3x3x3")
        async with pool_of() as pool:

            async def value() -> float | None:
                ranking = "ranking:ranking=database"
                return (await pool.begin(task(ranking), None, unheard).result()).value

            table.replace([Entry("EEEEEEEEE", move, 0.25) for move in range(9)])
            assert await value() == 0.25
            table.replace([Entry("EEEEEEEEE", move, 0.75) for move in range(9)])
            pool.forget("tictactoe")
            assert await value() == 0.75
