"""Checks of how a match ends."""

import math
from collections.abc import Iterator
from typing import Any

from ludex.core.conformance.report import BlockedError
from ludex.core.conformance.walk.play import Play
from ludex.core.conformance.walk.visit import Visit
from ludex.core.game import Outcome


def outcome_form(visit: Visit) -> Iterator[str]:
    """An outcome has one score in -1..1 a player, and a reason."""
    outcome: Any = visit.game.outcome(visit.state)
    if outcome is None:
        return
    if not isinstance(outcome, Outcome):
        yield f"outcome is {outcome!r}, expected an Outcome or None"
        return
    if not isinstance(outcome.scores, tuple) or len(outcome.scores) != visit.info.players:
        yield f"scores are {outcome.scores!r}, expected a tuple of {visit.info.players}"
        return
    for player, score in enumerate(outcome.scores):
        if type(score) is bool or not isinstance(score, int | float) or not -1.0 <= score <= 1.0:
            yield f"the score of player {player} is {score!r}, expected a number in -1..1"
    if not isinstance(outcome.reason, str) or not outcome.reason.strip():
        yield f"the reason is {outcome.reason!r}, expected a word or two"


def zero_sum(visit: Visit) -> Iterator[str]:
    """Scores add up to zero where that is declared."""
    if visit.info.zero_sum and visit.outcome is not None:
        total = sum(visit.outcome.scores)
        if not math.isclose(total, 0.0, abs_tol=1e-9):
            yield f"scores {list(visit.outcome.scores)} add up to {total}, declared zero_sum"


def length(play: Play) -> Iterator[str]:
    """No match is longer than `max_plies`."""
    if not play.visits:
        raise BlockedError("there is no first position")
    last = play.visits[-1]
    if last.ply == play.game.info.max_plies and last.live:
        yield f"the match is live after {last.ply} plies, declared max_plies is {play.game.info.max_plies}"
