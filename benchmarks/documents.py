"""Where figures are kept: one JSON document per subject, which the tables and charts read."""

import argparse
import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "results"
"""The figures that the tables show."""


def add_into(parser: argparse.ArgumentParser) -> None:
    """The option of every measurement that says where its figures go."""
    parser.add_argument("--into", type=Path, default=RESULTS, help="folder of the results")


def read(name: str, folder: Path = RESULTS) -> Any:
    """A document by its name."""
    return json.loads((folder / f"{name}.json").read_text())


def write(folder: Path, name: str, document: Any) -> None:
    """Keep a document under its name."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n")
