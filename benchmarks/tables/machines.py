"""Where figures come from: workers, clocks and machines."""

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.documents import read
from benchmarks.tables.cells import Row, figure


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


def clock(folder: Path) -> Iterator[Row]:
    """CPU time beside the clock's, where a document has both."""
    yield "game", "measured", "ours, a CPU-second", "ours, a second", "peer, a CPU-second", "peer, a second"
    for path in sorted(folder.glob("*.json")):
        document = read(path.stem, folder)
        for row in document.get("rows", ()):
            if row.get("ours_wall") is not None:
                beside = (row["ours"], row["ours_wall"], row["peer"], row["peer_wall"])
                shown = ("" if rate is None else figure(rate) for rate in beside)
                yield document["game"], f"{row['name']} / {row['peer_name']}", *shown


def sources(folder: Path) -> Iterator[Row]:
    """Where each document comes from."""
    yield "results", "machine", "load", "versions", "remark"
    for path in sorted(folder.glob("*.json")):
        document = read(path.stem, folder)
        machine: Any = document.get("machine", {})
        parts = [machine.get("processor"), machine.get("cores") and f"{machine['cores']} cores", document.get("device")]
        load = machine.get("load", machine.get("load_before"))
        versions = ", ".join(f"{name} {number}" for name, number in machine.get("versions", {}).items())
        yield (
            f"[{path.stem}](../benchmarks/results/{path.name})",
            ", ".join(part for part in parts if part) or "not recorded",
            "not recorded" if load is None else f"{load:.1f}",
            versions or "not recorded",
            document.get("measured", ""),
        )
