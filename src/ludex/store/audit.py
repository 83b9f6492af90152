"""The audit log: what administrators of a server did."""

import secrets
from dataclasses import asdict, dataclass, fields

from sqlalchemy import insert, select

from ludex.store.clock import utc_now
from ludex.store.schema import AUDIT
from ludex.store.transactions import Transactions


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """What an administrator did: when, by which login, from which address, what, on what."""

    at_utc: str
    login: str
    address: str
    action: str
    subject: str


class Audit:
    """The audit log of one database. Rows are added and never changed."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def add(self, login: str, address: str, action: str, subject: str) -> None:
        """Write an action, on disk when the call returns."""
        row = AuditEntry(utc_now(), login, address, action, subject)
        with self._transactions.writing() as connection:
            connection.execute(insert(AUDIT).values(id=secrets.token_hex(8), **asdict(row)))

    def newest(self, limit: int) -> list[AuditEntry]:
        """The newest actions first."""
        columns = [AUDIT.c[field.name] for field in fields(AuditEntry)]
        query = select(*columns).order_by(AUDIT.c.at_utc.desc(), AUDIT.c.id).limit(limit)
        with self._transactions.reading() as connection:
            return [AuditEntry(*row) for row in connection.execute(query)]
