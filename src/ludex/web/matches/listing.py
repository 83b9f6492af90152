"""Matches as a list shows them, without replaying any."""

from ludex.arena.picture import ending
from ludex.core.errors import LudexError
from ludex.core.record import PERSON
from ludex.core.registry import spec
from ludex.store.hosting import Hosting
from ludex.store.matches import DamagedMatch, StoredMatch
from ludex.web.schemas import MatchLine


def listed(match: StoredMatch | DamagedMatch, hosting: Hosting | None, person: str) -> MatchLine:
    """One line of the list; a match that cannot be shown says why."""
    yours = hosting is not None and (hosting.creator == person or person in hosting.seats.values())
    dates = {"created_utc": match.created_utc, "updated_utc": match.updated_utc}
    if isinstance(match, DamagedMatch):
        fault = "the match is damaged: it cannot be read"
        blank = {"game": "", "title": "", "preset": "", "status": "Damaged."}
        return MatchLine(id=match.id, agents=[], plies=0, live=False, yours=yours, fault=fault, **blank, **dates)
    record = match.record
    title, reason = record.game, None
    try:
        title = spec(record.game).title
    except LudexError as error:
        reason = error.message
    return MatchLine(
        id=match.id,
        game=record.game,
        title=title,
        preset=record.preset,
        agents=[*record.agents],
        plies=len(record.actions),
        live=record.outcome is None and record.aborted is None,
        status=ending(record.outcome, record.aborted, len(record.actions), _names(record.agents, hosting, person)),
        yours=yours,
        fault=reason,
        **dates,
    )


def _names(agents: tuple[str, ...], hosting: Hosting | None, person: str) -> list[str]:
    seats = {} if hosting is None else hosting.seats
    return [
        name if name != PERSON or seats.get(player) == person else f"Player {player + 1}"
        for player, name in enumerate(agents)
    ]
