"""Migration of a database to the current schema version."""

from sqlalchemy import Connection, insert, inspect, select, text, update

from ludex.core.errors import StoreTooNew, StoreUnavailable
from ludex.store.backends import Backend
from ludex.store.schema import MIGRATIONS, SCHEMA, Step
from ludex.store.transactions import Transactions


def require_known(transactions: Transactions, migrations: tuple[Step, ...] = MIGRATIONS) -> None:
    """Raise `StoreTooNew` if a newer Ludex wrote the database; nothing is changed either way."""
    with transactions.reading() as connection:
        _known_version(connection, transactions.name, len(migrations))


def migrate(transactions: Transactions, backend: Backend, migrations: tuple[Step, ...] = MIGRATIONS) -> None:
    """Migrate the database to the last version in one transaction, if needed."""
    with transactions.reading() as connection:
        if _known_version(connection, transactions.name, len(migrations)) == len(migrations):
            return
    with transactions.writing() as connection:
        backend.hold_schema(connection)
        # Another process may have done it while this one waited.
        found = _known_version(connection, transactions.name, len(migrations))
        advance(connection, found, migrations)


def advance(connection: Connection, found: int, migrations: tuple[Step, ...]) -> None:
    """Execute the steps from version `found` to the last one, and write that version."""
    if found == 0:
        connection.execute(text("CREATE TABLE ludex_schema (version INTEGER NOT NULL)"))
        connection.execute(insert(SCHEMA).values(version=0))
    for step in migrations[found:]:
        for statement in step:
            connection.execute(text(statement))
    connection.execute(update(SCHEMA).values(version=len(migrations)))


def _known_version(connection: Connection, name: str, supported: int) -> int:
    if not inspect(connection).has_table(SCHEMA.name):
        return 0
    versions = connection.execute(select(SCHEMA.c.version)).scalars().all()
    if len(versions) != 1:
        raise StoreUnavailable(f"{name}: table {SCHEMA.name} has {len(versions)} rows, expected 1; restore a copy")
    found = int(versions[0])
    if found > supported:
        raise StoreTooNew(
            f"{name} has schema version {found}, this Ludex knows versions up to {supported}; nothing was changed, "
            "upgrade Ludex or set LUDEX_DB to another database"
        )
    return found
