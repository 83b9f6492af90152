"""Reads and writes of one database: each whole or not at all, its errors told in our words."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine

from ludex.core.errors import StoreUnavailable
from ludex.store.backends import WRITING
from ludex.store.faults import Faults


class Transactions:
    """The only way to the database."""

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
        """One consistent look at the database."""
        self._require_open()
        with self._faults.translated(), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Changes that are on disk when the block ends, or undone if it raises."""
        self._require_open()
        with self._faults.translated(), self._writer.begin() as connection:
            yield connection

    def close(self) -> None:
        """Let go of every connection; closing twice is closing once."""
        self._closed = True
        self._reader.dispose()

    def _require_open(self) -> None:
        # A disposed engine would quietly connect again.
        if self._closed:
            raise StoreUnavailable(f"{self.name} was closed; open it again")
