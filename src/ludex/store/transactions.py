"""Transactions of one database; its errors are raised as `StoreError`."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine

from ludex.core.errors import StoreUnavailable
from ludex.store.backends import WRITING
from ludex.store.faults import Faults


class Transactions:
    """The reading and writing transactions of one database."""

    def __init__(self, engine: Engine, faults: Faults) -> None:
        self._faults = faults
        self._reader = engine
        self._writer = engine.execution_options(**{WRITING: True})
        self._closed = False

    @property
    def name(self) -> str:
        """The database as messages name it, without its password."""
        return self._faults.name

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that reads one consistent state."""
        self._require_open()
        with self._faults.translated(), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is on disk when the block ends, or rolled back if it raises."""
        self._require_open()
        with self._faults.translated(), self._writer.begin() as connection:
            yield connection

    def close(self) -> None:
        """Close every connection; a second call does nothing."""
        self._closed = True
        self._reader.dispose()

    def _require_open(self) -> None:
        # A disposed engine would quietly connect again.
        if self._closed:
            raise StoreUnavailable(f"{self.name} was closed; open it again")
