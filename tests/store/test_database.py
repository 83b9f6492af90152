import sqlite3
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import make_url

from ludex.core.errors import FolderUnwritable, MissingDependency, StoreError, StoreUnavailable
from ludex.core.record import Record
from ludex.store.backends import backend_of
from ludex.store.database import Database


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
    with pytest.raises(StoreUnavailable) as caught:
        Database.open(text)
    assert "hush" not in caught.value.message
    assert "host" in caught.value.message


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
