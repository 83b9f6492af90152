"""Backups of both databases into both, with everything in them."""

import gzip
import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, insert, select

from ludex.core.clock import Clock
from ludex.core.errors import BadBackup, StoreError, StoreInUse, StoreTooNew
from ludex.core.ranking import Entry
from ludex.store.backup import KEPT_AGENTS, check_backup
from ludex.store.database import Database
from ludex.store.hosting import EngineHelp, Hosting
from ludex.store.schema import METADATA, SCHEMA
from ludex.store.timing import Timing
from tests.store.conftest import Records

Content = dict[str, list[tuple[Any, ...]]]


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    return tmp_path / "ludex.backup"


@pytest.fixture
def filled(both: str, record: Records) -> str:
    """The URL of a database with rows in every table."""
    with Database.open(both) as database:
        fill(database, record)
    fill_the_rest(both)
    return both


def fill(database: Database, record: Records) -> None:
    live = replace(record(1), actions=(4,), seed=2**64 - 1)
    first = database.hostings.create(record(2), Hosting("ann", {0: "ann", 1: None}, practice=True))
    timing = Timing(Clock(60_000, 1_000), (59_000,))
    match_id = database.hostings.create_rematch(first, live, Hosting("ann", {0: "ann", 1: "bob"}), timing)
    database.hostings.add_help(match_id, EngineHelp(0, 1, "hint"))
    database.hostings.offer(match_id, 1, 1, database.matches.get(match_id).version)
    database.rankings("toy", "small").replace(Entry(f"{row}", row, row / 3) for row in range(1_100))
    database.nicknames.restore({"ann": "Änn 🎲"})
    database.audit.add("link", "127.0.0.1", "login", "")
    database.probe()


def fill_the_rest(url: str) -> None:
    """One row in every table that no call above has filled: those of versions to come."""
    engine = create_engine(url)
    with engine.begin() as connection:
        parent: dict[str, Any] = {"match_id": connection.execute(select(METADATA.tables["hostings"])).first()[0]}  # type: ignore[index]
        for table in METADATA.sorted_tables:
            if connection.execute(select(table).limit(1)).first() is None:
                value = {str: "x", int: 1, float: 0.5}
                row = {column.name: parent.get(column.name, value[column.type.python_type]) for column in table.columns}
                connection.execute(insert(table).values(**row))
    engine.dispose()


def content(url: str) -> Content:
    engine = create_engine(url)
    with engine.connect() as connection:
        rows = {
            name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for name, table in METADATA.tables.items()
        }
    engine.dispose()
    return rows


def lines_of(backup: Path) -> list[str]:
    return gzip.decompress(backup.read_bytes()).decode().splitlines()


def write_lines(backup: Path, lines: list[str]) -> None:
    backup.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode()))


def test_a_backup_restores_everything_elsewhere(filled: str, backup: Path, tmp_path: Path) -> None:
    before = content(filled)
    assert all(before.values())
    with Database.open(filled) as database:
        summary = database.back_up(backup, "the secret")
    assert summary == check_backup(backup)
    assert (summary.header.secret, summary.rows["matches"], summary.rows["ranking_values"]) == ("the secret", 2, 1_100)
    assert backup.stat().st_mode & 0o777 == 0o600
    elsewhere = f"sqlite:///{tmp_path}/elsewhere.db"
    with Database.open(elsewhere) as other:
        assert other.restore(backup) == summary
        assert [match.id for match in other.matches.list(5)] == [row[0] for row in reversed(_by_age(before))]
    assert content(elsewhere) == before


def _by_age(before: Content) -> list[tuple[Any, ...]]:
    return sorted(before["matches"], key=lambda row: (row[2], row[0]))


def test_a_destroyed_database_is_restored_by_force_only(filled: str, backup: Path, record: Records) -> None:
    before = content(filled)
    with Database.open(filled) as database:
        database.back_up(backup)
        database.matches.delete(*(match.id for match in database.matches.list(5)))
        database.rankings("toy", "small").reset()
        database.matches.create(record(7))
        changed = content(filled)
        with pytest.raises(StoreInUse, match="--force"):
            database.restore(backup)
        assert content(filled) == changed
        database.restore(backup, replace=True)
        assert content(filled) == before
        database.matches.create(record(8))


def test_a_backup_is_of_one_moment(filled: str, backup: Path, record: Records, monkeypatch: pytest.MonkeyPatch) -> None:
    before = content(filled)
    with Database.open(filled) as database, Database.open(filled) as writer:
        dumps = json.dumps

        def writes_between_rows(*arguments: Any, **options: Any) -> str:
            monkeypatch.undo()
            writer.hostings.create(record(3), Hosting("eve", {0: "eve"}))
            return dumps(*arguments, **options)

        monkeypatch.setattr("ludex.store.backup.json.dumps", writes_between_rows)
        summary = database.back_up(backup)
    assert len(content(filled)["matches"]) == 3
    assert summary.rows == {name: len(rows) for name, rows in before.items() if name != SCHEMA.name} | {KEPT_AGENTS: 0}


@pytest.mark.slow
def test_what_is_not_whole_changes_nothing(database: Database, url: str, backup: Path, record: Records) -> None:
    fill(database, record)
    database.back_up(backup)
    before, data, lines = content(url), backup.read_bytes(), lines_of(backup)
    damages: dict[str, Callable[[], object]] = {
        "cannot read": backup.unlink,
        "no whole backup": lambda: backup.write_bytes(data[: len(data) // 2]),
        "Not a gzipped file": lambda: backup.write_text("{}\n"),
        "cut off": lambda: write_lines(backup, lines[:-1]),
        "digest": lambda: write_lines(backup, [line.replace('"ann"', '"eve"') for line in lines]),
        "is no row": lambda: write_lines(backup, [*lines[:1], '["matches", []]', *lines[1:]]),
        "no backup of Ludex": lambda: write_lines(backup, ["{}", *lines[1:]]),
        "newer Ludex": lambda: write_lines(backup, ['{"formatVersion": 2}']),
        "no JSON": lambda: write_lines(backup, [*lines[:2], "nonsense"]),
    }
    for message, damage in damages.items():
        damage()
        with pytest.raises(BadBackup, match=message):
            database.restore(backup, replace=True)
        assert content(url) == before, message


def test_a_backup_that_fails_leaves_the_old_one(
    database: Database, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup.write_text("the old one")

    def fails(*_: object) -> None:
        raise StoreError("gone")

    monkeypatch.setattr("ludex.store.backup.check_backup", fails)
    with pytest.raises(StoreError):
        database.back_up(backup)
    assert [(path.name, path.read_text()) for path in backup.parent.glob("ludex.backup*")] == [
        ("ludex.backup", "the old one")
    ]


def test_a_backup_of_a_newer_schema_or_of_other_tables_is_refused(
    database: Database, backup: Path, record: Records
) -> None:
    match_id = database.matches.create(record(2))
    database.back_up(backup)
    header, *rows, footer = (json.loads(line) for line in lines_of(backup))
    write_sealed(backup, [{**header, "schemaVersion": 99}, *rows], footer)
    with pytest.raises(StoreTooNew, match=r"version 99.*up to 1"):
        database.restore(backup, replace=True)
    fewer = {name: columns for name, columns in header["tables"].items() if name != "audit"}
    footer["rows"].pop("audit")
    write_sealed(backup, [{**header, "tables": fewer}, *rows], footer)
    with pytest.raises(BadBackup, match="its tables are not those of schema version 1"):
        database.restore(backup, replace=True)
    assert database.matches.get(match_id).record == record(2)


def write_sealed(backup: Path, documents: list[Any], footer: dict[str, Any]) -> None:
    lines = [json.dumps(document) for document in documents]
    sealed = hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    write_lines(backup, [*lines, json.dumps({**footer, "digest": sealed})])
