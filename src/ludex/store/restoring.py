"""Restoring a backup, also one of an older schema version, or for an older Ludex: a downgrade."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from sqlalchemy import Connection, column, func, insert, inspect, select, table, text

from ludex.core.errors import BadBackup, BadOption, StoreInUse, StoreTooNew
from ludex.core.kept_agents import KeptAgent
from ludex.store.backends import Backend
from ludex.store.backup import BackupSummary, Header, OpenBackup, Value, opened_backup
from ludex.store.kept_agents import KEPT_AGENTS, checked
from ludex.store.migration import advance
from ludex.store.schema import METADATA, MIGRATIONS, PROBES, SCHEMA
from ludex.store.transactions import Transactions

OLDEST_TARGET: Final = 5
"""The oldest schema version that a backup is restored to: those before cannot hold how dice follow from a seed."""
_BATCH: Final = 1000

Layout: TypeAlias = dict[str, dict[str, str | None]]
"""The columns of each table with their defaults, as SQL."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored."""

    summary: BackupSummary
    """What the backup holds."""
    schema: int
    """The version of the database's tables now."""
    dropped: dict[str, int]
    """Tables, and columns as `table.column`, that this version does not have, with the number of rows that had any."""


def restore_backup(
    transactions: Transactions, backend: Backend, path: Path, replace: bool, schema: int | None, drop: bool
) -> Restored:
    """Put a backup in place of everything in the database, in one transaction."""
    target = len(MIGRATIONS) if schema is None else schema
    if not OLDEST_TARGET <= target <= len(MIGRATIONS):
        raise BadOption(f"schema version {target}: this Ludex can write {OLDEST_TARGET} to {len(MIGRATIONS)}")
    with opened_backup(path) as backup:
        _require_known(backup.header, path)
        with transactions.writing() as connection:
            backend.hold_schema(connection)
            if not replace:
                _require_empty(connection, transactions.name)
            newest = _layout(connection)
            _drop_tables(connection)
            base = min(backup.header.schemaVersion, target)
            advance(connection, 0, MIGRATIONS[:base])
            layout = _layout(connection)
            if base == backup.header.schemaVersion:
                _require_layout(backup.header, layout, path)
            filling = _Filling(connection, backup, layout, newest)
            filling.fill()
            if filling.dropped and not drop:
                lost = ", ".join(f"{name} ({count} rows)" for name, count in filling.dropped.items())
                raise BadOption(
                    f"schema version {target} cannot hold {lost}; nothing was changed, --drop leaves it out"
                )
            filling.check(transactions.name)
            advance(connection, base, MIGRATIONS[:target])
    rows = {name: filling.counts[name] for name in backup.header.tables}
    return Restored(BackupSummary(backup.header, rows), target, dict(filling.dropped))


class _Filling:
    """The rows of a backup on their way into tables that may lack some of its columns."""

    def __init__(self, connection: Connection, backup: OpenBackup, layout: Layout, newest: Layout) -> None:
        self._connection = connection
        self._backup = backup
        self._layout = layout
        self._newest = newest
        self._pending: list[dict[str, Value]] = []
        self._pending_of = ""
        self.counts: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()

    def fill(self) -> None:
        """Insert every row. Raises `BadBackup`."""
        for name, values in self._backup.rows():
            self.counts[name] += 1
            if name == KEPT_AGENTS:
                continue
            if name != self._pending_of or len(self._pending) == _BATCH:
                self._flush()
                self._pending_of = name
            columns = self._layout.get(name)
            if columns is None:
                # The row of the check of readiness is written again by the next one.
                if name != PROBES.name:
                    self.dropped[name] += 1
                continue
            row = dict(zip(self._backup.header.tables[name], values, strict=True))
            for lost in [one for one in row if one not in columns]:
                if not _is_default(row.pop(lost), self._newest[name][lost]):
                    self.dropped[f"{name}.{lost}"] += 1
            self._pending.append(row)
        self._flush()

    def check(self, name: str) -> None:
        """Raise `BadBackup` unless the tables hold as many rows as the backup has."""
        for found in self._layout:
            count = self._connection.execute(select(func.count()).select_from(table(found))).scalar_one()
            if count != self.counts[found]:
                raise BadBackup(f"{name}: {found} has {count} rows, the backup {self.counts[found]}")

    def _flush(self) -> None:
        if self._pending:
            into = table(self._pending_of, *(column(name) for name in self._pending[0]))
            self._connection.execute(insert(into), self._pending)
            self._pending = []


def _is_default(value: Value, default: str | None) -> bool:
    """Whether a migration fills a column with this value for rows of before: then nothing is lost without the column.

    >>> _is_default(0, "0"), _is_default("chess", "'chess'::text"), _is_default(3, None)
    (True, True, False)
    """
    return value is None if default is None else str(value) == default.partition("::")[0].strip("'")


def _require_known(header: Header, path: Path) -> None:
    if header.schemaVersion > len(MIGRATIONS):
        raise StoreTooNew(
            f"{path} has schema version {header.schemaVersion} of Ludex {header.ludex}, this Ludex knows versions up "
            f"to {len(MIGRATIONS)}; nothing was changed, upgrade Ludex"
        )


def _require_empty(connection: Connection, name: str) -> None:
    for one in METADATA.sorted_tables:
        if one not in (SCHEMA, PROBES) and connection.execute(select(one).limit(1)).first() is not None:
            raise StoreInUse(f"{name} holds {one.name}; nothing was changed, --force replaces everything in it")


def _drop_tables(connection: Connection) -> None:
    found = inspect(connection).get_table_names()
    for one in reversed(METADATA.sorted_tables):
        if one.name in found:
            connection.execute(text(f"DROP TABLE {one.name}"))


def _layout(connection: Connection) -> Layout:
    # A new inspector: one keeps what it has seen.
    found = inspect(connection)
    names = [name for name in METADATA.tables if name != SCHEMA.name and found.has_table(name)]
    return {name: {one["name"]: one.get("default") for one in found.get_columns(name)} for name in names}


def _require_layout(header: Header, layout: Layout, path: Path) -> None:
    found = {name: set(columns) for name, columns in header.tables.items() if name != KEPT_AGENTS}
    if found != {name: set(columns) for name, columns in layout.items()}:
        raise BadBackup(
            f"{path}: its tables are not those of schema version {header.schemaVersion}; nothing was changed"
        )


def backed_up_agents(path: Path) -> Iterator[tuple[KeptAgent, bytes]]:
    """The kept agents of a backup with their files, one at a time. Raises `BadBackup`."""
    with opened_backup(path) as backup:
        for name, values in backup.rows():
            if name == KEPT_AGENTS:
                yield checked(values, path)
