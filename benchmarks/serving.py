"""A real server of its own for a measurement, and visitors that speak HTTP with it."""

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

TIMEOUT_SECONDS = 600
ADMIN_TOKEN = "tXq4Nw8KcB1vRz6MhJ9sDf3YpLg7Te2A"
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
IDLE_SECONDS = 2.0
"""A connection that was idle for longer is opened again: the server closes it after five seconds, as HTTP allows."""


@dataclass(frozen=True, slots=True)
class Serving:
    """A server that runs."""

    address: str
    process: "subprocess.Popen[str]"
    _errors: Path

    def log(self) -> list[str]:
        """Lines of its standard error so far."""
        return self._errors.read_text().splitlines()

    def log_bytes(self) -> int:
        """The length of its log so far."""
        return self._errors.stat().st_size

    @property
    def data(self) -> Path:
        """Its data folder."""
        return self._errors.parent / "data"


@contextmanager
def serving(
    *flags: str, program: Sequence[str] = (sys.executable, "-m", "ludex"), **environment: str
) -> Iterator[Serving]:
    """`ludex serve` on a free port, in folders of its own."""
    with tempfile.TemporaryDirectory() as home:
        folders = {
            "LUDEX_DATA": f"{home}/data",
            "LUDEX_RUNS": f"{home}/runs",
            "LUDEX_JOBS": f"{home}/jobs",
            "LUDEX_TOURNAMENTS": f"{home}/tournaments",
            "LUDEX_LOG": "json",
            "LUDEX_ADMIN_TOKEN": ADMIN_TOKEN,
        }
        errors = Path(home) / "errors.txt"
        command = [*program, "serve", "--port", "0", *flags]
        with (
            errors.open("w") as log,
            subprocess.Popen(
                command, env={**os.environ, **folders, **environment}, stdout=subprocess.PIPE, stderr=log, text=True
            ) as server,
        ):
            try:
                assert server.stdout is not None
                address = re.search(r"http://\S+(?=;)", server.stdout.readline())
                if address is None:
                    raise RuntimeError(f"the server did not start: {errors.read_text()}")
                yield Serving(address[0], server, errors)
            finally:
                server.terminate()


def family(pid: int) -> list[int]:
    """A process and all that descend from it."""
    processes, waiting = [], [pid]
    while waiting:
        processes.append(waiting.pop())
        for children in Path(f"/proc/{processes[-1]}/task").glob("*/children"):
            try:
                waiting.extend(int(child) for child in children.read_text().split())
            except (FileNotFoundError, ProcessLookupError):
                # It has ended since it was listed.
                continue
    return processes


def resident(pid: int) -> int:
    """Bytes of memory that a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE


def cpu_seconds(pid: int) -> dict[int, float]:
    """CPU time of a process and its living descendants so far, by their numbers."""
    seconds = {}
    for member in family(pid):
        try:
            fields = Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        seconds[member] = (int(fields[11]) + int(fields[12])) / TICKS
    return seconds


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    text: str

    def document(self) -> Any:
        """Anything but success is an error."""
        if self.status >= 300:
            raise RuntimeError(f"{self.status} {self.text}")
        return json.loads(self.text)


class Visitor:
    """A person with an open connection and a cookie."""

    def __init__(self, address: str, cookie: str = "") -> None:
        self.address = address
        self.cookie = cookie
        self._used = time.monotonic()
        self._connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=TIMEOUT_SECONDS)

    def ask(self, method: str, path: str, body: object = None, token: str = "") -> Answer:
        """One request, with an administrator's token where one is given."""
        if time.monotonic() - self._used > IDLE_SECONDS:
            self._connection.close()
        headers = {"Content-Type": "application/json"} | ({"Cookie": self.cookie} if self.cookie else {})
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self._connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self._connection.getresponse()
        text = answer.read().decode()
        self._used = time.monotonic()
        self.cookie = (answer.getheader("Set-Cookie") or self.cookie).partition(";")[0]
        return Answer(answer.status, text)

    def close(self) -> None:
        self._connection.close()
