"""Transactions of one database; its errors are raised as `StoreError`."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine

from ludex.core.errors import StoreUnavailable
from ludex.store.backends import Backend
from ludex.store.faults import Faults


class Transactions:
    """The reading and writing transactions of one database."""

    def __init__(self, engine: Engine, backend: Backend, faults: Faults) -> None:
        self._engine = engine
        self._backend = backend
        self._faults = faults
        self._closed = False
        self._file: tuple[Path, tuple[int, int]] | None = None

    def guard(self, file: Path) -> None:
        """Refuse every transaction from now on that this file is deleted or replaced by another.

        SQLite would go on writing into the file that has no name any more, and all of it would be lost.
        """
        self._file = (file, _identity(file) or (0, 0))

    @property
    def name(self) -> str:
        """The database as messages name it, without its password."""
        return self._faults.name

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that reads one consistent state."""
        self._require_open()
        with self._faults.translated(), self._engine.connect() as connection:
            self._backend.begin(connection, writing=False)
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is on disk when the block ends, or rolled back if it raises."""
        self._require_open()
        with (
            self._faults.translated(),
            self._engine.connect() as connection,
            self._backend.begin(connection, writing=True),
        ):
            yield connection
            self._require_same_file()

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
        found = _identity(file)
        if found != opened:
            happened = "deleted" if found is None else "replaced by another file"
            raise StoreUnavailable(
                f"{self.name} was {happened} while it was open; nothing was changed, put it back and start again"
            )


def _identity(file: Path) -> tuple[int, int] | None:
    """Device and inode of a file; None if there is none."""
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino
