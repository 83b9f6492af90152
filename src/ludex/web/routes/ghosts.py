"""Ghosts: positions of finished matches that friends play, with both results side by side."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from fastapi import APIRouter
from pydantic import Field

from ludex.coach.accuracy import Kept, accuracy
from ludex.core.errors import UnknownMatch, Unsupported
from ludex.core.record import PERSON, Record
from ludex.store.database import Database, Ghost
from ludex.store.hosting import HostedMatch
from ludex.store.matches import IDS
from ludex.store.timing import ms_between
from ludex.web.answers import StrictRoute
from ludex.web.boards import agent_title, board, board_title, game_title, replay_record
from ludex.web.errors import BadRequest, MatchLive, NotYourSeat, problems
from ludex.web.routes.times import duration
from ludex.web.schemas.base import Document, RequestBody, Texts
from ludex.web.schemas.requests import ForkRequest
from ludex.web.state import Person, State
from ludex.web.teaching import ShownPosition, illustrate, shown_position

router = APIRouter(prefix="/api/ghosts", tags=["ghosts"], route_class=StrictRoute)
MOST_RESULTS: Final = 50
FAILS: Final = ("unknown_ghost", "unknown_match", "bad_request", "usage", "data", "preparing", "kernels_failed")
WRITES: Final = (*FAILS, "wrong_origin", "too_large")


class GhostRequest(RequestBody):
    """A ghost of the caller's finished match."""

    match: str = Field(max_length=64)
    ply: int = Field(default=0, ge=0)
    """The ply from which others play: 0 is the beginning, with the same seed."""


class GhostResult(Document):
    """How a match from the position went."""

    match: str | None
    """Its id; None while the caller could still learn from it."""
    nickname: str | None
    you: bool
    original: bool
    """Whether it is the match that the ghost comes from."""
    live: bool
    score: float | None
    """1 won, 0 drawn, -1 lost; None while it is live, and after an abort."""
    plies: int
    """Moves of both players from the position on."""
    time: Texts
    """From its beginning to its last move."""
    accuracy: float | None
    """Of the person's moves from the position on, 0 to 100; None where the match is not reviewed."""


class GhostView(Document):
    """A ghost, with the results of all who have played it."""

    id: str
    path: str
    """The address to give to a friend."""
    game: str
    names: Texts
    board: Texts
    ply: int
    opponent: Texts | None
    """The machine; None in a game for one."""
    position: ShownPosition
    results: list[GhostResult]
    """The original first."""
    yours: str | None
    """The caller's own match from here, live or finished; None before they have played."""


class GhostStart(Document):
    """The match that was begun."""

    match: str


def create(database: Database, person: str, match_id: str, ply: int) -> Ghost:
    """The ghost of a person's finished match; raises `LudexError` where there can be none.

    A live match has none: its seed is secret, and who plays a ghost learns what the seed leads to.
    """
    if not IDS.fullmatch(match_id):
        raise UnknownMatch(f"no match has the id {match_id!r}")
    hosted = database.hostings.get(match_id)
    seats, record = {} if hosted.hosting is None else hosted.hosting.seats, hosted.stored.record
    own_seats = [player for player, holder in seats.items() if holder == person]
    if not own_seats:
        raise NotYourSeat("only a match that you have played can be given to a friend")
    if record.agents.count(PERSON) != 1:
        raise Unsupported("a match between people has no ghost: the other person would have to play again")
    if _live(hosted):
        raise MatchLive("the match is not over yet: its seed is secret")
    ply, last = max(ply, _fixed_after(record)), len(record.actions)
    if ply > last:
        raise BadRequest(f"ply: the match has plies 0..{last}, found {ply}")
    if replay_record(record).branch(ply).over:
        raise BadRequest(f"ply: the match is over after {ply} plies, nothing can go on from there")
    return database.ghosts.create(match_id, own_seats[0], ply)


def ghost_view(database: Database, person: str, ghost: Ghost) -> GhostView:
    """A ghost as a person may see it: the other matches from it once their own is over."""
    original = database.hostings.get(ghost.match_id)
    matches = [original, *_find_matches(database, database.ghosts.matches(ghost.id, MOST_RESULTS))]
    reviews = database.reviews.of([match.stored.id for match in matches])
    names = database.nicknames.of({holder for match in matches if (holder := _holder(match, ghost)) is not None})
    own_matches = [match for match in matches if _holder(match, ghost) == person]
    done = any(not _live(match) for match in own_matches)
    record = original.stored.record
    machine = next((name for name in record.agents if name != PERSON), None)
    own = [match for match in own_matches if match is not original]
    return GhostView(
        id=ghost.id,
        path=f"/ghost/{ghost.id}",
        game=record.game,
        names=game_title(record.game),
        board=board_title(record.game, record.preset),
        ply=ghost.ply,
        opponent=None if machine is None else agent_title(record.game, machine),
        position=shown_position(illustrate(replay_record(record), ghost.ply, viewer=ghost.player)),
        results=[
            GhostResult(
                match=match.stored.id if done or match in own_matches else None,
                nickname=names.get(_holder(match, ghost) or ""),
                you=match in own_matches,
                original=match is original,
                live=_live(match),
                score=None if match.stored.record.outcome is None else match.stored.record.outcome.scores[ghost.player],
                plies=len(match.stored.record.actions) - ghost.ply,
                time=duration(
                    ms_between(match.stored.begun_utc or match.stored.created_utc, match.stored.updated_utc)
                ).texts(),
                accuracy=_accuracy(reviews.get(match.stored.id), ghost),
            )
            for match in matches
        ],
        yours=own[-1].stored.id if own else original.stored.id if original in own_matches else None,
    )


def _fixed_after(record: Record) -> int:
    """The plies after which the hidden part of a match is the same for all who go on from there.

    Alone with hidden information the first move may decide what is hidden, as it does where it is always safe.
    """
    info = board(record.game, record.preset).info
    alone = info.players == 1 and info.information == "hidden" and info.chance != "none"
    return min(1, len(record.actions)) if alone else 0


def _find_matches(database: Database, match_ids: list[str]) -> Iterator[HostedMatch]:
    for match_id in match_ids:
        # One of them may have been deleted a moment ago.
        with suppress(UnknownMatch):
            yield database.hostings.get(match_id)


def _holder(hosted: HostedMatch, ghost: Ghost) -> str | None:
    return None if hosted.hosting is None else hosted.hosting.seats.get(ghost.player)


def _live(hosted: HostedMatch) -> bool:
    return hosted.stored.record.outcome is None and hosted.stored.record.aborted is None


def _accuracy(review: Mapping[str, Any] | None, ghost: Ghost) -> float | None:
    """That of the ghost's player from its ply on."""
    return accuracy(
        Kept(move["expected"], move["loss"])
        for move in (review or {"moves": ()})["moves"]
        if move["player"] == ghost.player and move["ply"] >= ghost.ply and not move["forced"]
    )


@router.post("", responses=problems(*WRITES, "not_your_seat", "match_live"))
async def make(state: State, person: Person, request: GhostRequest) -> GhostView:
    """A ghost of the caller's finished match, from a ply on; asked for again, it is the same one."""
    ghost = await asyncio.to_thread(create, state.database, person, request.match, request.ply)
    return await asyncio.to_thread(ghost_view, state.database, person, ghost)


@router.get("/{ghost}", responses=problems(*FAILS))
async def ghost(state: State, person: Person, ghost: str) -> GhostView:
    """A ghost and the results of all who have played it; their matches are named once the caller's is over."""
    database = state.database
    return await asyncio.to_thread(lambda: ghost_view(database, person, database.ghosts.get(ghost)))


@router.post("/{ghost}/play", responses=problems(*WRITES, "too_many_matches", "damaged_match", "secret", "no_help"))
async def play(state: State, person: Person, ghost: str) -> GhostStart:
    """Begin a match from the position, with the same seed and machine; with dice or secrets it is practice."""
    origin = await asyncio.to_thread(state.database.ghosts.get, ghost)
    original = await asyncio.to_thread(state.database.matches.get, origin.match_id)
    # The caller sits where the person of the original sat.
    request = ForkRequest(ply=origin.ply, seats=[*original.record.agents])
    match = await state.matches.fork(origin.match_id, request, person)
    await asyncio.to_thread(state.database.ghosts.add_match, origin.id, match.id)
    return GhostStart(match=match.id)
