"""Transactions of one database; errors of SQLAlchemy and the drivers are raised as `StoreError`."""

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import URL, Connection, Engine, Executable
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolExhausted

from ludex.core.errors import StoreError, StoreFull, StoreLocked, StoreUnavailable
from ludex.store.backends import Backend


class Diagnosis(NamedTuple):
    """The class of an error and the advice for the user."""

    kind: type[StoreError]
    advice: str


LOCKED: Final = Diagnosis(StoreLocked, "another writer holds it; nothing was changed, close that one or try again")
FULL: Final = Diagnosis(StoreFull, "the disk or its own limit is full; nothing was changed, make room and try again")
WRITE_FAILED: Final = Diagnosis(
    StoreFull, "a quota or size limit is reached, or the disk fails; nothing was changed, make room and try again"
)
READ_ONLY: Final = Diagnosis(StoreUnavailable, "it cannot be written; set LUDEX_DB to one that can")
UNREACHABLE: Final = Diagnosis(
    StoreUnavailable, "check that its folder or server is there and open to you, or set LUDEX_DB to another database"
)
DAMAGED: Final = Diagnosis(
    StoreUnavailable, "it is damaged or no database at all; restore a copy, or set LUDEX_DB to another database"
)
REFUSED: Final = Diagnosis(StoreError, "the database refused this, and nothing was changed")

SQLITE: Final = {
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_PROTOCOL: LOCKED,
    sqlite3.SQLITE_FULL: FULL,
    # A quota (EDQUOT) and a file size limit (EFBIG) come as failed writes; only ENOSPC comes as SQLITE_FULL.
    sqlite3.SQLITE_IOERR_WRITE: WRITE_FAILED,
    sqlite3.SQLITE_IOERR_SHMSIZE: WRITE_FAILED,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_PERM: READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: UNREACHABLE,
    sqlite3.SQLITE_IOERR: UNREACHABLE,
    sqlite3.SQLITE_NOTADB: DAMAGED,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
}
"""By extended result code, else by primary result code."""
POSTGRESQL: Final = {
    "40001": LOCKED,
    "40P01": LOCKED,
    "55P03": LOCKED,
    "53100": FULL,
    "25006": READ_ONLY,
    "42501": READ_ONLY,
    "08": UNREACHABLE,
    "28": UNREACHABLE,
    "3D": UNREACHABLE,
    "53": UNREACHABLE,
    "57": UNREACHABLE,
    "58": UNREACHABLE,
    "XX": DAMAGED,
}
"""By SQLSTATE, else by its class, the first two letters."""


class Faults:
    """Translates the errors of one database."""

    def __init__(self, url: URL) -> None:
        # The query of a server's URL may hold a password as well.
        public_url = url if url.get_backend_name() == "sqlite" else url.set(query={})
        self.name = public_url.render_as_string(hide_password=True)
        secrets = (url.password, url.query.get("password"))
        self._secrets = [secret for secret in secrets if isinstance(secret, str) and secret]

    @contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Raise errors of the database inside the block as a `StoreError`, with the cause attached."""
        try:
            yield
        except (SQLAlchemyError, sqlite3.Error) as error:
            kind, advice = _diagnosis(error)
            raise kind(f"{self.name}: {self._message(error)}; {advice}") from error

    def _message(self, error: Exception) -> str:
        lines = str(_driver_error(error)).strip().splitlines() or [type(error).__name__]
        message = lines[0]
        for secret in self._secrets:
            message = message.replace(secret, "***")
        return message


def _driver_error(error: BaseException) -> BaseException:
    return error.orig if isinstance(error, DBAPIError) and error.orig is not None else error


def _diagnosis(error: Exception) -> Diagnosis:
    if isinstance(error, PoolExhausted):
        return LOCKED
    driver_error = _driver_error(error)
    code = getattr(driver_error, "sqlite_errorcode", None)
    if isinstance(code, int):
        return SQLITE.get(code) or SQLITE.get(code & 0xFF, REFUSED)
    state = getattr(driver_error, "sqlstate", None)
    if isinstance(state, str):
        return POSTGRESQL.get(state) or POSTGRESQL.get(state[:2], REFUSED)
    # A server that does not answer gives no code.
    never_connected = isinstance(error, DBAPIError) and error.statement is None
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    return UNREACHABLE if never_connected or lost else REFUSED


class Transactions:
    """The reading and writing transactions of one database."""

    def __init__(self, engine: Engine, backend: Backend, faults: Faults) -> None:
        self._engine = engine
        self.backend = backend
        self._faults = faults
        self._closed = False
        self._file: tuple[Path, tuple[int, int]] | None = None

    def guard(self, file: Path) -> None:
        """Refuse every transaction from now on that this file is deleted or replaced by another.

        SQLite would go on writing into the file that has no name any more, and all of it would be lost.
        """
        self._file = (file, _identity(file) or (0, 0))

    @property
    def file(self) -> Path | None:
        """The file that holds the database, if one does."""
        return None if self._file is None else self._file[0]

    @property
    def name(self) -> str:
        """The database as messages name it, without its password."""
        return self._faults.name

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that reads one consistent state."""
        self._require_open()
        with self._faults.translate_errors(), self._engine.connect() as connection:
            self.backend.begin(connection, writing=False)
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is on disk when the block ends, or rolled back if it raises."""
        self._require_open()
        with (
            self._faults.translate_errors(),
            self._engine.connect() as connection,
            self.backend.begin(connection, writing=True),
        ):
            yield connection
            self._require_same_file()

    def rows(self, query: Executable, parameters: Mapping[str, Any] | None = None) -> Sequence[Any]:
        """The rows that a query finds, in a transaction of its own."""
        with self.reading() as connection:
            return connection.execute(query, parameters).all()

    def truncate_log(self) -> None:
        """Move what was written into the database itself, and leave nothing in its log of changes."""
        self._require_open()
        with self._faults.translate_errors():
            self.backend.truncate_log(self._engine)

    def close(self) -> None:
        """Close every connection; a second call does nothing."""
        self._closed = True
        self._engine.dispose()

    def _require_open(self) -> None:
        # A disposed engine would quietly connect again.
        if self._closed:
            raise StoreUnavailable(f"{self.name} was closed; open it again")
        self._require_same_file()

    def _require_same_file(self) -> None:
        if self._file is None:
            return
        file, opened = self._file
        identity = _identity(file)
        if identity != opened:
            happened = "deleted" if identity is None else "replaced by another file"
            raise StoreUnavailable(
                f"{self.name} was {happened} while it was open; nothing was changed, put it back and start again"
            )


class Part:
    """What reads and writes one part of a database."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions


def _identity(file: Path) -> tuple[int, int] | None:
    """Device and inode of a file; None if there is none."""
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_dev, status.st_ino
