import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect, make_url, text

from ludex.core.errors import StoreError, StoreTooNew, StoreUnavailable
from ludex.core.record import Record
from ludex.core.seeding import CHAINED
from ludex.store.backends import SQLite
from ludex.store.database import Database
from ludex.store.faults import Faults
from ludex.store.hosting import Hosting
from ludex.store.migration import migrate
from ludex.store.schema import METADATA, MIGRATIONS
from ludex.store.transactions import Transactions

Records = Callable[..., Record]


@pytest.fixture
def transactions(url: str) -> Iterator[Transactions]:
    """A database on which nothing was done yet."""
    parsed = make_url(url)
    opened = Transactions(SQLite().engine(parsed, 1.0), SQLite(), Faults(parsed))
    yield opened
    opened.close()


def content(file: Path) -> tuple[int, set[str]]:
    raw = sqlite3.connect(file)
    version = raw.execute("SELECT version FROM ludex_schema").fetchone()[0]
    tables = {name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    raw.close()
    return version, tables


def insert_old(transactions: Transactions, match_id: str, record: Record) -> str:
    """Insert a match as Ludex 0.1 did; returns its id."""
    values = {
        "id": match_id,
        "version": 1,
        "created_utc": "2026-01-01T00:00:00.000000Z",
        "updated_utc": "2026-01-01T00:00:00.000000Z",
        "game": record.game,
        "game_version": record.version,
        "preset": record.preset,
        "seed": str(record.seed),
        "actions": json.dumps(record.actions),
        "agents": json.dumps(record.agents),
        "scores": None if record.outcome is None else json.dumps(record.outcome.scores),
        "reason": None if record.outcome is None else record.outcome.reason,
        "aborted": record.aborted,
    }
    with transactions.writing() as connection:
        statement = f"INSERT INTO matches ({', '.join(values)}) VALUES ({', '.join(f':{name}' for name in values)})"
        connection.execute(text(statement), values)
    return match_id


def test_an_older_file_is_led_forward_with_its_rows(transactions: Transactions, url: str, record: Records) -> None:
    migrate(transactions, SQLite(), MIGRATIONS[:1])
    originals = [replace(record(number), seeding=CHAINED) for number in range(5)]
    ids = [insert_old(transactions, f"match{number}", original) for number, original in enumerate(originals)]
    transactions.close()
    file = Path(str(make_url(url).database))
    assert content(file) == (1, {"ludex_schema", "matches"})
    with Database.open(url) as database:
        assert [database.matches.get(match_id).record for match_id in ids] == originals
        database.rankings("toy", "small").set("s", 0, 1.0)
    assert content(file) == (len(MIGRATIONS), {*METADATA.tables})


def test_a_match_of_the_web_from_before_the_clocks_has_none(
    transactions: Transactions, url: str, record: Records
) -> None:
    migrate(transactions, SQLite(), MIGRATIONS[:3])
    hosting = Hosting("ann", {0: "ann", 1: None}, practice=True)
    match_id = insert_old(transactions, "hosted", record(1))
    with transactions.writing() as connection:
        connection.execute(text("INSERT INTO hostings VALUES ('hosted', 'ann', 1, NULL)"))
        connection.execute(text("INSERT INTO seats VALUES ('hosted', 0, 'ann'), ('hosted', 1, NULL)"))
    transactions.close()
    with Database.open(url) as database:
        found = database.hostings.get(match_id)
        assert (found.hosting, found.timing, found.stored.version) == (hosting, None, 1)
        assert database.hostings.renew_turns() == []
        assert database.hostings.update(match_id, record(3), 1, None) == 2


def test_a_step_that_fails_takes_the_whole_migration_back(
    transactions: Transactions, file: Path, record: Records
) -> None:
    migrate(transactions, SQLite(), MIGRATIONS[:1])
    insert_old(transactions, "match", record())
    half_broken = (*MIGRATIONS, ("CREATE TABLE runs (id TEXT)", "CREATE NONSENSE"))
    with pytest.raises(StoreError, match="NONSENSE"):
        migrate(transactions, SQLite(), half_broken)
    assert content(file) == (1, {"ludex_schema", "matches"})
    with transactions.reading() as connection:
        assert connection.execute(text("SELECT id FROM matches")).scalars().all() == ["match"]


def test_migrating_twice_is_migrating_once(transactions: Transactions, file: Path) -> None:
    migrate(transactions, SQLite())
    migrate(transactions, SQLite())
    assert content(file)[0] == len(MIGRATIONS)


def test_the_steps_lead_to_the_tables(database: Database, url: str) -> None:
    engine = create_engine(url)
    found = inspect(engine)
    assert set(found.get_table_names()) == set(METADATA.tables)
    for name, table in METADATA.tables.items():
        reflected = {
            column["name"]: (column["type"].python_type, column["nullable"]) for column in found.get_columns(name)
        }
        assert reflected == {column.name: (column.type.python_type, column.nullable) for column in table.columns}
        assert found.get_pk_constraint(name)["constrained_columns"] == [column.name for column in table.primary_key]
    owners = [("ranking_values", "rankings"), ("hostings", "matches"), ("seats", "hostings"), ("clocks", "hostings")]
    for owner, whole in owners:
        (key,) = found.get_foreign_keys(owner)
        assert (key["referred_table"], key["options"]) == (whole, {"ondelete": "CASCADE"})
    engine.dispose()


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_a_newer_file_is_refused_untouched(url: str, file: Path, record: Records, journal: str) -> None:
    with Database.open(url) as database:
        database.matches.create(record())
    raw = sqlite3.connect(file, isolation_level=None)
    raw.execute("UPDATE ludex_schema SET version = 99")
    raw.execute(f"PRAGMA journal_mode = {journal}")
    raw.close()
    before = file.read_bytes()
    with pytest.raises(StoreTooNew, match=rf"ludex\.db.*version 99.*up to {len(MIGRATIONS)}"):
        Database.open(url)
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == ["ludex.db"]


def test_a_file_without_its_version_is_refused(url: str, file: Path) -> None:
    Database.open(url).close()
    raw = sqlite3.connect(file, isolation_level=None)
    raw.execute("DELETE FROM ludex_schema")
    raw.close()
    with pytest.raises(StoreUnavailable, match="ludex_schema has 0 rows"):
        Database.open(url)


def test_tables_of_another_program_are_left_alone(url: str, file: Path) -> None:
    raw = sqlite3.connect(file, isolation_level=None)
    raw.execute("CREATE TABLE matches (stick TEXT)")
    raw.execute("INSERT INTO matches VALUES ('burnt')")
    with pytest.raises(StoreError, match=r"ludex\.db.*matches already exists"):
        Database.open(url)
    assert raw.execute("SELECT * FROM matches").fetchall() == [("burnt",)]
    assert raw.execute("SELECT count(*) FROM sqlite_master").fetchone() == (1,)
    raw.close()
