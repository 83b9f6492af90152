"""The state of a running server, and the dependencies that give it to routes."""

import asyncio
import time
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Depends
from starlette.requests import HTTPConnection

from ludex.coach.puzzles.rounds import RoundService
from ludex.core.errors import StoreError
from ludex.core.log import logger
from ludex.lab.supervisor import Supervisor
from ludex.store.database import Database
from ludex.web import administrators
from ludex.web.budget import Budgets
from ludex.web.cards import Cards
from ludex.web.ladders import Ladders
from ludex.web.leaderboard import Leaderboards
from ludex.web.matches.service import MatchService
from ludex.web.metrics import Metrics
from ludex.web.people import KnownNicknames, People
from ludex.web.seats import Seats, person_of
from ludex.web.security.address import address_of
from ludex.web.settings import Settings
from ludex.web.subscriptions import SubscriptionHub
from ludex.web.tournaments import Tournaments
from ludex.web.workers.pool import WorkerPool
from ludex.web.workers.preparation import Preparation

INTERVAL: Final = 1.0
"""Seconds for which a result is reused, so that polling does not make the disk write more often."""

log = logger("web.readiness")


class Readiness:
    """Checks the database when asked, and remembers the last result."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._checking = asyncio.Lock()
        self._checked = float("-inf")
        self.fault: StoreError | None = None
        """Why the last check failed."""

    async def check(self) -> StoreError | None:
        """Write to the database, unless that was done just now; a failure is logged and returned."""
        async with self._checking:
            if time.monotonic() - self._checked >= INTERVAL:
                try:
                    await asyncio.to_thread(self._database.probe)
                    self.fault = None
                except StoreError as error:
                    log.error("not ready", code=error.code, message=error.message)
                    self.fault = error
                self._checked = time.monotonic()
            return self.fault


@dataclass(frozen=True, slots=True)
class AppState:
    """The objects that all routes share."""

    settings: Settings
    database: Database
    pool: WorkerPool
    preparation: Preparation
    metrics: Metrics
    seats: Seats
    cards: Cards
    hub: SubscriptionHub
    matches: MatchService
    tournaments: Tournaments
    ladders: Ladders
    leaderboard: Leaderboards
    people: People
    administrators: administrators.Administrators
    readiness: Readiness
    nicknames: KnownNicknames
    rounds: RoundService
    supervisor: Supervisor
    budgets: Budgets


async def state_of(connection: HTTPConnection) -> AppState:
    """The state of the server that a connection is to."""
    state: AppState = connection.app.state.ludex
    return state


async def _administrator(connection: HTTPConnection) -> administrators.Administrator:
    state: AppState = connection.app.state.ludex
    return state.administrators.require(connection)


async def _perhaps_administrator(connection: HTTPConnection) -> administrators.Administrator | None:
    state: AppState = connection.app.state.ludex
    return state.administrators.find(connection)


State = Annotated[AppState, Depends(state_of)]
Person = Annotated[str, Depends(person_of)]
"""The caller, by the id that the database knows."""
Administrator = Annotated[administrators.Administrator, Depends(_administrator)]
"""The caller, who must be the administrator."""
PerhapsAdministrator = Annotated[administrators.Administrator | None, Depends(_perhaps_administrator)]
"""The caller if they are the administrator."""
Address = Annotated[str, Depends(address_of)]
"""The caller's network."""
