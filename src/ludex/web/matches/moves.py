"""Moves of people and agents, played on a branch of the match: an index, a text, or a text for several moves."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from ludex.core.errors import MoveError
from ludex.core.game import Action, legal_actions
from ludex.core.hooks import as_counts, try_hook
from ludex.core.match import Match
from ludex.core.registry import resolve
from ludex.web.errors import BadRequest, Refused, error_texts
from ludex.web.matches.model import Change, MatchSnapshot
from ludex.web.matches.policy import has_conceded
from ludex.web.schemas.analyses import Analysis
from ludex.web.schemas.matches import LegalMove, Trial
from ludex.web.schemas.requests import MoveRequest

MOST_TEXTS: Final = 40
"""Legal moves that a refusal names."""


def play_request(snapshot: MatchSnapshot, request: MoveRequest) -> Change:
    """The change that a person's move makes. Raises `Refused` with legal moves."""
    if (request.text is None) == (request.action is None):
        raise BadRequest("a move is named either by text or by action: expected exactly one of them")
    change = Change(snapshot.match.branch())
    try:
        if request.action is not None:
            _play(snapshot, change, request.action, {})
        else:
            _play_text(snapshot, change, str(request.text))
    except MoveError as error:
        raise Refused(error, [move.text for move in legal_moves(snapshot)[:MOST_TEXTS]]) from error
    return change


def play_decision(snapshot: MatchSnapshot, analysis: Analysis) -> Change:
    """The change that an agent's decision makes."""
    change = Change(snapshot.match.branch())
    if analysis.resigns:
        change.match.resign(change.match.to_move)
    else:
        _play(snapshot, change, analysis.action, analysis.stats)
    return change


def undo_for(snapshot: MatchSnapshot, person: str) -> Match[Any, Any]:
    """The match at this person's previous turn; a resignation is taken back without a move."""
    match, seats = snapshot.match, snapshot.seats_of(person)
    if has_conceded(snapshot, person):
        return match.branch(match.ply)
    return match.branch(max(ply for ply, move in enumerate(match.moves) if move.player in seats))


def resign_for(snapshot: MatchSnapshot, person: str) -> Match[Any, Any]:
    """The match resigned by this person; by the player to move if the person holds both seats."""
    match, seats = snapshot.match.branch(), snapshot.seats_of(person)
    match.resign(match.to_move if match.to_move in seats else seats[0])
    return match


def try_move(snapshot: MatchSnapshot, text: str) -> Trial:
    """Whether a move would be accepted; nothing is changed."""
    try:
        _play_text(snapshot, Change(snapshot.match.branch()), text)
    except MoveError as error:
        return Trial(legal=False, code=error.code, message=error.message, text=error_texts(error))
    return Trial(legal=True, code=None, message=None)


def legal_moves(snapshot: MatchSnapshot) -> list[LegalMove]:
    """Every legal move; none once the match is over."""
    if not snapshot.live:
        return []
    game, state = snapshot.game, snapshot.match.state
    return [LegalMove(action=a, text=game.action_text(state, a)) for a in legal_actions(game.legal(state))]


def _play_text(snapshot: MatchSnapshot, change: Change, text: str) -> None:
    for action in change.match.actions_of(text):
        _play(snapshot, change, action, {})


def _play(snapshot: MatchSnapshot, change: Change, action: Action, stats: Mapping[str, Any]) -> None:
    match = change.match
    mover, before = match.to_move, match.state
    match.play(action)
    change.movers.append(snapshot.agents[mover])
    hook = snapshot.spec.tools.metrics
    if hook is not None:
        count = partial(resolve(hook), match.game, before, action, stats)
        change.counters.append(try_hook(match.game.info.id, "tools.metrics", lambda: as_counts(count()), {}))
