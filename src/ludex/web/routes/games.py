"""The list of games."""

from fastapi import APIRouter

from ludex.web.errors import problems
from ludex.web.schemas import Games, Preparations
from ludex.web.state import State

router = APIRouter(prefix="/api", tags=["games"])


@router.get("/games", responses=problems())
async def games(state: State) -> Games:
    """Every game with its boards and agents."""
    return await state.cards.games()


@router.get("/games/preparation", responses=problems())
async def preparation(state: State) -> Preparations:
    """How far the kernels of every game are compiled, for a page that waits for one."""
    return Preparations(games=[*(await state.preparation.games()).values()])
