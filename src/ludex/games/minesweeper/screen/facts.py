"""What is shown of a finished game beside its board."""

from typing import Any

from ludex.core.errors import Unsupported
from ludex.core.game import Json
from ludex.core.limit import Limit
from ludex.core.match import Match
from ludex.games.minesweeper.agents.luck import luck_of
from ludex.games.minesweeper.rules.position import View


def facts(match: Match[Any, View], limit: Limit) -> dict[str, Json]:
    """How much luck the game took; None where it cannot be counted, or not in time."""
    try:
        found = luck_of(match, limit)
    except Unsupported:
        # On a large board too many layouts may fit to be counted, or time runs out.
        return {"luck": None}
    return {"luck": {"spent": found.spent, "guesses": len(found.guesses), "needless": len(found.needless)}}
