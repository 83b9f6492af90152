"""A peer beside ours, with the version that was measured."""

from collections.abc import Iterator
from typing import Any

from benchmarks.tables.cells import Row, figure

PACKAGES = {
    "open_spiel": "open_spiel",
    "PettingZoo": "pettingzoo",
    "pgx": "pgx",
    "Jumanji": "jumanji",
    "ms_toollib": "ms_toollib",
    "sb3-contrib": "sb3-contrib",
}
"""The package of a peer, by the beginning of its name."""


def beside(document: Any) -> Iterator[Row]:
    """Every row of a document whose peer the head names."""
    for row in document["rows"]:
        peer = ("", "") if row["peer"] is None else (figure(row["peer"]), figure(row["ratio"]))
        yield row["name"], row["unit"], figure(row["ours"]), *peer


def against(document: Any, row: Any) -> tuple[str, str]:
    """The peer's figure and the ratio, or neither."""
    return ("", "") if row["peer"] is None else (peer_told(document, row), figure(row["ratio"]))


def peer_told(document: Any, row: Any) -> str:
    """A peer with its version, and its rate."""
    name: str = row["peer_name"]
    for begin, package in PACKAGES.items():
        if name.startswith(begin):
            name = name.replace(begin, f"{begin} {version(document, package)}", 1)
    return f"{name}: {figure(row['peer'])}"


def version(document: Any, package: str) -> str:
    """Of a package, when it was measured."""
    number: str = document["machine"]["versions"][package]
    return number
