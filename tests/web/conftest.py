"""One server for all tests that need nothing special of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.playing import GENEROUS, Visitor
from tests.web.running import RunningServer, served


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the server's data and runs."""
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="session")
def server(home: Path) -> Iterator[RunningServer]:
    # A second worker would load every game once more.
    with served(home, *GENEROUS, "--workers", "1") as running:
        yield running


@pytest.fixture
def ann(server: RunningServer) -> Iterator[Visitor]:
    with Visitor(server) as visitor:
        yield visitor


@pytest.fixture
def bob(server: RunningServer) -> Iterator[Visitor]:
    with Visitor(server) as visitor:
        yield visitor
