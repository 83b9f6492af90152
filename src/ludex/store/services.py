"""Services for agents over a database that is opened on first use."""

from functools import cache
from typing import TYPE_CHECKING

from ludex.core.ranking import RankingStore
from ludex.core.services import Services

if TYPE_CHECKING:
    from ludex.store.database import Database


def lazy_services(url: str | None = None) -> Services:
    """Services for an agent that may or may not need the database; the default one if no URL is given."""

    @cache
    def database() -> "Database":
        # Few agents need it, and SQLAlchemy takes a fifth of a second to import.
        from ludex.store.database import Database

        return Database.open(url)

    def rankings(game: str, preset: str) -> RankingStore:
        return database().rankings(game, preset)

    return Services(rankings=rankings)
