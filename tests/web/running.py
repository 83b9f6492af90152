"""A real server in a process of its own."""

import os
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.forking import ForkedProcess
from tests.waiting import until

http_client = partial(httpx.Client, verify=False)
"""The servers of the tests speak plain HTTP: reading certificates would take 50 ms of CPU time per client."""
ADMIN_TOKEN = "Zk3v9QpL7xWm2RbT8nYc4HdF6sJ1gA0e"
Responses = list[tuple[re.Pattern[str], str, set[int]]]
"""By pattern of the path and by method, exact paths first."""
BEARER = {"Authorization": f"Bearer {ADMIN_TOKEN}"}

# A server takes 0.6 s of CPU time to write the document.
_responses: Responses = []


class RunningServer:
    """`ludex serve` on a free port."""

    def __init__(self, home: Path, *flags: str, files: str = "", **environment: str) -> None:
        """`files` limits how many files the server may open."""
        home.mkdir(parents=True, exist_ok=True)
        self.home = home
        folders = {f"LUDEX_{name.upper()}": str(home / name) for name in ("data", "runs", "tournaments", "jobs")}
        # Most tests search with few games or none: loading the others would take a second of CPU time per worker.
        always = {"LUDEX_LOG": "json", "LUDEX_ADMIN_TOKEN": ADMIN_TOKEN, "LUDEX_PRELOAD": "false"}
        self._errors = (home / "errors.txt").open("a+")
        self.process = ForkedProcess(
            *("-v", "serve", "--port", "0", *flags),
            cwd=home,
            env={**os.environ, **folders, **always, **environment},
            stderr=home / "errors.txt",
            files=files,
        )
        watchdog = threading.Timer(60, self.process.kill)
        watchdog.start()
        first = self.process.stdout.readline()
        watchdog.cancel()
        assert first.startswith("Ludex plays at "), f"{first!r}\n{self.log()}"
        self.url = first.removeprefix("Ludex plays at ").partition(";")[0]

    @property
    def host(self) -> str:
        """Name and port, as a Host header says them."""
        return self.url.removeprefix("http://")

    @property
    def socket_url(self) -> str:
        return self.url.replace("http", "ws", 1)

    @property
    def responses(self) -> Responses:
        """The statuses that the OpenAPI document announces, which is the same for all servers."""
        if not _responses:
            with self.client() as client:
                _responses.extend(_announced(client.get("/api/openapi.json").json()["paths"]))
        return _responses

    @cached_property
    def login_link(self) -> str:
        """The link that it prints after its address, for the administrator: it works once."""
        return self.process.stdout.readline().split()[-1]

    def client(self) -> httpx.Client:
        """A visitor, with cookies of its own."""
        return http_client(base_url=self.url, timeout=60)

    def administrator(self) -> httpx.Client:
        """A program that has the administrator's token."""
        return http_client(base_url=self.url, timeout=60, headers=BEARER)

    def log(self) -> str:
        """What it has written to standard error so far."""
        self._errors.flush()
        return Path(self._errors.name).read_text()

    def logged(self, words: str) -> str:
        """The same, once it holds these words: a request is logged after it was answered."""
        until(lambda: words in self.log(), f"{words!r} in the log")
        return self.log()

    def kill(self) -> None:
        """As `kill -9` does."""
        self.process.kill()
        self.process.wait()

    def end(self) -> int:
        """As Ctrl-C does; gives the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(30)

    def close(self) -> None:
        if self.process.poll() is None:
            self.kill()
        self.process.close()
        self._errors.close()


@contextmanager
def served(home: Path, *flags: str, files: str = "", **environment: str) -> Iterator[RunningServer]:
    """A server for the length of a block."""
    server = RunningServer(home, *flags, files=files, **environment)
    try:
        yield server
    finally:
        server.close()


def server_fixture(*flags: str, **environment: str) -> Any:
    """A fixture: a server of these flags for the tests of a module."""

    @pytest.fixture(scope="module")
    def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
        with served(tmp_path_factory.mktemp("server"), "--workers", "1", *flags, **environment) as running:
            yield running

    return server


def _announced(paths: dict[str, Any]) -> Responses:
    return [
        (
            re.compile(re.sub(r"\{\w+\}", "[^/]+", path)),
            method.upper(),
            {int(status) for status in operation["responses"]},
        )
        for path, methods in sorted(paths.items(), key=lambda item: "{" in item[0])
        for method, operation in methods.items()
    ]
