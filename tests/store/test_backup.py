"""Backups of both databases into both, with everything in them, and back to older schema versions."""

import gzip
import hashlib
import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, insert, select

from ludex.core.clock import Clock
from ludex.core.errors import BadBackup, BadOption, StoreError, StoreInUse, StoreTooNew
from ludex.core.ranking import Entry
from ludex.core.record import Record
from ludex.store.backup import check_backup
from ludex.store.database import Database
from ludex.store.hosting import EngineHelp, Hosting
from ludex.store.kept_agents import KEPT_AGENTS
from ludex.store.restoring import OLDEST_TARGET
from ludex.store.schema import METADATA, MIGRATIONS, SCHEMA
from ludex.store.timing import Timing
from tests.postgres import Cluster

Records = Callable[..., Record]
Content = dict[str, list[tuple[Any, ...]]]


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    return tmp_path / "ludex.backup"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def filled(request: pytest.FixtureRequest, tmp_path: Path, record: Records) -> str:
    """The URL of a database with rows in every table."""
    if request.param == "sqlite":
        found = f"sqlite:///{tmp_path}/filled.db"
    else:
        cluster: Cluster = request.getfixturevalue("postgres")
        found = cluster.new_database()
    with Database.open(found) as database:
        fill(database, record)
    fill_the_rest(found)
    return found


def fill(database: Database, record: Records) -> None:
    live = replace(record(1), actions=(4,), seed=2**64 - 1)
    first = database.hostings.create(record(2), Hosting("ann", {0: "ann", 1: None}, practice=True))
    timing = Timing(Clock(60_000, 1_000), (59_000,))
    match_id = database.hostings.create_rematch(first, live, Hosting("ann", {0: "ann", 1: "bob"}), timing)
    database.hostings.add_help(match_id, EngineHelp(0, 1, "hint"))
    database.hostings.offer_draw(match_id, 1, 1, database.matches.get(match_id).version)
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
                row = {one.name: parent.get(one.name, value[one.type.python_type]) for one in table.columns}
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


def test_a_backup_restores_everything_elsewhere(filled: str, backup: Path, url: str) -> None:
    before = content(filled)
    assert all(before.values())
    with Database.open(filled) as database:
        summary = database.back_up(backup, "the secret")
    assert summary == check_backup(backup)
    assert (summary.header.secret, summary.rows["matches"], summary.rows["ranking_values"]) == ("the secret", 2, 1_100)
    assert backup.stat().st_mode & 0o777 == 0o600
    with Database.open(url) as other:
        done = other.restore(backup)
        assert (done.summary, done.schema, done.dropped) == (summary, len(MIGRATIONS), {})
        assert [match.id for match in other.matches.list(5)] == [row[0] for row in reversed(_by_age(before))]
    assert content(url) == before


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
        "newer Ludex": lambda: write_lines(backup, ['{"formatVersion": 3}']),
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


@pytest.mark.slow
@pytest.mark.parametrize("version", range(OLDEST_TARGET, len(MIGRATIONS)))
def test_a_database_goes_back_a_version_and_forward_again(
    database: Database, url: str, file: Path, backup: Path, tmp_path: Path, version: int, record: Records
) -> None:
    kept = record(2)
    match_id = database.hostings.create(kept, Hosting("ann", {0: "ann", 1: "bob"}, movetime_ms=250))
    database.back_up(backup)
    done = database.restore(backup, replace=True, schema=version)
    assert (done.schema, done.dropped) == (version, {})
    raw = sqlite3.connect(file)
    assert raw.execute("SELECT version FROM ludex_schema").fetchall() == [(version,)]
    raw.close()
    database.close()
    with Database.open(url) as forward:
        found = forward.hostings.get(match_id)
        assert (found.stored.record, found.hosting) == (kept, Hosting("ann", {0: "ann", 1: "bob"}, movetime_ms=250))
    assert content(url)[SCHEMA.name] == [(len(MIGRATIONS),)]


def test_what_an_older_version_cannot_hold_is_named_and_dropped_on_request_only(
    database: Database, url: str, backup: Path, record: Records
) -> None:
    fill(database, record)
    database.back_up(backup)
    before = content(url)
    with pytest.raises(BadOption, match=r"version 6 cannot hold .*hostings\.rematch \(1 rows\).*engine_help"):
        database.restore(backup, replace=True, schema=6)
    assert content(url) == before
    done = database.restore(backup, replace=True, schema=6, drop=True)
    assert done.dropped["people"] == done.dropped["hostings.draw_ply"] == 1
    database.close()
    with Database.open(url) as forward:
        assert len(forward.matches.list(5)) == 2
    for version in (OLDEST_TARGET - 1, len(MIGRATIONS) + 1):
        with pytest.raises(BadOption, match=f"version {version}"):
            database.restore(backup, schema=version)


def test_a_backup_of_an_older_version_is_led_forward_and_of_a_newer_one_refused(
    database: Database, url: str, backup: Path, record: Records
) -> None:
    old = Path(backup.parent / "old.db")
    with Database.open(f"sqlite:///{old}") as older:
        match_id = older.hostings.create(record(2), Hosting("ann", {0: "ann", 1: None}))
        older.back_up(backup)
    header, *rows, footer = (json.loads(line) for line in lines_of(backup))
    # The tables of version 6, as a Ludex of then wrote them.
    lost = {"rematch", "paused", "pace_ms", "draw_player", "draw_ply", "draw_version"}
    columns = header["tables"]["hostings"]
    tables = {name for name in header["tables"] if name in SIXTH}
    header["schemaVersion"] = 6
    header["tables"] = {name: value for name, value in header["tables"].items() if name in tables}
    header["tables"]["hostings"] = [name for name in columns if name not in lost]
    for table, values in rows:
        if table == "hostings":
            values[:] = [value for name, value in zip(columns, values, strict=True) if name not in lost]
    footer["rows"] = {name: count for name, count in footer["rows"].items() if name in tables}
    write_sealed(backup, [header, *rows], footer)
    done = database.restore(backup)
    assert (done.schema, database.hostings.get(match_id).hosting) == (
        len(MIGRATIONS),
        Hosting("ann", {0: "ann", 1: None}),
    )
    write_sealed(backup, [{**header, "schemaVersion": len(MIGRATIONS)}, *rows], footer)
    with pytest.raises(BadBackup, match="its tables are not those"):
        database.restore(backup, replace=True)
    write_sealed(backup, [{**header, "schemaVersion": 99}, *rows], footer)
    with pytest.raises(StoreTooNew, match=rf"version 99.*up to {len(MIGRATIONS)}"):
        database.restore(backup, replace=True)
    assert database.matches.get(match_id).record == record(2)


SIXTH = {"matches", "rankings", "ranking_values", "hostings", "seats", "clocks", "audit", "probes"}


def write_sealed(backup: Path, documents: list[Any], footer: dict[str, Any]) -> None:
    lines = [json.dumps(document) for document in documents]
    sealed = hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    write_lines(backup, [*lines, json.dumps({**footer, "digest": sealed})])
