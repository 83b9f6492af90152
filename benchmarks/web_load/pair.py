"""Two servers on one PostgreSQL behind one proxy: their throughput beside one, and what is lost when one is killed.

    python -m benchmarks.web_load pair [--games 50] [--crowd 20] [--seconds 10]

Each row has a database of its own. The proxy hands connections to the servers in turn, so the two people of a game are
often at different ones. In the last row a crowd plays on two servers, and one is killed (`kill -9`) in the middle:
every move that was answered must be found again. Client, proxy, PostgreSQL and servers share the cores of this machine.
"""

import asyncio
import json
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final

from benchmarks.documents import measurement_parser, report_rows
from benchmarks.serving import Serving, serving
from benchmarks.web_load.crowd import Crowd, cards_of, figures
from benchmarks.web_load.moves import LIMITS, MOST_PER_SECOND, settled
from benchmarks.web_load.moves import row as moves_row
from tests.postgres import Cluster, cluster

NAME: Final = "web_pair"


@contextmanager
def behind_proxy(database: str, count: int) -> Iterator[tuple[str, list[Serving]]]:
    """The address of a proxy, and the servers behind it."""
    shared = {"LUDEX_DB": database, "LUDEX_SECRET": secrets.token_hex(16)}
    flags = (*LIMITS, "--workers", "1", "--workers-per-address", "1", "--poll-ms", "100")
    with ExitStack() as stack:
        servers = [stack.enter_context(serving(*flags, **shared)) for _ in range(count)]
        ports = [server.address.rpartition(":")[2] for server in servers]
        command = [sys.executable, "-m", "benchmarks.web_load.proxy", *ports]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as proxy:
            try:
                assert proxy.stdout is not None
                yield f"http://127.0.0.1:{int(proxy.stdout.readline())}", servers
            finally:
                proxy.terminate()


def throughput(postgres: Cluster, count: int, games: int, seconds: float) -> dict[str, Any]:
    """Moves of two-person games as fast as they go."""
    with behind_proxy(postgres.new_database(), count) as (address, servers):
        pids = [server.process.pid for server in servers]
        most = round(MOST_PER_SECOND * seconds)
        return {"servers": count, **asyncio.run(moves_row(address, pids, games, seconds, 0.0, most))}


async def _killed(address: str, servers: list[Serving], games: int, seconds: float) -> dict[str, Any]:
    for server in servers:
        await settled(server.process.pid)
    crowd = Crowd(address, games, cards_of(address))

    async def kill() -> None:
        await asyncio.sleep(seconds / 2)
        servers[0].process.kill()

    counts = await crowd.play(seconds, kill)
    return {"games": games, **figures(crowd.met, seconds), **counts}


def main(arguments: list[str]) -> int:
    """Measure, write and print; 1 if an answered move was lost."""
    parser = measurement_parser(__doc__, "python -m benchmarks.web_load pair")
    parser.add_argument("--games", type=int, default=50, help="two-person games at once, as fast as they go")
    parser.add_argument("--crowd", type=int, default=20, help="games of the crowd whose server is killed")
    parser.add_argument("--seconds", type=float, default=10, help="length of each row")
    options = parser.parse_args(arguments)
    with cluster() as postgres:
        with behind_proxy(postgres.new_database(), 2) as (address, servers):
            killed = asyncio.run(_killed(address, servers, options.crowd, 3 * options.seconds))
        print(json.dumps(killed), flush=True)
        rows = (throughput(postgres, count, options.games, options.seconds) for count in (1, 2))
        what = "two servers on one PostgreSQL behind one proxy"
        report_rows(options, NAME, what, rows, seconds=options.seconds, killed=killed)
    return int(killed["lost"] > 0)
