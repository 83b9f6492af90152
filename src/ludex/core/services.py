"""What the application provides to a game, so that a game imports neither the database nor a cluster."""

from collections.abc import Callable
from dataclasses import dataclass

from ludex.core.errors import Unsupported
from ludex.core.ranking import RankingStore


def _no_database(game: str, preset: str) -> RankingStore:
    raise Unsupported(f"{game} {preset}: no database is open here; open one with ludex.store and pass its services")


@dataclass(frozen=True, slots=True)
class Services:
    """Given to every agent's factory."""

    rankings: Callable[[str, str], RankingStore] = _no_database
    """The database's ranking of a game id and preset."""
