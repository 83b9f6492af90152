"""What a person waits for in the web app."""

from collections.abc import Iterator
from pathlib import Path

from benchmarks.documents import read
from benchmarks.tables.cells import Row


def speed(folder: Path) -> Iterator[Row]:
    """What a person waits for."""
    health, paint = read("web_health", folder), read("web_repaint", folder)
    yield "web app, milliseconds", "median", "95th percentile"
    for kind, shown in (("idle", "`/api/health`, idle"), ("searching", "`/api/health`, under four running searches")):
        yield shown, f"{health[kind]['p50_ms']:.1f}", f"{health[kind]['p95_ms']:.1f}"
    for board, times in paint["boards"].items():
        for key, shown in (("click_to_repaint", "first change"), ("click_to_answer", "answer")):
            yield f"click to {shown}, {board}", f"{times[key]['p50_ms']:.0f}", f"{times[key]['p95_ms']:.0f}"
