"""Versions of the schema: the statements that make the tables, and those that migrate an older database."""

from typing import Final, TypeAlias

from sqlalchemy import Connection, insert, inspect, make_url, select, text, update
from sqlalchemy.schema import CreateIndex, CreateTable, ExecutableDDLElement

from ludex.core.errors import StoreTooNew, StoreUnavailable
from ludex.store.backends import Backend
from ludex.store.schema import METADATA, SCHEMA
from ludex.store.transactions import Transactions

Step: TypeAlias = tuple[str, ...]
"""Statements, for every database, that migrate one version to the next."""


def _creation() -> Step:
    """The statements that make every table but `ludex_schema`, with its indexes."""
    # SQLite accepts all types of PostgreSQL, but not the reverse.
    dialect = make_url("postgresql://").get_dialect()()
    statements: list[str] = []
    for table in METADATA.sorted_tables:
        if table is not SCHEMA:
            parts: list[ExecutableDDLElement] = [CreateTable(table)]
            parts += [CreateIndex(index) for index in sorted(table.indexes, key=lambda index: str(index.name))]
            statements += [str(part.compile(dialect=dialect)).strip() for part in parts]
    return tuple(statements)


MIGRATIONS: Final[tuple[Step, ...]] = (_creation(),)
"""Step i migrates version i to i + 1; version 0 has no tables. From the first release on, a step never changes: the
first change of a table writes the statements of version 1 out here as they were, and adds a step."""


def require_known(transactions: Transactions, migrations: tuple[Step, ...] = MIGRATIONS) -> None:
    """Raise `StoreTooNew` if a newer Ludex wrote the database; nothing is changed either way."""
    with transactions.reading() as connection:
        _read_version(connection, transactions.name, len(migrations))


def migrate(transactions: Transactions, backend: Backend, migrations: tuple[Step, ...] = MIGRATIONS) -> None:
    """Migrate the database to the last version in one transaction, if needed."""
    with transactions.reading() as connection:
        if _read_version(connection, transactions.name, len(migrations)) == len(migrations):
            return
    with transactions.writing() as connection:
        backend.hold_schema(connection)
        # Another process may have done it while this one waited.
        advance(connection, _read_version(connection, transactions.name, len(migrations)), migrations)


def advance(connection: Connection, version: int, migrations: tuple[Step, ...]) -> None:
    """Execute the steps from a version to the last one, and write that version."""
    if version == 0:
        connection.execute(text("CREATE TABLE ludex_schema (version INTEGER NOT NULL)"))
        connection.execute(insert(SCHEMA).values(version=0))
    for step in migrations[version:]:
        for statement in step:
            connection.execute(text(statement))
    connection.execute(update(SCHEMA).values(version=len(migrations)))


def _read_version(connection: Connection, name: str, supported: int) -> int:
    if not inspect(connection).has_table(SCHEMA.name):
        return 0
    versions = connection.execute(select(SCHEMA.c.version)).scalars().all()
    if len(versions) != 1:
        raise StoreUnavailable(f"{name}: table {SCHEMA.name} has {len(versions)} rows, expected 1; restore a copy")
    version = int(versions[0])
    if version > supported:
        raise StoreTooNew(
            f"{name} has schema version {version}, this Ludex knows versions up to {supported}; nothing was changed, "
            "upgrade Ludex or set LUDEX_DB to another database"
        )
    return version
