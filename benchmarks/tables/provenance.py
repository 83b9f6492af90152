"""Tables of how figures were measured: CPU time and clock, machines and versions."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.documents import read
from benchmarks.tables.formatting import Row, figure


def clock(folder: Path) -> Iterator[Row]:
    """CPU time beside the clock's, where a document has both."""
    yield "game", "measured", "ours, a CPU-second", "ours, a second", "peer, a CPU-second", "peer, a second"
    for path in sorted(folder.glob("*.json")):
        document = read(path.stem, folder)
        for row in document.get("rows", ()):
            if row.get("ours_wall") is not None:
                beside = (row["ours"], row["ours_wall"], row["peer"], row["peer_wall"])
                rates = ("" if rate is None else figure(rate) for rate in beside)
                yield document["game"], f"{row['name']} / {row['peer_name']}", *rates


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
