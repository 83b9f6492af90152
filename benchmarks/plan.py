"""Everything that is measured: which command writes which document, in earnest and to try it out."""

import json
import shlex
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.documents import ROOT


@dataclass(frozen=True, slots=True)
class Measurement:
    """One document of figures."""

    name: str
    module: tuple[str, ...]
    """The module that measures, with its arguments."""
    full: tuple[str, ...] = ()
    brief: tuple[str, ...] = ()
    """Arguments that only show that it works; the figures say nothing."""
    jax: bool = False
    """Whether its peer needs JAX, which may be installed apart."""

    def command(self, python: str, *, brief: bool) -> list[str]:
        return [python, "-m", *self.module, *(self.brief if brief else self.full)]


DOCUMENT = json.loads(Path(__file__).with_suffix(".json").read_text())
MEASUREMENTS = tuple(
    Measurement(
        row["name"],
        tuple(shlex.split(row["command"])),
        tuple(shlex.split(row.get("full", ""))),
        tuple(shlex.split(row.get("brief", ""))),
        row.get("jax", False),
    )
    for row in DOCUMENT["measured"]
)
ELSEWHERE: dict[str, str] = DOCUMENT["elsewhere"]
"""Documents that this command leaves alone, and where they come from."""


@dataclass(frozen=True, slots=True)
class Done:
    """How a measurement went."""

    name: str
    seconds: float
    error: str | None


def measured(
    measurements: Iterable[Measurement], into: Path, *, brief: bool, python: str = sys.executable, jax_python: str
) -> Iterable[Done]:
    """Take the measurements one after the other. One that fails leaves its old figures, and the rest go on."""
    for measurement in measurements:
        begin = time.monotonic()
        error = _taken(measurement, into, measurement.command(jax_python if measurement.jax else python, brief=brief))
        yield Done(measurement.name, time.monotonic() - begin, error)


def _taken(measurement: Measurement, into: Path, command: list[str]) -> str | None:
    if measurement.module[0] == "ludex":
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            into.mkdir(parents=True, exist_ok=True)
            (into / f"{measurement.name}.json").write_text(done.stdout)
    else:
        done = subprocess.run([*command, "--into", str(into)], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return None
    return (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
