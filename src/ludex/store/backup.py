"""Backups: a whole database in one file, from which any database of Ludex can be restored, SQLite or PostgreSQL.

The file is gzip of JSON Lines: a header, one line `[table, [value, ...]]` per row, and a footer with the number of rows
per table and the SHA-256 of every line before it. Agents that were kept are rows too, of a table that no database has.
"""

import base64
import binascii
import gzip
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy import Connection, column, func, insert, inspect, select, text
from sqlalchemy import table as named_table

from ludex import __version__
from ludex.core.documents import parse_json, strict_json, whole_file
from ludex.core.errors import BadBackup, BadNet, DataError, StoreInUse, StoreTooNew
from ludex.core.kept_agents import KeptAgent, kept_agents, put, remove
from ludex.core.options import complaint, validate
from ludex.store.backends import Backend
from ludex.store.rows import BATCH, TABLES, read_rows
from ludex.store.schema import METADATA, MIGRATIONS, PROBES, SCHEMA, Step, advance
from ludex.store.timing import utc_now
from ludex.store.transactions import Transactions

KEPT_AGENTS: Final = "kept_agents"
COLUMNS: Final = ("card", "file")


Value: TypeAlias = str | int | float | None
Row: TypeAlias = tuple[str, list[Value]]
"""A table and the values of its columns."""
LONGEST_LINE: Final = 64 << 20
"""Bytes of one row; a match of the largest board is less than one megabyte."""
FORMAT_VERSION: Final = 1


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Header(_Line):
    """The first line of a backup."""

    format: Literal["ludex-backup"]
    formatVersion: Literal[1]  # noqa: N815 - the key of all our documents
    ludex: str
    createdUtc: str  # noqa: N815 - the key of all our documents
    schemaVersion: Annotated[int, Field(ge=1)]  # noqa: N815 - the key of all our documents
    secret: str | None
    """What signs the cookies of people, where the data folder keeps it: without it no visitor is recognised."""
    tables: dict[str, list[str]]
    """The columns of each table, in an order in which rows can be inserted."""


class _Footer(_Line):
    rows: dict[str, int]
    digest: str


@dataclass(frozen=True, slots=True)
class BackupSummary:
    """What a backup holds."""

    header: Header
    rows: dict[str, int]
    """The number of rows of each table."""


def write_backup(
    transactions: Transactions, backend: Backend, path: Path, secret: str | None, agents: Iterable[tuple[str, str]]
) -> BackupSummary:
    """Write every table as it is at one moment and the kept agents; read the file again before it takes its name."""
    header = Header(
        format="ludex-backup",
        formatVersion=FORMAT_VERSION,
        ludex=__version__,
        createdUtc=utc_now(),
        schemaVersion=len(MIGRATIONS),
        secret=secret,
        tables={**{table.name: [column.name for column in table.columns] for table in TABLES}, KEPT_AGENTS: [*COLUMNS]},
    )
    counts, hashed = dict.fromkeys(header.tables, 0), hashlib.sha256()

    def write(packed: gzip.GzipFile, line: str) -> None:
        data = line.encode() + b"\n"
        hashed.update(data)
        packed.write(data)

    with whole_file(path, private=True) as file:
        with gzip.GzipFile(fileobj=file, mode="wb") as packed, transactions.reading() as connection:
            backend.hold_snapshot(connection)
            write(packed, header.model_dump_json())
            for table in TABLES:
                for row in read_rows(connection, table):
                    write(packed, json.dumps([table.name, [*row.values()]], allow_nan=False))
                    counts[table.name] += 1
            for agent in agents:
                write(packed, json.dumps([KEPT_AGENTS, [*agent]]))
                counts[KEPT_AGENTS] += 1
            footer = _Footer(rows=counts, digest=hashed.hexdigest())
            packed.write(footer.model_dump_json().encode() + b"\n")
        file.flush()
        return check_backup(Path(file.name), path)


def check_backup(path: Path, name: Path | None = None) -> BackupSummary:
    """Read a backup to its end; errors call it `name`. Raises `BadBackup`."""
    with open_backup(path, name) as backup:
        counts: Counter[str] = Counter()
        for table, values in backup.rows():
            counts[table] += 1
            if table == KEPT_AGENTS:
                check_agent(values, name or path)
        return BackupSummary(backup.header, {table: counts[table] for table in backup.header.tables})


class OpenBackup:
    """A backup that is being read."""

    def __init__(self, name: Path, lines: gzip.GzipFile) -> None:
        self._name = name
        self._lines = lines
        self._hashed = hashlib.sha256()
        first = self._parse_line(self._next(), 1)
        version = first.get("formatVersion") if isinstance(first, dict) else None
        if isinstance(version, int) and version > FORMAT_VERSION:
            raise self._error(f"format version {version} is of a newer Ludex; this one knows {FORMAT_VERSION}")
        try:
            self.header = Header.model_validate(first)
        except ValidationError as error:
            raise self._error(f"no backup of Ludex: {complaint(error, Header)}") from error

    def rows(self) -> Iterator[Row]:
        """Every row; raises `BadBackup` at the end if the file is not as it was written."""
        widths = {table: len(columns) for table, columns in self.header.tables.items()}
        counts, number = dict.fromkeys(widths, 0), 1
        while True:
            number += 1
            before = self._hashed.hexdigest()
            line = self._parse_line(self._next(), number)
            if isinstance(line, dict):
                break
            table, values = _row(line)
            if widths.get(table) != len(values):
                raise self._error(f"line {number} is no row of its table")
            counts[table] += 1
            yield table, values
        try:
            footer = _Footer.model_validate(line)
        except ValidationError as error:
            raise self._error(f"line {number}: {complaint(error, _Footer)}") from error
        if footer.digest != before or footer.rows != counts or self._read(1):
            raise self._error("the digest does not fit the content: the file was changed after it was written")

    def _next(self) -> bytes:
        line = self._read(LONGEST_LINE)
        if not line.endswith(b"\n"):
            raise self._error("it is cut off")
        self._hashed.update(line)
        return line

    def _read(self, size: int) -> bytes:
        try:
            return self._lines.readline(size)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise self._error(f"no whole backup of Ludex ({error})") from error
        except OSError as error:
            raise self._error(f"cannot be read: {error.strerror}") from error

    def _parse_line(self, line: bytes, number: int) -> Any:
        try:
            return strict_json(line)
        except (ValueError, RecursionError) as error:
            raise self._error(f"line {number} is no JSON: {error}") from error

    def _error(self, reason: str) -> BadBackup:
        return BadBackup(f"{self._name}: {reason}; nothing was changed")


@contextmanager
def open_backup(path: Path, name: Path | None = None) -> Iterator[OpenBackup]:
    """A backup for reading; errors call it `name`. Raises `BadBackup`."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise BadBackup(f"cannot read {name or path}: {error.strerror}") from error
    with file, gzip.GzipFile(fileobj=file) as lines:
        yield OpenBackup(name or path, lines)


def _row(line: Any) -> Row:
    match line:
        case [str(table), list(values)] if all(isinstance(value, str | int | float | None) for value in values):
            return table, values
    return "", []


def restore_backup(
    transactions: Transactions, backend: Backend, path: Path, replace: bool, migrations: tuple[Step, ...] = MIGRATIONS
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
                yield check_agent(values, path)


def _insert_rows(connection: Connection, backup: OpenBackup) -> Counter[str]:
    """Insert every row and count them by table, kept agents included. Raises `BadBackup`."""
    counts: Counter[str] = Counter()
    pending: list[dict[str, Value]] = []
    pending_table = ""

    def flush() -> None:
        if pending:
            into = named_table(pending_table, *(column(name) for name in pending[0]))
            connection.execute(insert(into), pending)
            pending.clear()

    for name, values in backup.rows():
        counts[name] += 1
        if name == KEPT_AGENTS:
            continue
        if name != pending_table or len(pending) == BATCH:
            flush()
            pending_table = name
        pending.append(dict(zip(backup.header.tables[name], values, strict=True)))
    flush()
    return counts


def _require_empty(connection: Connection, name: str) -> None:
    for kind in TABLES:
        if kind is not PROBES and connection.execute(select(kind).limit(1)).first() is not None:
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
            count = connection.execute(select(func.count()).select_from(named_table(restored))).scalar_one()
            if count != expected:
                raise BadBackup(f"{name}: {restored} has {count} rows, the backup {expected}")


def agent_rows(left_out: Callable[[BadNet], None]) -> Iterator[tuple[str, str]]:
    """Each agent's card as JSON and its file in base64; damaged ones are reported instead, and hide no other."""
    agents, broken = kept_agents()
    for error in broken:
        left_out(error)
    for agent in agents:
        try:
            data = agent.path.read_bytes()
            _require_digest(agent, data, agent.reference, BadNet)
        except OSError as error:
            left_out(BadNet(f"{agent.reference}: cannot read {agent.path.name}: {error.strerror}"))
        except BadNet as error:
            left_out(error)
        else:
            yield agent.model_dump_json(), base64.b64encode(data).decode()


def check_agent(values: Sequence[object], source: Path) -> tuple[KeptAgent, bytes]:
    """The agent and the file of a row. Raises `BadBackup`, also if they do not belong together."""
    match values:
        case [str(card), str(file)]:
            where = f"{source}: a kept agent"
            agent = validate(KeptAgent, parse_json(card, where, BadBackup), where, BadBackup)
            try:
                data = base64.b64decode(file, validate=True)
            except binascii.Error as error:
                raise BadBackup(f"{where}: {agent.name}: {error}; nothing was changed") from error
            _require_digest(agent, data, f"{where}: {agent.name}", BadBackup)
            return agent, data
    raise BadBackup(f"{source}: a kept agent is no card and file; nothing was changed")


def put_back_agents(agents: Iterable[tuple[KeptAgent, bytes]]) -> None:
    """Keep exactly these agents, under the names of their cards."""
    for agent in kept_agents()[0]:
        remove(agent.name)
    for kept, data in agents:
        put(kept, data)


def _require_digest(kept: KeptAgent, data: bytes, source: str, fault: type[DataError]) -> None:
    if hashlib.sha256(data).hexdigest() != kept.sha256:
        raise fault(f"{source}: its file is not the one that its card describes")
