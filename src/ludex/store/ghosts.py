"""Ghosts: positions of finished matches that a person gives to friends, and the matches that were played from them."""

from dataclasses import dataclass

from sqlalchemy import insert, select

from ludex.core.errors import UsageError
from ludex.store.matches import IDS, new_id
from ludex.store.schema import GHOST_MATCHES, GHOSTS
from ludex.store.timing import utc_now
from ludex.store.transactions import Part


class UnknownGhost(UsageError):
    """No ghost has this id."""


@dataclass(frozen=True, slots=True)
class Ghost:
    """Where others begin, and whose result they compare theirs with."""

    id: str
    match_id: str
    """The finished match that it comes from."""
    player: int
    """The seat that others take."""
    ply: int
    """The ply from which they play."""


class Ghosts(Part):
    """The ghosts of one database. They hold no person: the seats of matches do."""

    def create(self, match_id: str, player: int, ply: int) -> Ghost:
        """The ghost of a seat at a ply of a match; asked for again, it is the same one."""
        same = (GHOSTS.c.match_id == match_id) & (GHOSTS.c.player == player) & (GHOSTS.c.ply == ply)
        with self._transactions.writing() as connection:
            ghost_id = connection.execute(select(GHOSTS.c.id).where(same)).scalar()
            if ghost_id is None:
                ghost_id = new_id()
                values = {"match_id": match_id, "player": player, "ply": ply, "created_utc": utc_now()}
                connection.execute(insert(GHOSTS).values(id=ghost_id, **values))
            return Ghost(ghost_id, match_id, player, ply)

    def get(self, ghost_id: str) -> Ghost:
        """A ghost by its id. Raises `UnknownGhost`."""
        with self._transactions.reading() as connection:
            # PostgreSQL refuses some texts that are no ids.
            known = IDS.fullmatch(ghost_id) is not None
            row = connection.execute(select(GHOSTS).where(GHOSTS.c.id == ghost_id)).first() if known else None
        if row is None:
            raise UnknownGhost(f"no ghost has the id {ghost_id!r}: its match may have been deleted")
        return Ghost(row.id, row.match_id, row.player, row.ply)

    def add_match(self, ghost_id: str, match_id: str) -> None:
        """Write that a match was begun from a ghost."""
        with self._transactions.writing() as connection:
            connection.execute(insert(GHOST_MATCHES).values(ghost_id=ghost_id, match_id=match_id))

    def matches(self, ghost_id: str, limit: int) -> list[str]:
        """The matches that were begun from a ghost."""
        of_ghost = select(GHOST_MATCHES.c.match_id).where(GHOST_MATCHES.c.ghost_id == ghost_id).limit(limit)
        with self._transactions.reading() as connection:
            return [*connection.execute(of_ghost).scalars()]
