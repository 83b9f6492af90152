"""How long matches of timed games took, from the first move to the end, on the server's clock."""

from collections.abc import Mapping
from typing import Any

from ludex.core.hooks import as_figures, try_hook
from ludex.core.match import Match
from ludex.core.messages import Message
from ludex.core.registry import resolve, spec
from ludex.store.hosting import Hosting
from ludex.store.matches import ListedMatch, StoredMatch
from ludex.store.times import MatchTime
from ludex.store.timing import ms_between
from ludex.web.ratings import Played, Verdict, verdict_of
from ludex.web.schemas.base import Document, Texts


class Figure(Document):
    """A number of a match that was timed, with its title."""

    title: Texts
    text: Texts


def figures_of(game: str, figures: Mapping[str, float]) -> list[Figure]:
    """A game's figures in words."""
    return [
        Figure(
            title=Message(f"{game}.timing_{name}").texts(),
            text=Message(f"{game}.timing_{name}_value", {"value": value}).texts(),
        )
        for name, value in figures.items()
    ]


def is_timed(stored: StoredMatch) -> bool:
    """Whether a match of one person has come to an end in a timed game."""
    record = stored.record
    timed = spec(record.game).screen.timing is not None and len(record.agents) == 1
    return timed and record.outcome is not None and record.position is None


def verdict(stored: StoredMatch, hosting: Hosting) -> Verdict:
    """Whether the time of a match may count, or why not."""
    return verdict_of(Played(ListedMatch.of(stored), hosting, clocked=False), {})


def time_of(stored: StoredMatch, hosting: Hosting | None, match: Match[Any, Any]) -> MatchTime | None:
    """The time of a match that is over now; None for what is not timed."""
    person = None if hosting is None else hosting.seats.get(0)
    if hosting is None or person is None or not is_timed(stored):
        return None
    record, ms = stored.record, ms_between(stored.begun_utc or stored.updated_utc, stored.updated_utc)
    assert record.outcome is not None, "it is over"
    figures = resolve(str(spec(record.game).screen.timing))
    return MatchTime(
        person=person,
        game=record.game,
        preset=record.preset,
        seed=str(record.seed),
        match_id=stored.id,
        at_utc=stored.updated_utc,
        ms=ms,
        counts=record.outcome.scores[0] > 0 and verdict(stored, hosting) == "counted",
        figures=try_hook(record.game, "screen.timing", lambda: as_figures(figures(match, ms / 1000)), {}),
    )
