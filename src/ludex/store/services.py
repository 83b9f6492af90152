"""The house's services over the default database, opened only if somebody asks."""

from functools import cache

from ludex.core.ranking import RankingStore
from ludex.core.services import Services
from ludex.store.database import Database


def lazy_services() -> Services:
    """Services for an agent that may or may not need the database."""
    database = cache(Database.open)

    def rankings(game: str, preset: str) -> RankingStore:
        return database().rankings(game, preset)

    return Services(rankings=rankings)
