"""A server with only a busy worker pool: prints its workers' ids, then waits to be killed."""

import asyncio

from ludex.web.settings import Settings
from ludex.web.workers.pool import WorkerPool
from ludex.web.workers.task import Task
from tests.web.workers.faulty_agents import plant


async def main() -> None:
    pool = WorkerPool(Settings(workers=2, preload=False), plant)
    await pool.start()
    begun = asyncio.Event()
    pool.begin(Task("tictactoe", "3x3x3", 1, (), "deaf", None), None, lambda _: begun.set())
    await begun.wait()
    print(*pool.pids, flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
