"""Positions that people draw, paste or drop, and what agents say of them."""

from functools import partial
from typing import Final

from fastapi import APIRouter, Request

from ludex.web.answers import disconnected
from ludex.web.editing import EditedPosition
from ludex.web.errors import problems
from ludex.web.schemas.analyses import Analysis
from ludex.web.schemas.requests import EditAnalysisRequest, EditRequest
from ludex.web.state import Person, State
from ludex.web.strict_json import StrictRoute

router = APIRouter(prefix="/api/games/{game}/edit", tags=["editing"], route_class=StrictRoute)

FAILS: Final = (
    *("unknown_game", "broken_game", "unknown_preset", "usage", "bad_request", "data", "preparing", "kernels_failed"),
    *("move", "wrong_origin", "too_large"),
)


@router.post("", responses=problems(*FAILS))
async def edit(state: State, game: str, request: EditRequest) -> EditedPosition:
    """A position with its changes; the server keeps nothing of it."""
    await state.preparation.require(game)
    return await state.matches.editing.edit(game, request)


@router.post("/analysis", responses=problems(*FAILS, "unknown_agent", "too_busy", "agent_fault", "abandoned"))
async def analyse(
    state: State, person: Person, game: str, request: EditAnalysisRequest, connection: Request
) -> Analysis:
    """An agent's analysis of an edited position; one that the rules do not allow is refused with the reason."""
    await state.preparation.require(game)
    return await state.matches.editing.analyse(game, request, person, partial(disconnected, connection))
