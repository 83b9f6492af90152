"""Differences between databases: the only module with SQL that is specific to one of them."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, QueuePool, RootTransaction, create_engine, event, func, select, text

from ludex.core.errors import StoreUnavailable
from ludex.core.log import logger

log = logger("store")

SCHEMA_LOCK: Final = 0x1DDE_0001
"""The name of PostgreSQL's advisory lock around a migration."""


class Backend:
    """A database without special handling."""

    def engine(self, url: URL, busy_seconds: float) -> Engine:
        return create_engine(url, pool_pre_ping=True, pool_timeout=busy_seconds)

    def begin(self, connection: Connection, *, writing: bool) -> RootTransaction:
        """Begin the transaction of a connection that has none."""
        return connection.begin()

    def settle(self, engine: Engine, busy_seconds: float) -> None:
        """Configure the database once, after its schema version was checked."""

    def hold_schema(self, connection: Connection) -> None:
        """Block every other migration until this transaction ends."""

    def hold_snapshot(self, connection: Connection) -> None:
        """Read one state of the database in the whole transaction that begins here, whatever others write."""

    def truncate_log(self, engine: Engine) -> None:
        """Leave nothing of what was deleted in the log of changes."""

    def size_bytes(self, connection: Connection) -> int:
        """How much the database fills of the disk."""
        return 0

    def file(self, engine: Engine) -> Path | None:
        """The file that holds the database, if one does."""
        return None

    def missing_file(self, url: URL) -> Path | None:
        """The file that a URL names, if there is none yet."""
        return None


class SQLite(Backend):
    """A file, or memory."""

    def engine(self, url: URL, busy_seconds: float) -> Engine:
        engine = create_engine(url, pool_timeout=busy_seconds, **_one_connection(url))

        @event.listens_for(engine, "connect")
        def configure(connection: sqlite3.Connection, _record: object) -> None:
            _make_private(url)
            # Python 3.11's driver would begin transactions on its own, late and never IMMEDIATE.
            connection.isolation_level = None
            connection.execute(f"PRAGMA busy_timeout = {round(busy_seconds * 1000)}")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = FULL")
            # What is deleted is overwritten.
            connection.execute("PRAGMA secure_delete = ON")

        return engine

    def begin(self, connection: Connection, *, writing: bool) -> RootTransaction:
        # Here and not in a listener for all transactions, which would cost each one more than SQLite does.
        transaction, driver = super().begin(connection, writing=writing), connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        # A reader that turns into a writer fails if another wrote meanwhile; one that begins as a writer waits.
        driver.execute("BEGIN IMMEDIATE" if writing else "BEGIN")
        return transaction

    def settle(self, engine: Engine, busy_seconds: float) -> None:
        """Switch to the write-ahead log, which the file remembers."""
        with closing(engine.raw_connection()) as connection:
            mode = _write_ahead(connection.cursor(), time.monotonic() + busy_seconds)
        if mode not in {"wal", "memory"}:
            name = engine.url.render_as_string()
            raise StoreUnavailable(
                f"{name}: no write-ahead log can be kept there, its journal stays {mode!r}; "
                "set LUDEX_DB to a database on a local disk that can be written"
            )

    def truncate_log(self, engine: Engine) -> None:
        with closing(engine.raw_connection()) as connection:
            busy = connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        if busy:
            log.warning("the log of the database could not be emptied: it is being read", file=engine.url.database)

    def size_bytes(self, connection: Connection) -> int:
        pages, free, size = (
            int(connection.execute(text(f"PRAGMA {name}")).scalar_one())
            for name in ("page_count", "freelist_count", "page_size")
        )
        return (pages - free) * size

    def file(self, engine: Engine) -> Path | None:
        with closing(engine.raw_connection()) as connection:
            name = connection.cursor().execute("PRAGMA database_list").fetchone()[2]
        return Path(name) if name else None

    def missing_file(self, url: URL) -> Path | None:
        file = _named_file(url)
        return None if file is None or file.exists() else file


class PostgreSQL(Backend):
    """A server."""

    def engine(self, url: URL, busy_seconds: float) -> Engine:
        engine = super().engine(url, busy_seconds)

        @event.listens_for(engine, "connect")
        def configure(connection: Any, _record: object) -> None:
            with closing(connection.cursor()) as cursor:
                cursor.execute(f"SET lock_timeout = {round(busy_seconds * 1000)}")
            connection.commit()

        return engine

    def hold_schema(self, connection: Connection) -> None:
        connection.execute(select(func.pg_advisory_xact_lock(SCHEMA_LOCK)))

    def size_bytes(self, connection: Connection) -> int:
        return int(connection.execute(select(func.pg_database_size(func.current_database()))).scalar_one())

    def hold_snapshot(self, connection: Connection) -> None:
        # SQLite's transactions do so by themselves; here every statement would read what was committed before it.
        connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"))


BACKENDS: Final = {"sqlite": SQLite(), "postgresql": PostgreSQL()}


def backend_of(url: URL) -> Backend:
    """The backend of a URL."""
    return BACKENDS.get(url.get_backend_name()) or Backend()


def _write_ahead(cursor: Any, deadline: float) -> str:
    # SQLite waits for readers of the file, but refuses the switch at once while another connection is about to write.
    while True:
        try:
            return str(cursor.execute("PRAGMA journal_mode = WAL").fetchone()[0])
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() >= deadline:
                raise
            time.sleep(0.005)


def _make_private(url: URL) -> None:
    """Keep a file that was just created for its owner alone; SQLite gives its log the same permissions."""
    file = _named_file(url)
    if file is not None and file.is_file() and not file.stat().st_size:
        file.chmod(0o600)


def _named_file(url: URL) -> Path | None:
    """The path of a URL; None for a database in memory and for a URI of SQLite's own."""
    name = url.database
    return None if not name or name == ":memory:" or name.startswith("file:") else Path(name)


def _one_connection(url: URL) -> dict[str, Any]:
    """A memory database belongs to one connection, which threads share in turn."""
    if url.database not in {None, "", ":memory:"} and url.query.get("mode") != "memory":
        return {}
    return {"poolclass": QueuePool, "pool_size": 1, "max_overflow": 0, "connect_args": {"check_same_thread": False}}
