"""The audit log: what administrators of a server did."""

import secrets
from typing import NamedTuple

from sqlalchemy import insert, select

from ludex.store.clock import utc_now
from ludex.store.schema import AUDIT
from ludex.store.transactions import Transactions


class AuditRow(NamedTuple):
    """One action: when, by which login, from which address, what, on what."""

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
        row = AuditRow(utc_now(), login, address, action, subject)
        with self._transactions.writing() as connection:
            connection.execute(insert(AUDIT).values(id=secrets.token_hex(8), **row._asdict()))

    def newest(self, limit: int) -> list[AuditRow]:
        """The newest actions first."""
        columns = [AUDIT.c[name] for name in AuditRow._fields]
        query = select(*columns).order_by(AUDIT.c.at_utc.desc(), AUDIT.c.id).limit(limit)
        with self._transactions.reading() as connection:
            return [AuditRow(*row) for row in connection.execute(query)]
