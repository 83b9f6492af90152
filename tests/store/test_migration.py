from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect, make_url, text

from ludex.core.errors import StoreError, StoreTooNew, StoreUnavailable
from ludex.store.backends import backend_of
from ludex.store.backup import restore_backup
from ludex.store.database import Database
from ludex.store.hosting import Hosting
from ludex.store.schema import METADATA, MIGRATIONS, migrate
from ludex.store.transactions import Faults, Transactions
from tests.store.conftest import Raw, Records


@contextmanager
def transactions_of(url: str) -> Iterator[Transactions]:
    """A database as it is, of whichever version."""
    parsed = make_url(url)
    backend = backend_of(parsed)
    transactions = Transactions(backend.engine(parsed, 1.0), backend, Faults(parsed))
    try:
        yield transactions
    finally:
        transactions.close()


PLANTED = (
    "ALTER TABLE hostings ADD COLUMN stake INTEGER NOT NULL DEFAULT 7",
    "CREATE TABLE leagues (id TEXT NOT NULL PRIMARY KEY)",
)
"""A step as the first change of the tables will have it."""


def test_a_planted_step_migrates_a_database_and_a_backup_with_their_rows(
    both: str, tmp_path: Path, record: Records
) -> None:
    hosting, backup = Hosting("ann", {0: "ann", 1: None}, practice=True), tmp_path / "ludex.backup"
    with Database.open(both) as database:
        match_id = database.hostings.create(record(1), hosting)
        database.back_up(backup)
    steps = (*MIGRATIONS, PLANTED)

    def require_second_version(transactions: Transactions) -> None:
        with transactions.reading() as connection:
            assert connection.execute(text("SELECT version FROM ludex_schema")).scalars().all() == [2]
            rows = connection.execute(text("SELECT match_id, creator, stake FROM hostings")).all()
            assert [tuple(row) for row in rows] == [(match_id, "ann", 7)]
            assert connection.execute(text("SELECT * FROM leagues")).all() == []

    with transactions_of(both) as transactions:
        backend = backend_of(make_url(both))
        for _ in ("once", "again, which changes nothing"):
            migrate(transactions, backend, steps)
            require_second_version(transactions)
        with transactions.writing() as connection:
            # Only the tables of this Ludex are replaced by a restore.
            connection.execute(text("DROP TABLE leagues"))
        restore_backup(transactions, backend, backup, replace=True, migrations=steps)
        require_second_version(transactions)
    with pytest.raises(StoreTooNew, match="version 2, this Ludex knows versions up to 1"):
        Database.open(both)


def test_a_step_that_fails_takes_the_whole_migration_back(both: str, record: Records) -> None:
    with Database.open(both) as database:
        match_id = database.matches.create(record())
    half_broken = (*MIGRATIONS, PLANTED, ("CREATE TABLE runs (id TEXT)", "CREATE NONSENSE"))
    with transactions_of(both) as transactions:
        with pytest.raises(StoreError, match="NONSENSE"):
            migrate(transactions, backend_of(make_url(both)), half_broken)
        with transactions.reading() as connection:
            assert {*inspect(connection).get_table_names()} == {*METADATA.tables}
    with Database.open(both) as database:
        assert database.matches.get(match_id).record == record()


def test_a_new_database_has_the_tables_with_their_indexes(both: str) -> None:
    Database.open(both).close()
    engine = create_engine(both)
    inspector = inspect(engine)
    assert {*inspector.get_table_names()} == {*METADATA.tables}
    for name, table in METADATA.tables.items():
        reflected = {
            column["name"]: (column["type"].python_type, column["nullable"]) for column in inspector.get_columns(name)
        }
        assert reflected == {column.name: (column.type.python_type, column.nullable) for column in table.columns}
        assert inspector.get_pk_constraint(name)["constrained_columns"] == [column.name for column in table.primary_key]
        assert {index["name"] for index in inspector.get_indexes(name)} == {index.name for index in table.indexes}
        keys = {(key["referred_table"], key["options"]["ondelete"]) for key in inspector.get_foreign_keys(name)}
        assert keys == {(key.referred_table.name, "CASCADE") for key in table.foreign_key_constraints}
    engine.dispose()


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_a_newer_file_is_refused_untouched(url: str, file: Path, raw: Raw, record: Records, journal: str) -> None:
    with Database.open(url) as database:
        database.matches.create(record())
    raw("UPDATE ludex_schema SET version = 99")
    raw(f"PRAGMA journal_mode = {journal}")
    before = file.read_bytes()
    with pytest.raises(StoreTooNew, match=rf"ludex\.db.*version 99.*up to {len(MIGRATIONS)}"):
        Database.open(url)
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == ["ludex.db"]


def test_a_file_without_its_version_is_refused(url: str, raw: Raw) -> None:
    Database.open(url).close()
    raw("DELETE FROM ludex_schema")
    with pytest.raises(StoreUnavailable, match="ludex_schema has 0 rows"):
        Database.open(url)


def test_tables_of_another_program_are_left_alone(url: str, raw: Raw) -> None:
    raw("CREATE TABLE matches (stick TEXT)")
    raw("INSERT INTO matches VALUES ('burnt')")
    with pytest.raises(StoreError, match=r"ludex\.db.*matches already exists"):
        Database.open(url)
    assert raw("SELECT * FROM matches") == [("burnt",)]
    assert raw("SELECT count(*) FROM sqlite_master") == [(1,)]
