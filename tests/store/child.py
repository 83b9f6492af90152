"""Another process at the same database: it waits for a word, then reports what it has committed, line by line."""

import itertools
import resource
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TypeAlias

from ludex.core.errors import StoreError
from ludex.core.ranking import Entry
from ludex.core.record import Record
from ludex.store.database import Database

Report: TypeAlias = Callable[[str], None]


def stream(database: Database, count: int, report: Report) -> None:
    """Create matches, so many or for ever."""
    for number in range(count) if count else itertools.count():
        record = Record("toy", 1, "small", 2**64 - 1 - number, tuple(range(number % 50)), ("a", "b"), None)
        report(f"{database.matches.create(record)} {record!r}")


def share(database: Database, count: int, report: Report) -> None:
    """Create matches, and set the same values as every other child in the same order."""
    stream(database, count, report)
    for number in range(count):
        database.rankings("toy", "small").set(f"state {number % 5}", number, float(number))


def flip(database: Database, rows: int, report: Report) -> None:
    """Replace a ranking by another for ever, each all of one value."""
    for number in itertools.count():
        database.rankings("toy", "small").replace(Entry(f"{row}", row, float(number)) for row in range(rows))
        report(str(number))


def overflow(database: Database, file_bytes: int, report: Report) -> None:
    """Create matches until no file may grow any further."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    try:
        stream(database, 0, report)
    except StoreError as error:
        report(f"{error.code} {error.message}")


def main(verb: str, url: str, number: int, connection: Connection) -> None:
    connection.recv()
    with Database.open(url, busy_seconds=30) as database:
        verbs = {"stream": stream, "share": share, "flip": flip, "overflow": overflow}
        verbs[verb](database, number, connection.send)
