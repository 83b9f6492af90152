"""Where figures are kept: one JSON document per subject, which the tables and charts read."""

import argparse
import json
from pathlib import Path
from typing import Any

from ludex import __version__
from ludex.arena.statistics import percentile

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "results"
"""The figures that the tables show."""


def add_into(parser: argparse.ArgumentParser) -> None:
    """The option of every measurement that says where its figures go."""
    parser.add_argument("--into", type=Path, default=RESULTS, help="folder of the results")


def measurement_parser(description: str | None, program: str | None = None) -> argparse.ArgumentParser:
    """The parser of a measurement's options, which all have `--into`."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(program, description=description, formatter_class=form)
    add_into(parser)
    return parser


def five_digits(value: Any) -> Any:
    """A JSON value with its numbers rounded to five digits.

    >>> five_digits({"score": [0.1234567, 3]})
    {'score': [0.12346, 3]}
    """
    if isinstance(value, dict):
        return {key: five_digits(part) for key, part in value.items()}
    if isinstance(value, list):
        return [five_digits(part) for part in value]
    return float(f"{value:.5g}") if isinstance(value, float) else value


def percentiles(milliseconds: list[float], shares: tuple[int, ...]) -> dict[str, float]:
    """Percentiles by name, such as `p95_ms`."""
    microseconds = [round(1000 * time) for time in milliseconds]
    return {f"p{share}_ms": percentile(microseconds, share) / 1000 for share in shares}


def read(name: str, folder: Path = RESULTS) -> Any:
    """A document by its name."""
    return json.loads((folder / f"{name}.json").read_text())


def report(folder: Path, name: str, what: str, where: Any, **figures: Any) -> None:
    """Keep what was measured with this version on a machine, and print it."""
    document = {"what": what, "version": __version__, "machine": where, **figures}
    write(folder, name, document)
    print(json.dumps(document, indent=1))


def write(folder: Path, name: str, document: Any) -> None:
    """Keep a document under its name."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n")
