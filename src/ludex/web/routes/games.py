"""The list of games."""

from fastapi import APIRouter, Request

from ludex.web.errors import problems
from ludex.web.schemas import Games, Preparations
from ludex.web.state import State

router = APIRouter(prefix="/api", tags=["games"])


@router.get("/games", responses=problems())
async def games(state: State) -> Games:
    """Every game with its boards and agents."""
    return await state.cards.games()


@router.get("/games/preparation", responses=problems())
async def preparation(state: State, request: Request) -> Preparations:
    """How far the kernels of every game are compiled; the administrator sees why one failed."""
    with_reasons = state.administrators.find(request) is not None
    return Preparations(games=[*(await state.preparation.games(with_reasons=with_reasons)).values()])
