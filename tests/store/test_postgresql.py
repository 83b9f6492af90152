"""The same store on a real PostgreSQL."""

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from ludex.core.clock import Clock
from ludex.core.errors import StaleMatch, StoreLocked, StoreUnavailable, UnknownMatch
from ludex.core.ranking import Entry
from ludex.store.database import Database
from ludex.store.hosting import Hosting
from ludex.store.timing import Timing
from tests.postgres import Cluster
from tests.store.conftest import Records


@pytest.fixture
def url(postgres: Cluster) -> str:
    return postgres.new_database()


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    with Database.open(url) as opened:
        yield opened


def test_matches_come_back_as_they_went(database: Database, url: str, record: Records) -> None:
    originals = [replace(record(number), seed=2**64 - 1 - number) for number in range(10)]
    ids = [database.matches.create(original) for original in originals]
    with Database.open(url) as again:
        assert [again.matches.get(match_id).record for match_id in ids] == originals
        assert [match.id for match in again.matches.list(3)] == ids[:-4:-1]
    with pytest.raises(UnknownMatch):
        database.matches.get("nobody")


def test_one_of_two_writers_of_a_match_is_stale(database: Database, url: str, record: Records) -> None:
    match_id = database.matches.create(record(1))
    with Database.open(url) as other:
        other.matches.update(match_id, record(2), expected_version=1)
        with pytest.raises(StaleMatch):
            database.matches.update(match_id, record(3), expected_version=1)
    assert database.matches.get(match_id).record == record(2)


def test_clocks_are_written_with_the_move_and_their_turns_renewed(database: Database, record: Records) -> None:
    begun, moved = replace(record(1), actions=()), replace(record(1), actions=(4,))
    timing = Timing(Clock(60_000, 1_000))
    match_id = database.hostings.create(begun, Hosting("ann", {0: "ann", 1: "ann"}), timing)
    assert database.hostings.update(match_id, moved, 1, timing.after(59_000.4)) == 2
    with pytest.raises(StaleMatch):
        database.hostings.update(match_id, moved, 1, timing.after(7))
    assert database.hostings.get(match_id).timing == timing.after(59_000)
    assert database.hostings.renew_turns() == [match_id]
    assert database.hostings.get(match_id).stored.version == 3


def test_rankings_are_replaced_whole(database: Database) -> None:
    table = database.rankings("toy", "small")
    table.replace(Entry(f"{row}", row, row / 3) for row in range(100))
    assert list(table.entries()) == sorted(Entry(f"{row}", row, row / 3) for row in range(100))
    table.set("7", 7, 0.1)
    assert table.get("7", 7) == 0.1
    table.reset()
    assert database.list_rankings() == []


def test_another_writer_is_waited_for_but_not_for_ever(postgres: Cluster, url: str, record: Records) -> None:
    with Database.open(url, busy_seconds=0.2) as database:
        match_id = database.matches.create(record(1))
        with postgres.connect(url.partition("?")[0].rpartition("/")[2]) as holder, holder.transaction():
            holder.execute("SELECT * FROM matches FOR UPDATE")
            begin = time.monotonic()
            with pytest.raises(StoreLocked, match="another writer holds it"):
                database.matches.update(match_id, record(2), expected_version=1)
            assert time.monotonic() - begin < 10
        database.matches.update(match_id, record(2), expected_version=1)


def test_an_unreachable_server_is_reported(postgres: Cluster) -> None:
    for url in (postgres.url("no_such_database"), "postgresql://ludex:hunter2@127.0.0.1:1/ludex"):
        with pytest.raises(StoreUnavailable) as refused:
            Database.open(url)
        assert "hunter2" not in refused.value.message


def test_a_server_that_comes_back_is_used_again(postgres: Cluster, url: str, record: Records) -> None:
    with Database.open(url) as database:
        match_id = database.matches.create(record(1))
        with postgres.connect() as administrator:
            administrator.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
                (url.partition("?")[0].rpartition("/")[2],),
            )
        assert database.matches.get(match_id).record == record(1)
