"""Another process at the same database, started by the tests as `python child.py VERB URL NUMBER`.

It says "ready", waits for a line, opens the database and reports on stdout what it has committed, line by line.
"""

import itertools
import resource
import sys

from ludex.core.errors import StoreError
from ludex.core.ranking import Entry
from ludex.core.record import Record
from ludex.store.database import Database


def report(*words: object) -> None:
    # One write: `print` of several words to an unbuffered stdout makes several, and a kill can fall between them.
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def stream(database: Database, count: int) -> None:
    """Create matches, so many or for ever."""
    for number in range(count) if count else itertools.count():
        record = Record("toy", 1, "small", 2**64 - 1 - number, tuple(range(number % 50)), ("a", "b"), None)
        report(database.matches.create(record), repr(record))


def share(database: Database, count: int) -> None:
    """Create matches, and set the same values as every other child in the same order."""
    stream(database, count)
    for number in range(count):
        database.rankings("toy", "small").set(f"state {number % 5}", number, float(number))


def flip(database: Database, rows: int) -> None:
    """Replace a ranking by another for ever, each all of one value."""
    for number in itertools.count():
        database.rankings("toy", "small").replace(Entry(f"{row}", row, float(number)) for row in range(rows))
        report(number)


def overflow(database: Database, file_bytes: int) -> None:
    """Create matches until no file may grow any further."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    try:
        stream(database, 0)
    except StoreError as error:
        report(error.code, error.message)


def main(verb: str, url: str, number: int) -> None:
    report("ready")
    sys.stdin.readline()
    with Database.open(url, busy_seconds=30) as database:
        {"stream": stream, "share": share, "flip": flip, "overflow": overflow}[verb](database, number)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
