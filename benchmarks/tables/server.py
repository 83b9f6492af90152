"""Tables of the web server and of a cluster."""

from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks.documents import read
from benchmarks.tables.formatting import Row


def web_speed(folder: Path) -> Iterator[Row]:
    """What a person waits for."""
    health, paint = read("web_health", folder), read("web_repaint", folder)
    yield "web app, milliseconds", "median", "95th percentile"
    for kind, shown in (("idle", "`/api/health`, idle"), ("searching", "`/api/health`, under four running searches")):
        yield shown, f"{health[kind]['p50_ms']:.1f}", f"{health[kind]['p95_ms']:.1f}"
    for board, times in paint["boards"].items():
        for key, shown in (("click_to_repaint", "first change"), ("click_to_answer", "answer")):
            yield f"click to {shown}, {board}", f"{times[key]['p50_ms']:.0f}", f"{times[key]['p95_ms']:.0f}"


def startup(folder: Path) -> Iterator[Row]:
    """A server's first seconds."""
    rows = read("startup", folder)["rows"]
    games = [*rows[0]["first_move"]]
    yield "`ludex serve`, seconds to", "the home page", *(f"a reply in {game}" for game in games), "CPU-seconds"
    for row in rows:
        times = (f"{seconds:.1f}" for seconds in (row["page"], *row["first_move"].values()))
        yield f"kernel cache {row['cache']}", *times, f"{row['cpu_seconds']:.0f}"


def web_load(folder: Path) -> Iterator[Row]:
    """Two-person games at once."""
    document = read("web_load", folder)
    yield (
        "two-person games at once, match cache",
        "version",
        "moves/s",
        "server CPU, ms/move",
        "client CPU, ms/move",
        "answer, p50/p95/p99 ms",
        "opponent sees it, p95 ms",
    )
    for row in document["rows"]:
        pace = "one move per second each" if row["paced"] else "without pause"
        answered = "/".join(f"{row['answered_ms'][share]:.0f}" for share in ("p50", "p95", "p99"))
        yield (
            f"{row['games']}, {pace}, {row['cache']}",
            row["version"],
            f"{row['moves_per_second']:.0f}",
            f"{row['server_cpu_ms_per_move']:.1f}",
            f"{row['client_cpu_ms_per_move']:.1f}",
            answered,
            f"{row['seen_ms']['p95']:.0f}",
        )


def attack(folder: Path) -> Iterator[Row]:
    """Attacks: what each did to version 0.1.0, and what it does now."""
    yield "attack", "0.1.0, as measured then", "now"
    for row in read("attack", folder)["rows"]:
        yield row["attack"], row["before"], row["now"] if row["held"] else f"**broken**: {row['now']}"


def scaling(folder: Path) -> Iterator[Row]:
    """One worker of a cluster and two."""
    document = read("scaling", folder)
    opponents = ("normal", "easy", "walker")
    games, against = len(opponents) * document["games"], ", ".join(f"`{name}`" for name in opponents)
    names = {
        "boards": f"{document['boards']:,} boards of 16x30x99, `expert`",
        "gauntlet": f"{games} games of Quoridor, `master:nodes=4000` against {against}",
    }
    yield "", "1 worker", "2 workers", "ratio, run by run"
    for workload, name in names.items():
        one, two = (
            [row for row in document["rows"] if (row["workload"], row["workers"]) == (workload, count)]
            for count in (1, 2)
        )
        ratios = ", ".join(f"{a['seconds'] / b['seconds']:.2f}" for a, b in zip(one, two, strict=True))
        times = (f"{median(row['seconds'] for row in rows):.1f}" for rows in (one, two))
        yield f"{name}: seconds, median of {len(one)}", *times, ratios
        cpu = [median(row["worker_cpu_seconds"] for row in rows) for rows in (one, two)]
        yield "processor seconds of the workers", *(f"{seconds:.2f}" for seconds in cpu), f"{cpu[0] / cpu[1]:.2f}"
