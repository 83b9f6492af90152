"""Learned values in the database."""

from collections.abc import Iterable, Iterator

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from ludex.core.ranking import Entry, RankingSummary, checked_q
from ludex.store.schema import RANKING_VALUES, RANKINGS
from ludex.store.timing import utc_now
from ludex.store.transactions import Transactions


class DatabaseRankings:
    """The values learned for one game and preset. Every change is on disk when its call returns."""

    def __init__(self, transactions: Transactions, game: str, preset: str) -> None:
        self._transactions = transactions
        self._key = {"game": game, "preset": preset}
        self._header = (RANKINGS.c.game == game) & (RANKINGS.c.preset == preset)
        self._values = (RANKING_VALUES.c.game == game) & (RANKING_VALUES.c.preset == preset)

    def get(self, state_key: str, move_index: int) -> float | None:
        """The value, or None if nothing was learned."""
        entry = self._one(state_key, move_index)
        with self._transactions.reading() as connection:
            return connection.execute(select(RANKING_VALUES.c.q).where(entry)).scalar()

    def set(self, state_key: str, move_index: int, q: float) -> None:
        value = checked_q(state_key, move_index, q)
        with self._transactions.writing() as connection:
            self._claim(connection)
            changed = connection.execute(update(RANKING_VALUES).where(self._one(state_key, move_index)).values(q=value))
            if changed.rowcount == 0:
                connection.execute(
                    insert(RANKING_VALUES).values(**self._key, state=state_key, move=move_index, q=value)
                )

    def entries(self) -> Iterator[Entry]:
        """Everything, in order of state and move."""
        columns = select(RANKING_VALUES.c.state, RANKING_VALUES.c.move, RANKING_VALUES.c.q)
        rows = self._transactions.rows(columns.where(self._values))
        # Sorted here: how a database orders text depends on its locale.
        return iter(sorted(Entry(*row) for row in rows))

    def replace(self, entries: Iterable[Entry], created_utc: str | None = None) -> None:
        """Replace all values with these, in one transaction; they were made at `created_utc`, or now."""
        values = {(state, move): checked_q(state, move, q) for state, move, q in entries}
        rows = [{**self._key, "state": state, "move": move, "q": q} for (state, move), q in values.items()]
        with self._transactions.writing() as connection:
            self._claim(connection)
            connection.execute(delete(RANKING_VALUES).where(self._values))
            connection.execute(update(RANKINGS).where(self._header).values(created_utc=created_utc or utc_now()))
            if rows:
                connection.execute(insert(RANKING_VALUES), rows)

    def reset(self) -> None:
        """Delete the ranking, if there is one."""
        with self._transactions.writing() as connection:
            connection.execute(delete(RANKINGS).where(self._header))

    def _one(self, state_key: str, move_index: int) -> ColumnElement[bool]:
        return self._values & (RANKING_VALUES.c.state == state_key) & (RANKING_VALUES.c.move == move_index)

    def _claim(self, connection: Connection) -> None:
        """Make the header if there is none, and block other writers of this ranking until the transaction ends."""
        header = select(RANKINGS.c.game).where(self._header).with_for_update()
        if connection.execute(header).first() is not None:
            return
        try:
            with connection.begin_nested():
                connection.execute(insert(RANKINGS).values(**self._key, created_utc=utc_now()))
        except IntegrityError:
            # On a server another writer may have made it meanwhile.
            connection.execute(header)


def summaries(connection: Connection) -> list[RankingSummary]:
    """Every ranking of the database, in order of game and preset."""
    key = (RANKINGS.c.game, RANKINGS.c.preset)
    rows = connection.execute(
        select(*key, func.count(RANKING_VALUES.c.state), RANKINGS.c.created_utc)
        .outerjoin(RANKING_VALUES)
        .group_by(*key, RANKINGS.c.created_utc)
    )
    return sorted((RankingSummary(*row) for row in rows), key=lambda summary: (summary.game, summary.preset))
