"""The rows of the database, of all people or of one: what backups, exports and deletions are made of."""

from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import BindParameter, ColumnElement, CompoundSelect, Connection, RowMapping, Table, false, select, union

from ludex.store.schema import HOSTINGS, MATCHES, METADATA, SCHEMA, SEATS

BATCH: Final = 1000
TABLES: Final = tuple(table for table in METADATA.sorted_tables if table is not SCHEMA)
"""Every table with content, in an order in which rows can be inserted."""


def read_rows(connection: Connection, table: Table, *conditions: ColumnElement[bool]) -> Iterator[RowMapping]:
    """The rows of a table, or those that meet the conditions, a batch at a time."""
    query = select(table).where(*conditions)
    yield from connection.execution_options(yield_per=BATCH).execute(query).mappings()


def matches_of(person: "str | BindParameter[str]") -> CompoundSelect[Any]:
    """The ids of the matches that a person began or holds a seat in."""
    return union(
        select(HOSTINGS.c.match_id).where(HOSTINGS.c.creator == person),
        select(SEATS.c.match_id).where(SEATS.c.holder == person),
    )


def belongs_to(table: Table, person: str) -> ColumnElement[bool]:
    """Whether a row is of a person: names them, or is part of a match of theirs."""
    if "person" in table.c:
        return table.c.person == person
    key = table.c.id if table is MATCHES else table.c.get("match_id")
    return false() if key is None else key.in_(matches_of(person))
