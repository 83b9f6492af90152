"""Who may see what of a match: the one place where the rule is written."""

import re

from ludex.core.game import Player
from ludex.web.matches.table import Table


def viewer_of(table: Table, person: str, ply: int | None = None) -> Player | None:
    """The player through whose eyes a person looks; None: they may not look before the end.

    With perfect information all see everything, and in a game for one all see what its player sees. With secrets
    between two players one must hold a seat while the match is live; who holds both looks through the mover's eyes.
    """
    held = table.seats_of(person)
    if len(held) > 1 and not all_see(table):
        game, state = table.game, table.match.positions[table.match.ply if ply is None else ply]
        return game.to_move(state)
    if held:
        return held[0]
    return 0 if all_see(table) else None


def all_see(table: Table) -> bool:
    """Whether the board can be shown to anybody."""
    return not table.live or table.game.info.information == "perfect" or table.game.info.players == 1


def sees_moves_of(table: Table, person: str, player: Player) -> bool:
    """Whether a person may know what this player played, or thought."""
    return all_see(table) or player in table.seats_of(person)


def without_seed(message: str, seed: int) -> str:
    """A message about a live match that does not tell its seed.

    >>> without_seed("illegal action 3 at ply 2 of seed 12345", 12345)
    'illegal action 3 at ply 2 of seed (secret)'
    """
    return re.sub(rf"(?<!\d){seed}(?!\d)", "(secret)", message)
