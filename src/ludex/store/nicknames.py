"""The names that people choose for themselves."""

import re
import unicodedata
from collections.abc import Collection, Mapping
from typing import Any, Final

from sqlalchemy import BindParameter, Connection, bindparam, delete, func, insert, select, update

from ludex.core.errors import UsageError
from ludex.store.schema import MATCHES, PEOPLE, SEATS
from ludex.store.timing import utc_now
from ludex.store.transactions import Part

SHORTEST: Final = 2
LONGEST: Final = 20
SIGNS: Final = " -_.'"
MOST_MARKS: Final = 2
"""On one letter, as Vietnamese has them."""
INVISIBLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Letters and marks that show nothing."""
STACKED: Final = re.compile(f"^m|m{{{MOST_MARKS + 1}}}")
PHONETIC: Final = frozenset(map(chr, range(0x250, 0x2B0)))
LOOK_LIKE_LATIN: Final = frozenset({"CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "PHONETIC"})
WORDS: Final = re.compile(r"[^ \-_.']+")
DIGITS: Final = str.maketrans("01345", "oieas")
OFFICES: Final = re.compile("admin(istrat(or|eur|rice))?|ludex|moderat(or|eur|rice)")
"""Words by which a person could pass for the server, wherever they stand in a name, without accents."""
RESERVED: Final = re.compile(f"{OFFICES.pattern}|owner|proprietaire|root|serve(r|ur)|support|systeme?|you|vous")
"""Whole names by which a person could."""
AMONG: Final[BindParameter[Any]] = bindparam("people", expanding=True)
NICKNAMES_OF: Final = select(PEOPLE.c.person, PEOPLE.c.nickname).where(PEOPLE.c.person.in_(AMONG))


class BadNickname(UsageError):
    """A nickname that is too long or short, or has characters that nicknames have not."""


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
    if INVISIBLE.search(name) or STACKED.search(_marks(name)):
        raise BadNickname(f"a nickname has visible letters, each with at most {MOST_MARKS} marks")
    letters = {_alphabet(character) for character in name if character.isalpha()}
    if "LATIN" in letters and letters & LOOK_LIKE_LATIN:
        raise BadNickname("a nickname has letters of one alphabet: those of another may look the same")
    words = map(_skeleton, WORDS.findall(name))
    if RESERVED.fullmatch(_skeleton(name)) or any(map(OFFICES.fullmatch, words)):
        raise BadNickname(f"{name!r} is a name of the server's own")
    return name


def _alphabet(letter: str) -> str:
    """The first word of its Unicode name; phonetic signs such as the alpha of Latin are none of its letters."""
    return "PHONETIC" if letter in PHONETIC else unicodedata.name(letter, "").partition(" ")[0]


def _marks(name: str) -> str:
    """The name with `m` for every mark, accents of composed letters among them."""
    decomposed = unicodedata.normalize("NFKD", name)
    return "".join("m" if unicodedata.category(character)[0] == "M" else "." for character in decomposed)


def _skeleton(name: str) -> str:
    """What people read: letters without accents, case, spaces and signs, and digits that stand for letters.

    >>> _skeleton("Adm1n-istr\u00e0t0r")
    'administrator'
    """
    letters = unicodedata.normalize("NFKD", name.casefold()).translate(DIGITS)
    return "".join(character for character in letters if character.isalpha())


class Nicknames(Part):
    """The nicknames of one database."""

    def of(self, people: Collection[str]) -> dict[str, str]:
        """The nicknames of those people who have one."""
        return {row.person: row.nickname for row in self._transactions.rows(NICKNAMES_OF, {"people": [*people]})}

    def of_players(self, limit: int) -> dict[str, str]:
        """The nicknames of those people who have most recently finished a match."""
        played = func.max(MATCHES.c.updated_utc)
        players = (
            select(PEOPLE.c.person, PEOPLE.c.nickname)
            .join(SEATS, SEATS.c.holder == PEOPLE.c.person)
            .join(MATCHES, MATCHES.c.id == SEATS.c.match_id)
            .where(MATCHES.c.scores.is_not(None))
            .group_by(PEOPLE.c.person, PEOPLE.c.nickname)
            .order_by(played.desc())
            .limit(limit)
        )
        return {row.person: row.nickname for row in self._transactions.rows(players)}

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
