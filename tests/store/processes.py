"""Other processes at the same database, and what they said that they had committed."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import Pipe

from ludex.store.database import Database
from tests.forking import forked
from tests.store.child import main


class Child:
    """A process at the database, held at its start until `go`."""

    def __init__(self, verb: str, url: str, number: int) -> None:
        self._connection, theirs = Pipe()
        self.process = forked(main, verb, url, number, theirs)
        # Otherwise the pipe would not end when the process does.
        theirs.close()

    def go(self) -> None:
        self._connection.send("go")

    def read(self) -> str:
        line: str = self._connection.recv()
        return line

    def rest(self) -> list[str]:
        """Wait for its end and give what it said that was not read yet."""
        lines = []
        # A pipe ends with the process, or is reset where "go" was not read.
        with suppress(EOFError, ConnectionResetError):
            while True:
                lines.append(self.read())
        self.process.join()
        assert self.process.exitcode in (0, -signal.SIGKILL)
        return lines

    def close(self) -> None:
        self.process.kill()
        self.process.join()
        self._connection.close()


@contextmanager
def children(count: int, verb: str, url: str, number: int) -> Iterator[list[Child]]:
    """So many processes that start at the same moment."""
    started = [Child(verb, url, number) for _ in range(count)]
    try:
        for child in started:
            child.go()
        yield started
    finally:
        for child in started:
            child.close()


def assert_kept(database: Database, reported: list[str]) -> None:
    """Every line "ID RECORD" is true."""
    for line in reported:
        match_id, _, record = line.partition(" ")
        assert repr(database.matches.get(match_id).record) == record
