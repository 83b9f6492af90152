"""What one running server has, and how a route gets at it."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from ludex.store.database import Database
from ludex.web.cards import Cards
from ludex.web.leaderboard import Leaderboards
from ludex.web.live import Hub
from ludex.web.matches.tables import Tables
from ludex.web.metrics import Metrics
from ludex.web.seats import Seats, person_of
from ludex.web.settings import Settings
from ludex.web.thinking.pool import ThinkingPool
from ludex.web.tournaments import Tournaments


@dataclass(frozen=True, slots=True)
class House:
    """Everything the routes share."""

    settings: Settings
    database: Database
    pool: ThinkingPool
    metrics: Metrics
    seats: Seats
    cards: Cards
    hub: Hub
    matches: Tables
    tournaments: Tournaments
    leaderboard: Leaderboards


def _house(connection: HTTPConnection) -> House:
    house: House = connection.app.state.house
    return house


InHouse = Annotated[House, Depends(_house)]
Person = Annotated[str, Depends(person_of)]
"""Who asks, as the database calls them."""
