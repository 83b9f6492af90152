"""The package from its folder, whether it is installed or not."""

import os
import sys
from pathlib import Path

import pytest

from ludex.core import registry
from ludex.core.source_package import register

PACKAGE = Path(__file__).parents[1]
EXAMPLE = str(PACKAGE.parents[1] / "examples" / "connect_four" / "src")
os.environ.pop(registry.IGNORE, None)
register(PACKAGE)
sys.path.insert(0, EXAMPLE)
os.environ["PYTHONPATH"] = os.pathsep.join([EXAMPLE, os.environ["PYTHONPATH"]])


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees or changes a person's matches and runs."""
    for name in ("DATA", "RUNS", "TOURNAMENTS", "JOBS"):
        monkeypatch.setenv(f"LUDEX_{name}", str(tmp_path / name.lower()))
