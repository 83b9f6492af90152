import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ludex.core.ranking import Entry
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


def assert_whole(file: Path) -> None:
    raw = sqlite3.connect(file)
    assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
    raw.close()


def assert_kept(database: Database, told: list[str]) -> None:
    """Every line "ID RECORD" is true."""
    for line in told:
        match_id, _, record = line.partition(" ")
        assert repr(database.matches.get(match_id).record) == record


def test_processes_open_and_fill_a_new_file_at_once(url: str, file: Path) -> None:
    with children(3, "share", url, 25) as writers:
        told = [line for writer in writers for line in writer.rest()]
    assert len(told) == 75
    with Database.open(url) as database:
        assert_kept(database, told)
        assert len(database.matches.list(1000)) == 75
        learned = {(entry.move, entry.q) for entry in database.rankings("toy", "small").entries()}
        assert learned == {(number, float(number)) for number in range(25)}
        assert [summary.entries for summary in database.list_rankings()] == [25]
    assert_whole(file)


def test_what_was_told_outlives_a_kill(url: str, file: Path) -> None:
    moments = random.Random(7)
    told: list[str] = []
    kills = 0
    for _ in range(2):
        with children(3, "stream", url, 0) as writers:
            for writer in writers:
                told += [writer.read() for _ in range(moments.randrange(1, 25))]
                time.sleep(moments.uniform(0, 0.02))
                writer.process.kill()
                told += writer.rest()
                kills += 1
        with Database.open(url) as database:
            assert_kept(database, told)
            assert len(told) <= len(database.matches.list(100_000)) <= len(told) + kills
        assert_whole(file)


def test_a_replacement_is_whole_after_a_kill(url: str, file: Path) -> None:
    rows = 500
    with children(1, "flip", url, rows) as (flipper,):
        for _ in range(5):
            last = int(flipper.read())
        time.sleep(0.013)
        flipper.process.kill()
        last = max([last, *map(int, flipper.rest())])
    with Database.open(url) as database:
        found = list(database.rankings("toy", "small").entries())
    assert found in [sorted(Entry(f"{row}", row, q) for row in range(rows)) for q in (float(last), float(last + 1))]
    assert_whole(file)


def test_a_disk_that_takes_no_more_keeps_what_it_has(url: str, file: Path) -> None:
    with children(1, "overflow", url, 500_000) as (writer,):
        *told, last = writer.rest()
    assert last.startswith("store_full ")
    assert "ludex.db" in last
    assert len(told) > 5
    with Database.open(url) as database:
        assert_kept(database, told)
        assert len(database.matches.list(100_000)) == len(told)
    assert_whole(file)
