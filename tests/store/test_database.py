import sqlite3
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sqlalchemy import make_url

from ludex.core.errors import FolderUnwritable, MissingDependency, StoreError, StoreUnavailable
from ludex.core.ranking import Entry, MemoryRankings, RankingStore
from ludex.core.record import Record
from ludex.store.backends import backend_of
from ludex.store.database import Database, DatabaseRankings
from tests.store.conftest import Raw


def test_the_argument_goes_before_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDEX_DB", f"sqlite:///{tmp_path}/environment.db")
    Database.open(f"sqlite:///{tmp_path}/argument.db").close()
    assert [file.name for file in tmp_path.iterdir()] == ["argument.db"]


def test_the_environment_goes_before_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDEX_DB", f"sqlite:///{tmp_path}/environment.db")
    monkeypatch.setenv("LUDEX_DATA", str(tmp_path / "data"))
    Database.open().close()
    assert [file.name for file in tmp_path.iterdir()] == ["environment.db"]


def test_the_data_folder_is_made_and_may_have_odd_letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "who? me & you #1 100%"
    monkeypatch.delenv("LUDEX_DB", raising=False)
    monkeypatch.setenv("LUDEX_DATA", str(folder))
    with Database.open() as database:
        assert database.list_rankings() == []
    assert [file.name for file in folder.iterdir()] == ["ludex.db"]


def test_a_data_folder_that_cannot_be_made_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.delenv("LUDEX_DB", raising=False)
    monkeypatch.setenv("LUDEX_DATA", str(tmp_path / "file" / "data"))
    with pytest.raises(FolderUnwritable, match=r"file/data.*LUDEX_DATA"):
        Database.open()


@pytest.mark.parametrize("text", ["ludex.db", "", "postgresql://me@host:port/x", "cobol://x", "sqlite://me@host/x"])
def test_a_bad_url_says_what_a_good_one_looks_like(text: str) -> None:
    with pytest.raises(StoreUnavailable, match=r"sqlite:////folder/ludex\.db"):
        Database.open(text)


@pytest.mark.parametrize("text", ["postgresql://me:hush@host:port/x", "sqlite://me:hush@host/x", "me:hush@host"])
def test_a_bad_url_keeps_its_password(text: str) -> None:
    with pytest.raises(StoreUnavailable) as error:
        Database.open(text)
    assert "hush" not in error.value.message
    assert "host" in error.value.message


def test_a_bad_url_of_the_environment_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDEX_DB", "games.db")
    with pytest.raises(StoreUnavailable, match=r"LUDEX_DB is 'games\.db'"):
        Database.open()


def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingDependency, match=r"'psycopg'.*ludex\[postgres\]"):
        Database.open("postgresql://me:hush@localhost/ludex")


def test_a_closed_database_stays_closed(url: str, record: Callable[..., Record]) -> None:
    with Database.open(url) as database:
        match_id = database.matches.create(record())
    with pytest.raises(StoreUnavailable, match="closed"):
        database.matches.get(match_id)
    with pytest.raises(StoreUnavailable, match="closed"):
        database.matches.create(record())
    database.close()


def test_closing_leaves_one_file(database: Database, file: Path, record: Callable[..., Record]) -> None:
    database.matches.create(record())
    database.close()
    assert [path.name for path in file.parent.iterdir()] == ["ludex.db"]


def test_a_file_is_opened_for_durability(database: Database, url: str) -> None:
    parsed = make_url(url)
    engine = backend_of(parsed).engine(parsed, 1.25)
    pragmas = {"journal_mode": "wal", "foreign_keys": 1, "busy_timeout": 1250, "synchronous": 2}
    with engine.connect() as connection:
        assert {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in pragmas} == pragmas
    engine.dispose()


def test_a_write_transaction_holds_the_file_from_its_beginning(database: Database, url: str, file: Path) -> None:
    parsed = make_url(url)
    backend = backend_of(parsed)
    engine = backend.engine(parsed, 0.0)
    rival = sqlite3.connect(file, timeout=0, isolation_level=None)
    with engine.connect() as connection, backend.begin(connection, writing=False):
        rival.execute("BEGIN IMMEDIATE")
        rival.execute("ROLLBACK")
    with (
        engine.connect() as connection,
        backend.begin(connection, writing=True),
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        rival.execute("BEGIN IMMEDIATE")
    rival.close()
    engine.dispose()


@pytest.mark.slow
@pytest.mark.parametrize("place", ["file", "memory"])
def test_threads_share_a_database(place: str, url: str, record: Callable[..., Record]) -> None:
    with Database.open(url if place == "file" else "sqlite://") as database:
        errors: list[StoreError] = []

        def work() -> None:
            try:
                for number in range(10):
                    database.matches.create(record(number))
                    database.rankings("toy", "small").set("s", number, 1.0)
                    assert len(database.matches.list(5)) > 0
            except StoreError as error:
                errors.append(error)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        assert len(database.matches.list(100)) == 40
        assert len(list(database.rankings("toy", "small").entries())) == 10


numbers = st.floats(allow_nan=False, allow_infinity=False)
states = st.text(st.sampled_from("XO.xo-é😀"), max_size=4)
entries = st.lists(st.builds(Entry, states, st.integers(0, 9), numbers))


def bits(ranking_entries: Iterator[Entry]) -> list[tuple[str, int, bytes]]:
    return [(entry.state, entry.move, struct.pack("<d", entry.q)) for entry in ranking_entries]


@pytest.fixture
def ranking(database: Database) -> DatabaseRankings:
    return database.rankings("toy", "small")


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(first=entries, then=entries)
@example(first=[Entry("s", 0, 5e-324), Entry("s", 1, -2.2250738585072011e-308)], then=[Entry("s", 0, -0.0)])
@example(first=[Entry("s", 0, 0.1 + 0.2), Entry("s", 1, 1.7976931348623157e308)], then=[Entry("s", 1, 1.0)])
def test_it_does_what_the_store_in_memory_does(memory: Database, first: list[Entry], then: list[Entry]) -> None:
    expected, actual = MemoryRankings(), memory.rankings("toy", "small")
    stores: tuple[RankingStore, ...] = (expected, actual)
    for store in stores:
        store.replace(first)
        for state, move, q in then:
            store.set(state, move, q)
    assert bits(actual.entries()) == bits(expected.entries())
    for state, move, _ in first + then:
        assert actual.get(state, move) == expected.get(state, move)


def test_every_bit_survives_the_disk(either: Database, both: str) -> None:
    values = [5e-324, -5e-324, 2.225073858507201e-308, 0.1 + 0.2, 1 / 3, -1.7976931348623157e308, 1e16, 3.0, -0.0]
    originals = [Entry("s", move, q) for move, q in enumerate(values)]
    either.rankings("toy", "small").replace(originals)
    either.close()
    with Database.open(both) as again:
        assert bits(again.rankings("toy", "small").entries()) == bits(MemoryRankings(originals).entries())


def test_rankings_do_not_mix(database: Database) -> None:
    keys = [("toy", "small"), ("toy", "large"), ("other", "small")]
    for number, key in enumerate(keys):
        database.rankings(*key).set("s", 0, float(number))
    database.rankings(*keys[0]).replace([Entry("t", 1, 9.0)])
    database.rankings(*keys[1]).reset()
    assert list(database.rankings(*keys[0]).entries()) == [Entry("t", 1, 9.0)]
    assert list(database.rankings(*keys[1]).entries()) == []
    assert list(database.rankings(*keys[2]).entries()) == [Entry("s", 0, 2.0)]


@pytest.mark.parametrize("q", [float("nan"), float("inf"), float("-inf")])
def test_a_value_that_is_no_finite_number_is_refused(ranking: DatabaseRankings, q: float) -> None:
    ranking.set("s", 0, 1.0)
    with pytest.raises(ValueError, match="'s', move 0"):
        ranking.set("s", 0, q)
    with pytest.raises(ValueError, match="'t', move 2"):
        ranking.replace([Entry("t", 1, 1.0), Entry("t", 2, q)])
    assert list(ranking.entries()) == [Entry("s", 0, 1.0)]


def test_a_replacement_that_breaks_off_changes_nothing(database: Database, ranking: DatabaseRankings) -> None:
    ranking.set("s", 0, 1.0)
    before = database.list_rankings()

    def broken() -> Iterator[Entry]:
        yield Entry("t", 1, 1.0)
        raise RuntimeError("the file ended early")

    with pytest.raises(RuntimeError, match="early"):
        ranking.replace(broken())
    assert list(ranking.entries()) == [Entry("s", 0, 1.0)]
    assert database.list_rankings() == before


def test_a_replacement_may_be_made_of_the_ranking_itself(ranking: DatabaseRankings) -> None:
    ranking.replace([Entry("s", move, 1.0) for move in range(3)])
    ranking.replace(entry._replace(q=2.0) for entry in ranking.entries())
    assert [entry.q for entry in ranking.entries()] == [2.0, 2.0, 2.0]


def test_a_listing_counts_entries(database: Database) -> None:
    database.rankings("toy", "small").replace([Entry("s", move, 1.0) for move in range(3)])
    database.rankings("toy", "empty").replace([])
    database.rankings("quoridor", "9x9").set("s", 0, 1.0)
    database.rankings("never", "learned").get("s", 0)
    listed = database.list_rankings()
    assert [(summary.game, summary.preset, summary.entries) for summary in listed] == [
        ("quoridor", "9x9", 1),
        ("toy", "empty", 0),
        ("toy", "small", 3),
    ]
    for summary in listed:
        assert datetime.now(UTC) - datetime.fromisoformat(summary.created_utc) < timedelta(minutes=1)


def test_a_ranking_is_as_old_as_its_first_value_or_last_replacement(
    database: Database, ranking: DatabaseRankings
) -> None:
    def created() -> str:
        return database.list_rankings()[0].created_utc

    ranking.set("s", 0, 1.0)
    first = created()
    ranking.set("s", 1, 1.0)
    assert created() == first
    ranking.replace([])
    assert created() > first
    ranking.replace([], "2020-01-31T12:00:00+00:00")
    assert created() == "2020-01-31T12:00:00+00:00"


def test_a_reset_leaves_no_row(database: Database, ranking: DatabaseRankings, raw: Raw) -> None:
    ranking.replace([Entry("s", move, 1.0) for move in range(3)])
    ranking.reset()
    ranking.reset()
    assert database.list_rankings() == []
    assert raw("SELECT count(*) FROM ranking_values") == [(0,)]
