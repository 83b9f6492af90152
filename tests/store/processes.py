"""Other processes at the same database, and what they said that they had committed."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ludex.store.database import Database

CHILD = Path(__file__).with_name("child.py")


class Child:
    """A process at the database, held at its start until `go`."""

    def __init__(self, verb: str, url: str, number: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(CHILD), verb, url, str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def await_ready(self) -> None:
        assert self.read() == "ready"

    def go(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("go\n")
        self.process.stdin.flush()

    def read(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.endswith("\n"), self.errors()
        return line[:-1]

    def rest(self) -> list[str]:
        """Wait for its end and give what it said that was not read yet."""
        assert self.process.stdout is not None
        lines = self.process.stdout.read().splitlines()
        assert self.errors() == ""
        return lines

    def errors(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read()


@contextmanager
def children(count: int, verb: str, url: str, number: int) -> Iterator[list[Child]]:
    """So many processes that start at the same moment."""
    started = [Child(verb, url, number) for _ in range(count)]
    try:
        for child in started:
            child.await_ready()
        for child in started:
            child.go()
        yield started
    finally:
        for child in started:
            child.process.kill()
            with child.process:
                pass


def assert_kept(database: Database, reported: list[str]) -> None:
    """Every line "ID RECORD" is true."""
    for line in reported:
        match_id, _, record = line.partition(" ")
        assert repr(database.matches.get(match_id).record) == record
