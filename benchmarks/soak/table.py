"""What a soak found: rows of tables, and whether the server is sound."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.documents import read

Row = Sequence[str]
NAME = "web_soak"
SHOWN = {
    "begin": "begin a match",
    "legal": "every legal move",
    "move": "play a move",
    "analysis": "an analysis of 50 ms",
    "view": "a whole match",
    "resign": "resign",
    "news": "wait for news of the match, a machine's search included",
}


def findings(folder: Path) -> Iterator[Row]:
    """Time, play, errors, memory."""
    document = read(NAME, folder)
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


def latencies(folder: Path) -> Iterator[Row]:
    """How long everything took."""
    yield "milliseconds", "times", "median", "95th percentile"
    for what, times in read(NAME, folder)["latencies"].items():
        yield SHOWN[what], f"{times['count']:,}", f"{times['p50_ms']:.0f}", f"{times['p95_ms']:.0f}"


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
