"""What administrators do, logged and kept in the database."""

import asyncio

from ludex.core.log import logger
from ludex.store.database import Database
from ludex.web.administrators import Administrator

log = logger("web.audit")


async def record(database: Database, administrator: Administrator, action: str, subject: str = "") -> None:
    """Log an action and write it to the audit log of the database, before the caller answers."""
    await asyncio.to_thread(database.audit.add, administrator.login, administrator.address, action, subject)
    log.warning(
        "administrator", login=administrator.login, address=administrator.address, action=action, subject=subject
    )
