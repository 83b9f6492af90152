import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludex.core.ranking import Entry
from ludex.store.database import Database
from tests.store.conftest import Raw
from tests.store.processes import assert_kept, children

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def whole_file(file: Path, raw: Raw) -> Iterator[None]:
    """After each test, a database that is a file must be whole."""
    yield
    if file.exists():
        assert raw("PRAGMA integrity_check") == [("ok",)]
        assert raw("PRAGMA foreign_key_check") == []


def test_processes_open_and_fill_a_new_database_at_once(both: str) -> None:
    with children(3, "share", both, 25) as writers:
        reported = [line for writer in writers for line in writer.rest()]
    assert len(reported) == 75
    with Database.open(both) as database:
        assert_kept(database, reported)
        assert len(database.matches.list(1000)) == 75
        learned = {(entry.move, entry.q) for entry in database.rankings("toy", "small").entries()}
        assert learned == {(number, float(number)) for number in range(25)}
        assert [summary.entries for summary in database.list_rankings()] == [25]


def test_committed_writes_survive_a_kill(both: str) -> None:
    moments = random.Random(7)
    reported: list[str] = []
    kills = 0
    for _ in range(2):
        with children(3, "stream", both, 0) as writers:
            for writer in writers:
                reported += [writer.read() for _ in range(moments.randrange(1, 25))]
                time.sleep(moments.uniform(0, 0.02))
                writer.process.kill()
                reported += writer.rest()
                kills += 1
        with Database.open(both) as database:
            assert_kept(database, reported)
            assert len(reported) <= len(database.matches.list(100_000)) <= len(reported) + kills


def test_a_replacement_is_whole_after_a_kill(url: str) -> None:
    rows = 500
    with children(1, "flip", url, rows) as (flipper,):
        for _ in range(5):
            last = int(flipper.read())
        time.sleep(0.013)
        flipper.process.kill()
        last = max([last, *map(int, flipper.rest())])
    with Database.open(url) as database:
        entries = list(database.rankings("toy", "small").entries())
    assert entries in [sorted(Entry(f"{row}", row, q) for row in range(rows)) for q in (float(last), float(last + 1))]


def test_a_disk_that_takes_no_more_keeps_what_it_has(url: str) -> None:
    with children(1, "overflow", url, 500_000) as (writer,):
        *reported, last = writer.rest()
    assert last.startswith("store_full ")
    assert "ludex.db" in last
    assert len(reported) > 5
    with Database.open(url) as database:
        assert_kept(database, reported)
        assert len(database.matches.list(100_000)) == len(reported)
