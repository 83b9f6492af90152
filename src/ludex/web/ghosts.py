"""Ghosts: a friend plays a position of a finished match with the same seed, and both results stand side by side."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from ludex.coach.accuracy import Kept, accuracy
from ludex.core.errors import UnknownMatch, Unsupported
from ludex.core.illustration import Illustration, PositionSpec
from ludex.core.match import Match
from ludex.core.record import PERSON, replay
from ludex.store.database import Database
from ludex.store.ghosts import Ghost
from ludex.store.hosting import HostedMatch
from ludex.store.matches import IDS
from ludex.web.boards import agent_title, board, board_title, game_title
from ludex.web.errors import BadRequest, MatchLive, NotYourSeat
from ludex.web.schemas.ghosts import GhostResult, GhostView
from ludex.web.teaching import shown_position

MOST_RESULTS: Final = 50


def create(database: Database, person: str, match_id: str, ply: int) -> Ghost:
    """The ghost of a person's finished match; raises `LudexError` where there can be none.

    A live match has none: its seed is secret, and who plays a ghost learns what the seed leads to.
    """
    if not IDS.fullmatch(match_id):
        raise UnknownMatch(f"no match has the id {match_id!r}")
    hosted = database.hostings.get(match_id)
    seats = {} if hosted.hosting is None else hosted.hosting.seats
    mine = [player for player, holder in seats.items() if holder == person]
    if not mine:
        raise NotYourSeat("only a match that you have played can be given to a friend")
    if hosted.stored.record.agents.count(PERSON) != 1:
        raise Unsupported("a match between people has no ghost: the other person would have to play again")
    if _live(hosted):
        raise MatchLive("the match is not over yet: its seed is secret")
    if ply > len(hosted.stored.record.actions):
        raise BadRequest(f"ply: the match has plies 0..{len(hosted.stored.record.actions)}, found {ply}")
    if _match(hosted).branch(ply).over:
        raise BadRequest(f"ply: the match is over after {ply} plies, nothing can go on from there")
    return database.ghosts.create(match_id, mine[0], ply)


def ghost_view(database: Database, person: str, ghost: Ghost) -> GhostView:
    """A ghost as a person may see it: the other matches from it once their own is over."""
    original = database.hostings.get(ghost.match_id)
    others = [_find_match(database, match_id) for match_id in database.ghosts.matches(ghost.id, MOST_RESULTS)]
    matches = [original, *(match for match in others if match is not None)]
    reviews = database.reviews.of([match.stored.id for match in matches])
    names = database.nicknames.of({holder for match in matches if (holder := _holder(match, ghost)) is not None})
    mine = [match for match in matches if _holder(match, ghost) == person]
    done = any(not _live(match) for match in mine)
    record = original.stored.record
    machine = next((name for name in record.agents if name != PERSON), None)
    own = [match for match in mine if match is not original]
    return GhostView(
        id=ghost.id,
        path=f"/ghost/{ghost.id}",
        game=record.game,
        names=game_title(record.game),
        board=board_title(record.game, record.preset),
        ply=ghost.ply,
        opponent=None if machine is None else agent_title(record.game, machine),
        position=shown_position(_position(original, ghost)),
        results=[
            GhostResult(
                match=match.stored.id if done or match in mine else None,
                nickname=names.get(_holder(match, ghost) or ""),
                you=match in mine,
                original=match is original,
                live=_live(match),
                score=None if match.stored.record.outcome is None else match.stored.record.outcome.scores[ghost.player],
                plies=len(match.stored.record.actions) - ghost.ply,
                seconds=_seconds(match),
                accuracy=_accuracy(reviews.get(match.stored.id), ghost),
            )
            for match in matches
        ],
        yours=own[-1].stored.id if own else original.stored.id if original in mine else None,
    )


def seats_of(database: Database, ghost: Ghost) -> list[str]:
    """The seats of a match from a ghost: the caller where the person of the original sat."""
    agents = database.hostings.get(ghost.match_id).stored.record.agents
    return ["you" if name == PERSON else name for name in agents]


def _find_match(database: Database, match_id: str) -> HostedMatch | None:
    try:
        return database.hostings.get(match_id)
    except UnknownMatch:
        # It was deleted a moment ago.
        return None


def _holder(hosted: HostedMatch, ghost: Ghost) -> str | None:
    return None if hosted.hosting is None else hosted.hosting.seats.get(ghost.player)


def _live(hosted: HostedMatch) -> bool:
    return hosted.stored.record.outcome is None and hosted.stored.record.aborted is None


def _match(hosted: HostedMatch) -> Match[Any, Any]:
    record = hosted.stored.record
    return replay(board(record.game, record.preset), record)


def _position(hosted: HostedMatch, ghost: Ghost) -> Illustration:
    match = _match(hosted).branch(ghost.ply)
    spec = PositionSpec(board=match.game.info.preset, viewer=ghost.player)
    return Illustration(game=match.game, state=match.state, spec=spec, moves=tuple(match.moves))


def _accuracy(review: Mapping[str, Any] | None, ghost: Ghost) -> float | None:
    """That of the ghost's player from its ply on."""
    return accuracy(
        Kept(move["expected"], move["loss"])
        for move in (review or {"moves": ()})["moves"]
        if move["player"] == ghost.player and move["ply"] >= ghost.ply and not move["forced"]
    )


def _seconds(hosted: HostedMatch) -> int:
    begun, last = (datetime.fromisoformat(text) for text in (hosted.stored.created_utc, hosted.stored.updated_utc))
    return max(0, round((last - begun).total_seconds()))
