"""Restoring a backup, also one of an older schema version."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, column, func, insert, inspect, select, table, text

from ludex.core.errors import BadBackup, StoreInUse, StoreTooNew
from ludex.core.kept_agents import KeptAgent
from ludex.store.backends import Backend
from ludex.store.backup import BackupSummary, Header, OpenBackup, Value, open_backup
from ludex.store.kept_agents import COLUMNS, KEPT_AGENTS, check_row
from ludex.store.migration import MIGRATIONS, Step, advance
from ludex.store.schema import METADATA, PROBES, SCHEMA
from ludex.store.transactions import Transactions

_BATCH: Final = 1000


def restore_backup(
    transactions: Transactions,
    backend: Backend,
    path: Path,
    replace: bool,
    migrations: tuple[Step, ...] = MIGRATIONS,
) -> BackupSummary:
    """Put a backup in place of everything in the database, in one transaction, and return what it holds."""
    with open_backup(path) as backup:
        version = backup.header.schemaVersion
        if version > len(migrations):
            raise StoreTooNew(
                f"{path} has schema version {version} of Ludex {backup.header.ludex}, this Ludex knows versions up to "
                f"{len(migrations)}; nothing was changed, upgrade Ludex"
            )
        with transactions.writing() as connection:
            backend.hold_schema(connection)
            if not replace:
                _require_empty(connection, transactions.name)
            _drop_tables(connection)
            advance(connection, 0, migrations[:version])
            _require_tables(connection, backup.header, path)
            counts = _insert_rows(connection, backup)
            _require_counts(connection, counts, transactions.name)
            advance(connection, version, migrations)
    return BackupSummary(backup.header, {name: counts[name] for name in backup.header.tables})


def backed_up_agents(path: Path) -> Iterator[tuple[KeptAgent, bytes]]:
    """The kept agents of a backup with their files, one at a time. Raises `BadBackup`."""
    with open_backup(path) as backup:
        for name, values in backup.rows():
            if name == KEPT_AGENTS:
                yield check_row(values, path)


def _insert_rows(connection: Connection, backup: OpenBackup) -> Counter[str]:
    """Insert every row and count them by table, kept agents included. Raises `BadBackup`."""
    counts: Counter[str] = Counter()
    pending: list[dict[str, Value]] = []
    pending_table = ""

    def flush() -> None:
        if pending:
            into = table(pending_table, *(column(name) for name in pending[0]))
            connection.execute(insert(into), pending)
            pending.clear()

    for name, values in backup.rows():
        counts[name] += 1
        if name == KEPT_AGENTS:
            continue
        if name != pending_table or len(pending) == _BATCH:
            flush()
            pending_table = name
        pending.append(dict(zip(backup.header.tables[name], values, strict=True)))
    flush()
    return counts


def _require_empty(connection: Connection, name: str) -> None:
    for kind in METADATA.sorted_tables:
        if kind not in (SCHEMA, PROBES) and connection.execute(select(kind).limit(1)).first() is not None:
            raise StoreInUse(f"{name} holds {kind.name}; nothing was changed, --force replaces everything in it")


def _drop_tables(connection: Connection) -> None:
    existing = inspect(connection).get_table_names()
    for kind in reversed(METADATA.sorted_tables):
        if kind.name in existing:
            connection.execute(text(f"DROP TABLE {kind.name}"))


def _require_tables(connection: Connection, header: Header, path: Path) -> None:
    """Raise `BadBackup` unless the backup has the tables and columns that the database has now."""
    # A new inspector: one keeps what it has seen.
    inspector = inspect(connection)
    names = [name for name in inspector.get_table_names() if name in METADATA.tables and name != SCHEMA.name]
    expected = {name: {part["name"] for part in inspector.get_columns(name)} for name in names}
    if {name: {*columns} for name, columns in header.tables.items()} != {**expected, KEPT_AGENTS: {*COLUMNS}}:
        raise BadBackup(
            f"{path}: its tables are not those of schema version {header.schemaVersion}; nothing was changed"
        )


def _require_counts(connection: Connection, counts: Counter[str], name: str) -> None:
    """Raise `BadBackup` unless the tables hold as many rows as the backup has."""
    for restored, expected in counts.items():
        if restored != KEPT_AGENTS:
            count = connection.execute(select(func.count()).select_from(table(restored))).scalar_one()
            if count != expected:
                raise BadBackup(f"{name}: {restored} has {count} rows, the backup {expected}")
