"""How fast the server answers while machines search: /api/health idle and under four running searches.

    python -m benchmarks.web_health [--requests N] [--rounds N]

Rounds of both alternate, so that whatever else the machine does falls on both. Writes results/web_health.json beside
itself, and fails if the ratio of the 95th percentiles is above 5.
"""

import re
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.documents import measurement_parser, percentiles, report
from benchmarks.serving import ADMIN_TOKEN, Visitor, serving
from ludex.core.bench import machine

NAME = "web_health"
SEARCHES = 4
SHARES = (50, 95, 99)
MOST = 5.0
SEARCH_MS = 20_000
FLAGS = (
    *("--workers", str(SEARCHES), "--workers-per-address", str(SEARCHES), "--searches-per-person", str(SEARCHES)),
    *("--search-ms", "60000"),
)
LIMITS = ("--requests-per-minute", "100000000", "--burst", "1000000")


def running(address: str) -> int:
    """How many searches run now."""
    text = Visitor(address).ask("GET", "/metrics", token=ADMIN_TOKEN).text
    match = re.search(r"^ludex_searches_running (\S+)$", text, re.MULTILINE)
    assert match is not None
    return int(float(match[1]))


@contextmanager
def searching(address: str, match: str, cookie: str) -> Iterator[None]:
    """Four searches that run for the length of the block."""

    def search() -> None:
        wanted = {"agent": "master", "movetime_ms": SEARCH_MS}
        Visitor(address, cookie).ask("POST", f"/api/matches/{match}/analysis", wanted).document()

    threads = [threading.Thread(target=search) for _ in range(SEARCHES)]
    for thread in threads:
        thread.start()
    while running(address) < SEARCHES:
        time.sleep(0.1)
    # They first load kernels and replay; a second later all of them search.
    time.sleep(1)
    yield
    if running(address) < SEARCHES:
        raise RuntimeError("a search ended before the measurement did: ask for fewer requests")
    for thread in threads:
        thread.join()


def measured(address: str, requests: int) -> list[float]:
    """Milliseconds of each request."""
    visitor, times = Visitor(address), []
    for _ in range(requests):
        begin = time.perf_counter()
        visitor.ask("GET", "/api/health").document()
        times.append(1000 * (time.perf_counter() - begin))
    return times


def main() -> None:
    """Measure, write and tell."""
    parser = measurement_parser(__doc__)
    parser.add_argument("--requests", type=int, default=1000, help="requests a round")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of each kind")
    options = parser.parse_args()
    # Before the measurement, so that the load is that of other processes.
    where = machine(())
    idle: list[float] = []
    loaded: list[float] = []
    with serving(*FLAGS, *LIMITS) as server:
        address = server.address
        visitor = Visitor(address)
        begun = visitor.ask("POST", "/api/matches", {"game": "quoridor", "seats": ["you", "open"]})
        match = begun.document()["id"]
        # Once without the stopwatch: every worker has its kernels after it.
        with searching(address, match, visitor.cookie):
            pass
        for _ in range(options.rounds):
            idle += measured(address, options.requests)
            with searching(address, match, visitor.cookie):
                loaded += measured(address, options.requests)
    ratio = percentiles(loaded, SHARES)["p95_ms"] / percentiles(idle, SHARES)["p95_ms"]
    what = f"GET /api/health, idle and under {SEARCHES} running searches (quoridor, master)"
    times = {"idle": percentiles(idle, SHARES), "searching": percentiles(loaded, SHARES)}
    report(options.into, NAME, what, where, requests=len(idle), **times, ratio_of_p95=round(ratio, 2), most=MOST)
    sys.exit(ratio > MOST)


if __name__ == "__main__":
    main()
