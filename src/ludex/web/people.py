"""People beside the machines of the leaderboard: those who have chosen a nickname, by their matches that count."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

from ludex.store.database import Database
from ludex.web.leaderboard import Leaderboard, Leaderboards
from ludex.web.ratings import PersonalBoard, personal_ratings
from ludex.web.schemas.base import Document

SECONDS: Final = 60.0
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
                self._until = self._monotonic() + SECONDS
        return PeopleOnBoards(people=[row for person, row in self._rows if person != caller])


def _rows(database: Database, leaderboard: Leaderboard) -> list[tuple[str, PersonOnBoard]]:
    return [
        (person, PersonOnBoard(name=name, board=board))
        for person, name in database.nicknames.of_players(MOST_PEOPLE).items()
        for board in personal_ratings(database, leaderboard, person, None).boards
        if board.games
    ]
