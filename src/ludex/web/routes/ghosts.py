"""Ghosts: positions of finished matches that friends play, with both results side by side."""

import asyncio
from typing import Final

from fastapi import APIRouter

from ludex.store.database import Database
from ludex.web.errors import problems
from ludex.web.ghosts import create, ghost_view, seats_of
from ludex.web.schemas.ghosts import GhostRequest, GhostStart, GhostView
from ludex.web.schemas.requests import ForkRequest
from ludex.web.state import Person, State
from ludex.web.strict_json import StrictRoute

router = APIRouter(prefix="/api/ghosts", tags=["ghosts"], route_class=StrictRoute)

FAILS: Final = ("unknown_ghost", "unknown_match", "bad_request", "usage", "data", "preparing", "kernels_failed")
WRITES: Final = (*FAILS, "wrong_origin", "too_large")


@router.post("", responses=problems(*WRITES, "not_your_seat", "match_live"))
async def make(state: State, person: Person, request: GhostRequest) -> GhostView:
    """A ghost of the caller's finished match, from a ply on; asked for again, it is the same one."""
    ghost = await asyncio.to_thread(create, state.database, person, request.match, request.ply)
    return await asyncio.to_thread(ghost_view, state.database, person, ghost)


@router.get("/{ghost}", responses=problems(*FAILS))
async def ghost(state: State, person: Person, ghost: str) -> GhostView:
    """A ghost and the results of everybody who has played it; their matches are named once the caller's is over."""
    return await asyncio.to_thread(_view, state.database, person, ghost)


@router.post("/{ghost}/play", responses=problems(*WRITES, "too_many_matches", "damaged_match", "secret", "no_help"))
async def play(state: State, person: Person, ghost: str) -> GhostStart:
    """Begin a match from the position, with the same seed and machine; with dice or secrets it is practice."""
    origin = await asyncio.to_thread(state.database.ghosts.get, ghost)
    seats = await asyncio.to_thread(seats_of, state.database, origin)
    match = await state.matches.fork(origin.match_id, ForkRequest(ply=origin.ply, seats=seats), person)
    await asyncio.to_thread(state.database.ghosts.add_match, origin.id, match.id)
    return GhostStart(match=match.id)


def _view(database: Database, person: str, ghost_id: str) -> GhostView:
    return ghost_view(database, person, database.ghosts.get(ghost_id))
