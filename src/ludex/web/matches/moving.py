"""What a move does: a text, an index or a text that stands for several moves, played on a branch of the match."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ludex.core.errors import MoveError
from ludex.core.game import Action, legal_actions
from ludex.core.match import Match
from ludex.core.registry import resolve
from ludex.web.errors import BadRequest, Refused
from ludex.web.matches.permission import has_conceded
from ludex.web.matches.table import Table
from ludex.web.schemas import LegalMove, MoveRequest, Thought, Trial

MOST_TEXTS = 40
"""So many legal moves are named when a move is refused."""


@dataclass
class Change:
    """A match that has gone on, and what is counted of it."""

    match: Match[Any, Any]
    moved: list[str] = field(default_factory=list)
    """The seats' names, one a move."""
    counted: list[Mapping[str, int]] = field(default_factory=list)


def asked(table: Table, request: MoveRequest) -> Change:
    """Play what a person asks for. Raises `Refused` with legal moves."""
    if (request.text is None) == (request.action is None):
        raise BadRequest("a move is named either by text or by action: expected exactly one of them")
    change = Change(table.match.branch())
    try:
        if request.action is not None:
            _play(table, change, request.action, {})
        else:
            _play_text(table, change, str(request.text))
    except MoveError as error:
        raise Refused(error, [move.text for move in legal_moves(table)[:MOST_TEXTS]]) from error
    return change


def decided(table: Table, thought: Thought) -> Change:
    """Do what a machine has decided."""
    change = Change(table.match.branch())
    if thought.resigns:
        change.match.resign(change.match.to_move)
    else:
        _play(table, change, thought.action, thought.stats)
    return change


def undone(table: Table, person: str) -> Match[Any, Any]:
    """The match at this person's previous turn; a resignation alone is taken back by itself."""
    match, held = table.match, table.seats_of(person)
    if has_conceded(table, person):
        return match.branch(match.ply)
    return match.branch(max(ply for ply, move in enumerate(match.moves) if move.player in held))


def resigned(table: Table, person: str) -> Match[Any, Any]:
    """The match given up by this person; at a screen with both players by the one to move."""
    match, held = table.match.branch(), table.seats_of(person)
    match.resign(match.to_move if match.to_move in held else held[0])
    return match


def judged(table: Table, text: str) -> Trial:
    """Whether a move would be accepted; it is played where nobody sees it."""
    try:
        _play_text(table, Change(table.match.branch()), text)
    except MoveError as error:
        return Trial(legal=False, code=error.code, message=error.message)
    return Trial(legal=True, code=None, message=None)


def legal_moves(table: Table) -> list[LegalMove]:
    """Every legal move; none once the match is over."""
    if not table.live:
        return []
    game, state = table.game, table.match.state
    return [LegalMove(action=a, text=game.action_text(state, a)) for a in legal_actions(game.legal(state))]


def code_of(error: MoveError) -> str:
    """Why a move was refused, in a word."""
    return error.reason.code if isinstance(error, Refused) else error.code


def _play_text(table: Table, change: Change, text: str) -> None:
    match, game = change.match, change.match.game
    texts = None
    if table.spec.composite is not None:
        mover = match.to_move
        texts = resolve(table.spec.composite)(game, game.view(match.state, mover), text)
    if texts is None:
        _play(table, change, game.parse_action(match.state, text), {})
        return
    for part in texts:
        if match.over:
            return
        action = game.parse_action(match.state, part)
        # An earlier part may have done this one as well.
        if change.moved and not game.legal(match.state)[action]:
            continue
        _play(table, change, action, {})


def _play(table: Table, change: Change, action: Action, stats: Mapping[str, Any]) -> None:
    match = change.match
    mover, before = match.to_move, match.state
    match.play(action)
    change.moved.append(table.agents[mover])
    if table.spec.counters is not None:
        change.counted.append(resolve(table.spec.counters)(match.game, before, action, stats))
