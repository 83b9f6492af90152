"""Other people: their nicknames, and those who have one beside the machines of the leaderboard."""

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import Final

from ludex.store.database import Database
from ludex.store.nicknames import Nicknames
from ludex.web.leaderboard import Leaderboard, Leaderboards
from ludex.web.offload import Offload
from ludex.web.ratings import PersonalBoard, personal_ratings
from ludex.web.recent import Recent
from ludex.web.schemas.base import Document

KNOWN_SECONDS: Final = 30.0
"""After so long a nickname is read again: another server may have changed it."""
MOST_KNOWN: Final = 10_000


class KnownNicknames:
    """Reads and writes nicknames away from the event loop."""

    def __init__(self, store: Nicknames, offload: Offload, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._offload = offload
        self._monotonic = monotonic
        self._known = Recent[str, tuple[float, str | None]](MOST_KNOWN)

    async def of(self, people: Iterable[str]) -> dict[str, str]:
        """The nicknames of those people who have one."""
        now, names = self._monotonic(), {*people}
        missing = [person for person in names if self._known.get(person, (0.0, None))[0] <= now]
        nicknames: dict[str, str] = await self._offload.run(self._store.of, missing) if missing else {}
        for person in missing:
            self._keep(person, nicknames.get(person))
        known = {person: self._known[person][1] for person in names if person in self._known}
        return {person: name for person, name in known.items() if name is not None}

    async def set(self, person: str, nickname: str | None) -> None:
        """Give a person a checked nickname, or take it away."""
        await self._offload.run(self._store.set, person, nickname)
        self._keep(person, nickname)

    def _keep(self, person: str, nickname: str | None) -> None:
        self._known[person] = (self._monotonic() + KNOWN_SECONDS, nickname)


ROWS_SECONDS: Final = 60.0
"""For so long what was computed is given again: it takes reading the matches of all people on the boards."""
MOST_PEOPLE: Final = 100
"""Those who have played most recently."""


class PersonOnBoard(Document):
    """A person beside the machines of a board."""

    name: str
    board: PersonalBoard


class PeopleOnBoards(Document):
    """The other people who have a nickname and a match that counts."""

    people: list[PersonOnBoard]


class People:
    """The people on the boards of one server."""

    def __init__(
        self, database: Database, leaderboards: Leaderboards, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._database = database
        self._leaderboards = leaderboards
        self._monotonic = monotonic
        self._computing = asyncio.Lock()
        self._rows: list[tuple[str, PersonOnBoard]] = []
        self._until = 0.0

    async def besides(self, caller: str) -> PeopleOnBoards:
        """All people but the caller, whose own row is newer."""
        async with self._computing:
            if self._monotonic() >= self._until:
                leaderboard = await self._leaderboards.games()
                self._rows = await asyncio.to_thread(_rows, self._database, leaderboard)
                self._until = self._monotonic() + ROWS_SECONDS
        return PeopleOnBoards(people=[row for person, row in self._rows if person != caller])


def _rows(database: Database, leaderboard: Leaderboard) -> list[tuple[str, PersonOnBoard]]:
    return [
        (person, PersonOnBoard(name=name, board=board))
        for person, name in database.nicknames.of_players(MOST_PEOPLE).items()
        for board in personal_ratings(database, leaderboard, person, None).boards
        if board.games
    ]
