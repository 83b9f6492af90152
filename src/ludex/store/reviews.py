"""Reviews of matches, kept until the match or the analyst changes."""

import json
from collections.abc import Collection
from typing import Any, Final

from sqlalchemy import BindParameter, bindparam, delete, insert, select

from ludex.store.clock import utc_now
from ludex.store.schema import REVIEWS
from ludex.store.transactions import Transactions

AMONG: Final[BindParameter[Any]] = bindparam("matches", expanding=True)


class Reviews:
    """The reviews of one database, one per match."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def get(self, match_id: str, fingerprint: str) -> dict[str, Any] | None:
        """The review of a match, if it was made of the same moves by the same analyst, which the fingerprint names."""
        query = select(REVIEWS.c.document).where(
            (REVIEWS.c.match_id == match_id) & (REVIEWS.c.fingerprint == fingerprint)
        )
        with self._transactions.reading() as connection:
            found = connection.execute(query).scalar()
        return None if found is None else dict(json.loads(found))

    def of(self, match_ids: Collection[str]) -> dict[str, dict[str, Any]]:
        """The reviews of several matches, whichever analyst made them."""
        query = select(REVIEWS.c.match_id, REVIEWS.c.document).where(REVIEWS.c.match_id.in_(AMONG))
        with self._transactions.reading() as connection:
            rows = connection.execute(query, {"matches": [*match_ids]}).all()
        return {row.match_id: json.loads(row.document) for row in rows}

    def put(self, match_id: str, fingerprint: str, document: dict[str, Any]) -> None:
        """Keep a review in place of an older one. Raises `StoreError` if the match is gone."""
        text = json.dumps(document, separators=(",", ":"), allow_nan=False)
        values = {"match_id": match_id, "fingerprint": fingerprint, "made_utc": utc_now(), "document": text}
        with self._transactions.writing() as connection:
            connection.execute(delete(REVIEWS).where(REVIEWS.c.match_id == match_id))
            connection.execute(insert(REVIEWS).values(values))
