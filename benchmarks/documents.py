"""Where figures are kept: one JSON document per subject, which the tables and charts read."""

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ludex import __version__
from ludex.arena.statistics import percentile
from ludex.core.bench import machine

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


def report_rows(
    options: argparse.Namespace, name: str, what: str, rows: Iterable[dict[str, Any]], **figures: Any
) -> list[dict[str, Any]]:
    """Print each row as it is measured, then keep all of them; returns them."""
    # Before the measurement, so that the load is that of other processes.
    document: dict[str, Any] = {"what": what, "version": __version__, "machine": machine(()), **figures, "rows": []}
    for row in rows:
        document["rows"].append(row)
        print(json.dumps(row), flush=True)
    write(options.into, name, document)
    return list(document["rows"])


def write_run(args: argparse.Namespace, module: str, name: str, where: Any, rows: list[Any], **figures: Any) -> None:
    """Keep the rows of a program with the settings that they were measured with; folders are nobody's setting."""
    settings = {key: value for key, value in vars(args).items() if key not in ("into", "runs", "name")}
    write(args.into, name, {"command": f"python -m {module}", **settings, "machine": where, "rows": rows, **figures})


def write(folder: Path, name: str, document: Any) -> None:
    """Keep a document under its name."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n")
