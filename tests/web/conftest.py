"""One server for all tests that need nothing special of it."""

from collections.abc import Iterator

import pytest

from tests.web.playing import GENEROUS, Visitor
from tests.web.running import RunningServer, served


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with served(tmp_path_factory.mktemp("server"), *GENEROUS) as running:
        yield running


@pytest.fixture
def ann(server: RunningServer) -> Iterator[Visitor]:
    with Visitor(server) as visitor:
        yield visitor


@pytest.fixture
def bob(server: RunningServer) -> Iterator[Visitor]:
    with Visitor(server) as visitor:
        yield visitor
