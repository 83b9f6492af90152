"""How long the first visit to a page takes to be painted on a slow link: 1.6 Mbit/s with round trips of 150 ms.

    python -m benchmarks.first_paint [--visits N]

A headless Chromium visits a server of its own, each time with an empty cache, in French, whose texts are the longest.
Two times are taken from the navigation on: the first paint of any content, and the frame that shows the page's own
content. Writes results/first_paint.json beside itself, and fails if the median of the first paint of the heaviest page,
a match of Skirmish with clocks, is above 1.5 s.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from benchmarks.documents import measurement_parser, percentiles, report
from ludex.core.bench import machine
from tests.browser.browsing import PATIENCE_MS, Screen, chromium
from tests.web.playing import GENEROUS
from tests.web.running import RunningServer, served

NAME = "first_paint"
MOST_MS = 1500.0
LINK = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}
"""Chromium's own unit is bytes per second."""
HOME, MATCH = "home", "a match of Skirmish with clocks"

# Run before anything of the page: the time of the first frame after an element of the page's own is there.
CONTENT = """(selector) => {
  const watch = new MutationObserver(() => {
    if (!document.querySelector(selector)) return;
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => (window.contentMs = performance.now())));
  });
  watch.observe(document, {subtree: true, childList: true});
}"""
TIMES = """() => ({
  first_paint_ms: performance.getEntriesByName("first-contentful-paint")[0].startTime,
  content_ms: window.contentMs,
  requests: performance.getEntriesByType("resource").length + 1,
  bytes: [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .reduce((sum, entry) => sum + entry.encodedBodySize, 0),
})"""


def visit(browser: Browser, server: RunningServer, path: str, selector: str) -> dict[str, float]:
    """The times of one first visit to an address, whose content is there once an element is."""
    context = browser.new_context(locale="fr", base_url=server.url)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    context.new_cdp_session(page).send("Network.emulateNetworkConditions", LINK)
    page.add_init_script(f"({CONTENT})({json.dumps(selector)})")
    page.goto(path)
    page.wait_for_function("() => window.contentMs !== undefined")
    times: dict[str, float] = page.evaluate(TIMES)
    context.close()
    return times


def summary(visits: list[dict[str, float]]) -> dict[str, Any]:
    """Percentiles of both times over some visits, and what one visit loads."""
    times = {
        key: percentiles([row[f"{key}_ms"] for row in visits], (50, 95, 100)) for key in ("first_paint", "content")
    }
    return {"visits": len(visits), "requests": visits[-1]["requests"], "bytes": visits[-1]["bytes"], **times}


def main() -> None:
    """Measure, write and print."""
    parser = measurement_parser(__doc__)
    parser.add_argument("--visits", type=int, default=9, help="visits to each page")
    options = parser.parse_args()
    # Before the measurement, so that the load is that of other processes.
    where = machine(())
    with (
        tempfile.TemporaryDirectory() as home,
        served(Path(home), *GENEROUS, "--workers", "1") as server,
        chromium() as browser,
        Screen(browser, server) as screen,
    ):
        version = browser.version
        # The server compiles and compresses on the first visit of all.
        screen.begin("skirmish", "default", "you", "you", clock={"seconds": 600, "increment": 5})
        addresses = {HOME: ("/", ".card .picture svg"), MATCH: (f"/match/{screen.id}", "svg.board")}
        for path, selector in addresses.values():
            visit(browser, server, path, selector)
        pages = {
            page: summary([visit(browser, server, *address) for _ in range(options.visits)])
            for page, address in addresses.items()
        }
    what = "the first visit to a page on a link of 1.6 Mbit/s with round trips of 150 ms, in headless Chromium"
    report(options.into, NAME, what, where | {"chromium": version}, pages=pages, most_ms=MOST_MS)
    sys.exit(pages[MATCH]["first_paint"]["p50_ms"] > MOST_MS)


if __name__ == "__main__":
    main()
