"""Tables of the web server and of a cluster."""

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.documents import read
from benchmarks.tables.formatting import Row, columns

REQUESTS = {
    "begin": "begin a match",
    "legal": "every legal move",
    "move": "play a move",
    "analysis": "an analysis of 50 ms",
    "view": "a whole match",
    "resign": "resign",
    "news": "wait for news of the match, a machine's search included",
}
"""What the guests of a soak ask for."""


def web_speed(folder: Path) -> Iterator[Row]:
    """What a person waits for."""
    health, paint = read("web_health", folder), read("web_repaint", folder)
    yield "web app, milliseconds", "median", "95th percentile"
    for kind, title in (("idle", "`/api/health`, idle"), ("searching", "`/api/health`, under four running searches")):
        yield title, f"{health[kind]['p50_ms']:.1f}", f"{health[kind]['p95_ms']:.1f}"
    for board, times in paint["boards"].items():
        for key, title in (("click_to_repaint", "first change"), ("click_to_answer", "answer")):
            yield f"click to {title}, {board}", f"{times[key]['p50_ms']:.0f}", f"{times[key]['p95_ms']:.0f}"
    for page, times in read("first_paint", folder)["pages"].items():
        for key, title in (("first_paint", "first paint"), ("content", "content")):
            link = f"first visit to {title} on 1.6 Mbit/s with 150 ms round trips, {page}"
            yield link, f"{times[key]['p50_ms']:.0f}", f"{times[key]['p95_ms']:.0f}"


def startup(folder: Path) -> Iterator[Row]:
    """A server's first seconds."""
    rows = read("startup", folder)["rows"]
    games = [*rows[0]["first_move"]]
    replies = (*(f"a reply in {game}" for game in games), "the last reply in a classic")
    yield "`ludex serve`, seconds to", "the home page", *replies, "CPU-seconds"
    for row in rows:
        times = (f"{seconds:.1f}" for seconds in (row["page"], *(row["first_move"][game] for game in games)))
        last = max((seconds for game, seconds in row["first_move"].items() if game not in games), default=None)
        yield f"kernel cache {row['cache']}", *times, "" if last is None else f"{last:.1f}", f"{row['cpu_seconds']:.0f}"


def web_load(folder: Path) -> Iterator[Row]:
    """Two-person games at once."""
    paces = {True: "one move per second each", False: "without pause"}

    def load(row: Any) -> str:
        return f"{row['games']}, {paces[row['paced']]}, {row['cache']}"

    return columns(
        read("web_load", folder)["rows"],
        {
            "two-person games at once, match cache": lambda row: (
                f"{row['games']}, {paces[row['paced']]}, {row['cache']}"
            ),
            "version": lambda row: row["version"],
            "moves/s": lambda row: f"{row['moves_per_second']:.0f}",
            "server CPU, ms/move": lambda row: f"{row['server_cpu_ms_per_move']:.1f}",
            "client CPU, ms/move": lambda row: f"{row['client_cpu_ms_per_move']:.1f}",
            "answer, p50/p95/p99 ms": lambda row: _milliseconds(row["answered_ms"], "p50", "p95", "p99"),
            "opponent sees it, p95 ms": lambda row: _milliseconds(row["seen_ms"], "p95"),
        },
    )


def web_whole(folder: Path) -> Iterator[Row]:
    """Whole matches, their beginnings included."""
    yield "clients at once", "requests/s", "server CPU, ms/request", "answer, p50/p95/p99 ms"
    for row in read("web_whole", folder)["rows"]:
        answered = _milliseconds(row["answered_ms"], "p50", "p95", "p99")
        cpu = f"{row['server_cpu_ms_per_request']:.1f}"
        yield str(row["clients"]), f"{row['requests_per_second']:.0f}", cpu, answered


def web_crowd(folder: Path) -> Iterator[Row]:
    """People who play, watch, ask for hints and play machines of every level."""
    return columns(
        read("web_crowd", folder)["rows"],
        {
            "games at once": lambda row: str(row["games"]),
            "people": lambda row: str(row["people"]),
            "moves/s": lambda row: f"{row['moves_per_second']:.1f}",
            "move, p50/p95/p99 ms": lambda row: _milliseconds(row["move_ms"], "p50", "p95", "p99"),
            "machine's answer, p50/p95 ms": lambda row: _milliseconds(row["machine_wait_ms"], "p50", "p95"),
            "unluckiest person in line, ms": lambda row: str(row["unluckiest_in_line_ms"]),
            "hint, p95 ms": lambda row: _milliseconds(row["hint_ms"], "p95"),
            "cores busy": lambda row: f"{row['cores_busy']:.2f}",
            "holds": lambda row: "yes" if row["holds"] else "no",
        },
    )


def web_pair(folder: Path) -> Iterator[Row]:
    """One server and two on one PostgreSQL, and what is lost when one of two is killed."""
    document = read("web_pair", folder)
    yield "servers", "games at once", "moves/s", "server CPU, ms/move", "answer, p50/p95/p99 ms", "answered moves lost"
    for row in document["rows"]:
        answered = _milliseconds(row["answered_ms"], "p50", "p95", "p99")
        cpu = f"{row['server_cpu_ms_per_move']:.1f}"
        yield str(row["servers"]), f"{row['games']}, without pause", f"{row['moves_per_second']:.0f}", cpu, answered, ""
    killed = document["killed"]
    answered = _milliseconds(killed["move_ms"], "p50", "p95", "p99")
    lost = f"{killed['lost']} of {killed['acknowledged']}"
    yield "2, one is killed", f"{killed['games']}, a crowd", f"{killed['moves_per_second']:.1f}", "", answered, lost


def _milliseconds(times: dict[str, float] | None, *shares: str) -> str:
    return "" if times is None else "/".join(f"{times[share]:.0f}" for share in shares)


def attack(folder: Path) -> Iterator[Row]:
    """Attacks: what each did before the limits existed, and what it does now."""
    yield "attack", "before the limits", "now"
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
        single, double = (
            [row for row in document["rows"] if (row["workload"], row["workers"]) == (workload, count)]
            for count in (1, 2)
        )
        ratios = ", ".join(f"{a['seconds'] / b['seconds']:.2f}" for a, b in zip(single, double, strict=True))
        times = (f"{median(row['seconds'] for row in rows):.1f}" for rows in (single, double))
        yield f"{name}: seconds, median of {len(single)}", *times, ratios
        cpu = [median(row["worker_cpu_seconds"] for row in rows) for rows in (single, double)]
        yield "processor seconds of the workers", *(f"{seconds:.2f}" for seconds in cpu), f"{cpu[0] / cpu[1]:.2f}"


def web_soak(folder: Path) -> Iterator[Row]:
    """Time, play, errors, memory."""
    document = read("web_soak", folder)
    memory, finished = document["memory"], document["games_finished"]
    yield "soak of the web server", ""
    yield "minutes, of which the first count as warm-up", f"{document['minutes']:.1f}, {document['warm_up']:.0%}"
    yield "guests, workers", f"{document['guests']}, {document['workers']}"
    yield "matches finished", ", ".join(f"{game} {count:,}" for game, count in finished.items())
    yield "found again at the end", f"{document['matches_checked_at_the_end']:,}"
    yield "requests, and news awaited", f"{document['requests']:,}"
    yield "errors", ", ".join(f"{kind} {count}" for kind, count in document["errors"].items()) or "none"
    for part in ("server", "workers"):
        sizes = memory[part]
        ends = f"{sizes['first_mib']:.0f} MiB to {sizes['last_mib']:.0f} MiB"
        yield f"memory of the {part} after the warm-up", f"{ends}, growth {sizes['growth']:+.1%}"
    yield (
        "load of the machine when it began",
        f"{document['machine']['load']:.1f} on {document['machine']['cores']} cores",
    )
    yield "verdict", "; ".join(verdict(document)) or "sound"


def web_soak_latencies(folder: Path) -> Iterator[Row]:
    """How long everything took."""
    yield "milliseconds", "times", "median", "95th percentile"
    for what, times in read("web_soak", folder)["latencies"].items():
        yield REQUESTS[what], f"{times['count']:,}", f"{times['p50_ms']:.0f}", f"{times['p95_ms']:.0f}"


def verdict(document: dict[str, Any]) -> list[str]:
    """What is wrong, in words; nothing if all is well."""
    complaints = [f"{count} x {kind}" for kind, count in document["errors"].items()]
    for part in ("server", "workers"):
        grown = document["memory"][part]["growth"]
        if grown is None:
            complaints.append(f"too few samples of the {part}'s memory: play longer")
        elif grown > document["most_growth"]:
            complaints.append(f"memory of the {part} grew by {grown:.1%}, at most {document['most_growth']:.1%} may be")
    if not document["games_finished"]:
        complaints.append("not one match was finished")
    return complaints
