"""The names that people choose for themselves."""

import unicodedata
from collections.abc import Collection, Mapping
from typing import Any, Final

from sqlalchemy import BindParameter, Connection, bindparam, delete, insert, select, update

from ludex.core.errors import UsageError
from ludex.store.schema import PEOPLE
from ludex.store.timing import utc_now
from ludex.store.transactions import Transactions

SHORTEST: Final = 2
LONGEST: Final = 20
SIGNS: Final = " -_.'"
AMONG: Final[BindParameter[Any]] = bindparam("people", expanding=True)
NICKNAMES_OF: Final = select(PEOPLE.c.person, PEOPLE.c.nickname).where(PEOPLE.c.person.in_(AMONG))


class BadNickname(UsageError):
    """A nickname that is too long or short, or has characters that nicknames have not."""

    code = "bad_nickname"


def checked_nickname(text: str) -> str:
    """A nickname as it is stored: single spaces, composed characters. Raises `BadNickname`.

    >>> checked_nickname("  Ann-Sophie  B. ")
    'Ann-Sophie B.'
    >>> checked_nickname("<b>")
    Traceback (most recent call last):
    ludex.store.nicknames.BadNickname: a nickname has letters, digits, spaces and - _ . ' only, found '<'
    """
    name = " ".join(unicodedata.normalize("NFKC", text).replace("\u2019", "'").split())
    if not SHORTEST <= len(name) <= LONGEST:
        raise BadNickname(f"a nickname has {SHORTEST} to {LONGEST} characters, found {len(name)}")
    # Marks belong to the letters of many scripts; controls, which could turn a line around, are no letters.
    for character in name:
        if unicodedata.category(character)[0] not in "LMN" and character not in SIGNS:
            raise BadNickname(f"a nickname has letters, digits, spaces and - _ . ' only, found {character!r}")
    if not any(character.isalpha() for character in name):
        raise BadNickname("a nickname has at least one letter")
    return name


class Nicknames:
    """The nicknames of one database."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def of(self, people: Collection[str]) -> dict[str, str]:
        """The nicknames of those people who have one."""
        with self._transactions.reading() as connection:
            return {row.person: row.nickname for row in connection.execute(NICKNAMES_OF, {"people": [*people]})}

    def set(self, person: str, nickname: str | None) -> None:
        """Give a person a checked nickname, or take it away."""
        with self._transactions.writing() as connection:
            if nickname is None:
                connection.execute(delete(PEOPLE).where(PEOPLE.c.person == person))
            else:
                _put(connection, person, nickname)

    def restore(self, nicknames: Mapping[str, str]) -> None:
        """Give nicknames to those people who have none."""
        known = self.of(nicknames)
        with self._transactions.writing() as connection:
            for person, nickname in nicknames.items():
                if person not in known:
                    _put(connection, person, nickname)


def _put(connection: Connection, person: str, nickname: str) -> None:
    values = {"nickname": nickname, "changed_utc": utc_now()}
    if connection.execute(update(PEOPLE).where(PEOPLE.c.person == person).values(**values)).rowcount == 0:
        connection.execute(insert(PEOPLE).values(person=person, **values))
