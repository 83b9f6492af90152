"""Measuring speed, ours and that of a peer in one run on one machine."""

import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Self

from ludex.core.game import Json


class Rate(float):
    """Units per CPU-second, with what the clock on the wall says beside it."""

    wall: float
    """Units per second of the clock: lower where others use the machine, higher where a work uses several threads."""

    def __new__(cls, per_cpu_second: float, wall: float) -> Self:
        rate = super().__new__(cls, per_cpu_second)
        rate.wall = wall
        return rate


@dataclass(frozen=True, slots=True)
class BenchRow:
    """One comparison: units per CPU-second of one thread, ours and the peer's; some figures have no peer."""

    name: str
    unit: str
    ours: float
    peer: float | None = None
    peer_name: str = ""

    def to_json(self) -> dict[str, Json]:
        return {
            "name": self.name,
            "unit": self.unit,
            "ours": self.ours,
            "peer": self.peer,
            "peer_name": self.peer_name,
            "ratio": None if self.peer is None else self.ours / self.peer,
            "ours_wall": _wall(self.ours),
            "peer_wall": _wall(self.peer),
        }


def _wall(rate: float | None) -> float | None:
    return rate.wall if isinstance(rate, Rate) else None


def rates(works: dict[str, Callable[[], int]], seconds: float) -> dict[str, Rate]:
    """Units per CPU-second of each work; a call does some work and returns how many units.

    The works take turns in short slices, so that a noisy moment of the machine hits all of them alike.
    """
    done = dict.fromkeys(works, 0)
    spent = dict.fromkeys(works, 0.0)
    waited = dict.fromkeys(works, 0.0)
    for work in works.values():
        work()
    while min(spent.values()) < seconds:
        for name, work in works.items():
            begin, begin_wall = time.process_time(), time.perf_counter()
            # At least once: other threads of the process may have spent that much by now.
            done[name] += work()
            while time.process_time() - begin < seconds / 10:
                done[name] += work()
            spent[name] += time.process_time() - begin
            waited[name] += time.perf_counter() - begin_wall
    return {name: Rate(done[name] / spent[name], done[name] / waited[name]) for name in works}


def installed_version(package: str) -> str | None:
    """The version of a package; None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def machine(packages: tuple[str, ...]) -> dict[str, Json]:
    """What the figures were measured on, and with which packages."""
    return {
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "versions": {name: installed_version(name) for name in packages},
    }
