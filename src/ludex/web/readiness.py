"""Whether the server can do its work: a real write to the database, at most one per second."""

import asyncio
import time
from typing import Final

from ludex.core.errors import StoreError
from ludex.core.log import logger
from ludex.store.database import Database

INTERVAL: Final = 1.0
"""Seconds for which a result is reused, so that polling does not make the disk write more often."""

log = logger("web.readiness")


class Readiness:
    """Checks the database when asked, and remembers the last result."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._checking = asyncio.Lock()
        self._checked = float("-inf")
        self.fault: StoreError | None = None
        """Why the last check failed."""

    async def check(self) -> StoreError | None:
        """Write to the database, unless that was done just now; a failure is logged and returned."""
        async with self._checking:
            if time.monotonic() - self._checked >= INTERVAL:
                try:
                    await asyncio.to_thread(self._database.probe)
                    self.fault = None
                except StoreError as error:
                    log.error("not ready", code=error.code, message=error.message)
                    self.fault = error
                self._checked = time.monotonic()
            return self.fault
