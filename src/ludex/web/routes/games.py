"""The games there are."""

from fastapi import APIRouter

from ludex.web.errors import problems
from ludex.web.house import InHouse
from ludex.web.schemas import Games

router = APIRouter(prefix="/api", tags=["games"])


@router.get("/games", responses=problems())
async def games(house: InHouse) -> Games:
    """Every game with its boards and machines, as the registry knows them."""
    return await house.cards.games()
