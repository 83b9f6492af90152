"""Packages of other people in the process of a test."""

import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludex.core import registry


@pytest.fixture
def foreign_packages(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test makes known to this process, and to those that it starts, is forgotten after it."""
    path, folder = [*sys.path], tmp_path_factory.getbasetemp()
    monkeypatch.setenv("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    yield
    folders = [folder, *(Path(entry) for entry in sys.path if entry not in path)]
    sys.path[:] = path
    for name, module in [*sys.modules.items()]:
        file = getattr(module, "__file__", None)
        if file is not None and any(Path(file).is_relative_to(entry) for entry in folders):
            del sys.modules[name]
    importlib.invalidate_caches()
    registry.refresh()
