import random
import sqlite3
import time
from pathlib import Path

import pytest

from ludex.core.ranking import Entry
from ludex.store.database import Database
from tests.store.processes import assert_kept, children

pytestmark = pytest.mark.slow


def assert_whole(file: Path) -> None:
    raw = sqlite3.connect(file)
    assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
    raw.close()


def test_processes_open_and_fill_a_new_file_at_once(url: str, file: Path) -> None:
    with children(3, "share", url, 25) as writers:
        reported = [line for writer in writers for line in writer.rest()]
    assert len(reported) == 75
    with Database.open(url) as database:
        assert_kept(database, reported)
        assert len(database.matches.list(1000)) == 75
        learned = {(entry.move, entry.q) for entry in database.rankings("toy", "small").entries()}
        assert learned == {(number, float(number)) for number in range(25)}
        assert [summary.entries for summary in database.list_rankings()] == [25]
    assert_whole(file)


def test_committed_writes_survive_a_kill(url: str, file: Path) -> None:
    moments = random.Random(7)
    reported: list[str] = []
    kills = 0
    for _ in range(2):
        with children(3, "stream", url, 0) as writers:
            for writer in writers:
                reported += [writer.read() for _ in range(moments.randrange(1, 25))]
                time.sleep(moments.uniform(0, 0.02))
                writer.process.kill()
                reported += writer.rest()
                kills += 1
        with Database.open(url) as database:
            assert_kept(database, reported)
            assert len(reported) <= len(database.matches.list(100_000)) <= len(reported) + kills
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
        *reported, last = writer.rest()
    assert last.startswith("store_full ")
    assert "ludex.db" in last
    assert len(reported) > 5
    with Database.open(url) as database:
        assert_kept(database, reported)
        assert len(database.matches.list(100_000)) == len(reported)
    assert_whole(file)
