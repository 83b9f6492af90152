"""One server and one Chromium for the browser tests of a process."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.browsing import Screen, chromium
from tests.web.playing import GENEROUS
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


# Not a session's: while Playwright runs, no test elsewhere could run an event loop of its own.
@pytest.fixture(scope="package")
def chrome() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def screen(chrome: Browser, server: RunningServer) -> Iterator[Screen]:
    """A person at a desktop, in the light."""
    with Screen(chrome, server) as desktop:
        yield desktop
