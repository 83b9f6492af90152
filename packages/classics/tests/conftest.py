"""The package from its folder, whether it is installed or not."""

import os
from pathlib import Path

import pytest

from ludex.core import registry
from ludex.core.source_package import register

PACKAGE = Path(__file__).parents[1]
os.environ.pop(registry.IGNORE, None)
if "othello" not in registry.names():
    register(PACKAGE)


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees or changes a person's matches and runs."""
    for name in ("DATA", "RUNS", "TOURNAMENTS", "JOBS"):
        monkeypatch.setenv(f"LUDEX_{name}", str(tmp_path / name.lower()))
