import itertools
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Pool, event, make_url
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolExhausted

from ludex.core.errors import StoreError, StoreFull, StoreLocked, StoreUnavailable
from ludex.core.ranking import Entry
from ludex.store.database import Database
from ludex.store.transactions import Faults
from tests.store.conftest import Records


@contextmanager
def held(file: Path, kind: str = "IMMEDIATE") -> Iterator[None]:
    """Another connection in the middle of a write."""
    rival = sqlite3.connect(file, isolation_level=None)
    rival.execute(f"BEGIN {kind}")
    yield
    rival.execute("ROLLBACK")
    rival.close()


@contextmanager
def pages_limited(file: Path, more: int) -> Iterator[None]:
    """Let files that are opened inside grow by so many pages only."""
    raw = sqlite3.connect(file)
    (pages,) = raw.execute("PRAGMA page_count").fetchone()
    raw.close()

    def limit(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages + more}")

    event.listen(Pool, "connect", limit)
    yield
    event.remove(Pool, "connect", limit)


def test_a_locked_database_can_be_read_but_not_written(url: str, file: Path, record: Records) -> None:
    with Database.open(url, busy_seconds=0.05) as database:
        match_id = database.matches.create(record(1))
        database.rankings("toy", "small").set("s", 0, 1.0)
        with held(file):
            for write in (
                lambda: database.matches.create(record(2)),
                lambda: database.matches.update(match_id, record(2), 1),
                lambda: database.matches.delete(match_id),
                lambda: database.rankings("toy", "small").set("s", 0, 2.0),
                lambda: database.rankings("toy", "small").replace([]),
                lambda: database.rankings("toy", "small").reset(),
            ):
                with pytest.raises(StoreLocked, match=r"ludex\.db.*try again"):
                    write()
            assert [database.matches.get(listed.id).record for listed in database.matches.list(10)] == [record(1)]
            assert list(database.rankings("toy", "small").entries()) == [Entry("s", 0, 1.0)]
        assert database.matches.update(match_id, record(2), 1) == 2


def test_a_database_that_is_locked_from_the_start(url: str, file: Path) -> None:
    with held(file, "EXCLUSIVE"), pytest.raises(StoreLocked, match=r"ludex\.db"):
        Database.open(url, busy_seconds=0.05)
    Database.open(url).close()


@contextmanager
def used_elsewhere(file: Path, kind: str) -> Iterator[sqlite3.Connection]:
    """Another connection in a transaction at a file that has no write-ahead log yet."""
    rival = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    rival.execute("CREATE TABLE other (x)")
    rival.execute(f"BEGIN {kind}")
    rival.execute("SELECT * FROM other").fetchall()
    yield rival
    rival.close()


@pytest.mark.parametrize("kind", ["DEFERRED", "IMMEDIATE"])
def test_the_write_ahead_log_waits_for_others(url: str, file: Path, kind: str) -> None:
    with used_elsewhere(file, kind) as rival:
        leaving = threading.Timer(0.1, rival.execute, ["ROLLBACK"])
        leaving.start()
        Database.open(url).close()
        leaving.join()


@pytest.mark.parametrize("kind", ["DEFERRED", "IMMEDIATE"])
def test_the_write_ahead_log_does_not_wait_for_ever(url: str, file: Path, kind: str) -> None:
    with used_elsewhere(file, kind), pytest.raises(StoreLocked, match=r"ludex\.db"):
        Database.open(url, busy_seconds=0.05)


@pytest.mark.slow
def test_a_full_database_keeps_what_it_has(url: str, file: Path, record: Records) -> None:
    with Database.open(url) as database:
        database.rankings("toy", "small").set("s", 0, 1.0)
        kept = [database.matches.create(record(number)) for number in range(5)]
    with pages_limited(file, more=4), Database.open(url) as database:
        with pytest.raises(StoreFull, match=r"ludex\.db.*make room"):
            database.rankings("toy", "small").replace(Entry("s" * 100, move, 2.0) for move in range(10_000))
        with pytest.raises(StoreFull):
            kept.extend(database.matches.create(record(number)) for number in itertools.count(len(kept)))
        assert list(database.rankings("toy", "small").entries()) == [Entry("s", 0, 1.0)]
    with Database.open(url) as database:
        assert [database.matches.get(match_id).record.seed for match_id in kept] == list(range(len(kept)))
        assert len(database.matches.list(10_000)) == len(kept)
        assert list(database.rankings("toy", "small").entries()) == [Entry("s", 0, 1.0)]
        database.matches.create(record())


@pytest.mark.parametrize(
    ("place", "named"), [("nowhere/ludex.db", r"nowhere/ludex\.db.*"), ("file/ludex.db", r"file/ludex\.db.*"), ("", "")]
)
def test_a_place_where_no_database_can_be_is_named(tmp_path: Path, place: str, named: str) -> None:
    (tmp_path / "file").write_text("precious")
    with pytest.raises(StoreUnavailable, match=rf"{named}LUDEX_DB"):
        Database.open(f"sqlite:///{tmp_path}/{place}")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "precious"


def test_a_read_only_database_can_be_read(url: str, file: Path, record: Records) -> None:
    with Database.open(url) as database:
        match_id = database.matches.create(record(1))
    before = file.read_bytes()
    with Database.open(f"sqlite:///file:{file}?mode=ro&uri=true") as database:
        assert database.matches.get(match_id).record == record(1)
        with pytest.raises(StoreUnavailable, match=r"ludex\.db.*cannot be written.*LUDEX_DB"):
            database.matches.create(record(2))
    assert file.read_bytes() == before


def test_a_read_only_database_cannot_be_begun(file: Path) -> None:
    with pytest.raises(StoreUnavailable, match=r"ludex\.db"):
        Database.open(f"sqlite:///file:{file}?mode=ro&uri=true")
    file.touch()
    with pytest.raises(StoreUnavailable, match=r"ludex\.db.*cannot be written"):
        Database.open(f"sqlite:///file:{file}?mode=ro&uri=true")
    assert file.read_bytes() == b""


def test_a_file_that_cannot_have_a_write_ahead_log_is_refused(url: str, file: Path) -> None:
    Database.open(url).close()
    with pytest.raises(StoreUnavailable, match=r"ludex\.db.*write-ahead log"):
        Database.open(f"sqlite:///file:{file}?immutable=1&uri=true")


def test_a_garbage_file_is_refused_untouched(url: str, file: Path) -> None:
    file.write_bytes(b"This was a shopping list.\n" * 1000)
    before = file.read_bytes()
    with pytest.raises(StoreUnavailable, match=r"ludex\.db.*not a database.*LUDEX_DB"):
        Database.open(url)
    assert file.read_bytes() == before


def test_a_damaged_file_is_reported(url: str, file: Path, record: Records) -> None:
    with Database.open(url) as database:
        for number in range(50):
            database.matches.create(record(number))
    content = bytearray(file.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    file.write_bytes(content)
    with pytest.raises(StoreUnavailable, match=r"ludex\.db.*damaged"), Database.open(url) as database:
        database.matches.list(100)


class ServerError(Exception):
    """What psycopg raises."""

    def __init__(self, sqlstate: str | None, text: str = "the server says no") -> None:
        super().__init__(text)
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("sqlstate", "kind"),
    [
        ("55P03", StoreLocked),
        ("40P01", StoreLocked),
        ("53100", StoreFull),
        ("53300", StoreUnavailable),
        ("28P01", StoreUnavailable),
        ("3D000", StoreUnavailable),
        ("42501", StoreUnavailable),
        ("25006", StoreUnavailable),
        ("57P01", StoreUnavailable),
        ("42P01", StoreError),
    ],
)
def test_codes_of_a_server_are_translated(sqlstate: str, kind: type[StoreError]) -> None:
    faults = Faults(make_url("postgresql://me:hush@host/ludex"))
    with pytest.raises(StoreError, match=r"postgresql://me:\*\*\*@host/ludex: the server says no") as error:  # noqa: SIM117
        with faults.translate_errors():
            raise OperationalError("SELECT 1", {}, ServerError(sqlstate))
    assert type(error.value) is kind
    assert isinstance(error.value.__cause__, OperationalError)


@pytest.mark.parametrize("address", ["postgresql://me:hush@host/ludex", "postgresql://host/ludex?password=hush"])
def test_a_server_that_does_not_answer_is_reported_without_the_password(address: str) -> None:
    refused = ServerError(None, "connection to host with password hush failed\nIs the server running?")
    with pytest.raises(StoreUnavailable) as error, Faults(make_url(address)).translate_errors():
        raise OperationalError(None, None, refused)
    assert "host/ludex: connection to host with password *** failed" in error.value.message
    assert "hush" not in error.value.message


BROKEN = OperationalError("SELECT 1", {}, ServerError(None), connection_invalidated=True)


@pytest.mark.parametrize(
    ("error", "kind"),
    [(BROKEN, StoreUnavailable), (PoolExhausted("QueuePool limit"), StoreLocked), (KeyError("mine"), KeyError)],
    ids=["a connection that breaks", "waiting in vain for a connection", "no error of the database"],
)
def test_errors_without_a_code_are_translated(error: Exception, kind: type[Exception]) -> None:
    with pytest.raises(kind), Faults(make_url("postgresql://host/ludex")).translate_errors():
        raise error
