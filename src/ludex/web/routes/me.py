"""The caller's own ratings, and the difficulties that suit them."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query

from ludex.web.arena_schemas import LevelOffers, PersonalRatings
from ludex.web.errors import problems
from ludex.web.offers import level_offers
from ludex.web.ratings import personal_ratings
from ludex.web.state import Person, State

router = APIRouter(prefix="/api/me", tags=["me"])


@router.get("/ratings", responses=problems("bad_request"))
async def ratings(
    state: State,
    person: Person,
    match: Annotated[str | None, Query(max_length=64, description="a match of the caller: whether it counts")] = None,
) -> PersonalRatings:
    """The caller's strength against the levels, from their own finished matches."""
    leaderboard = await state.leaderboard.games()
    return await asyncio.to_thread(personal_ratings, state.database, leaderboard, person, match)


@router.get("/levels", responses=problems())
async def levels(state: State, person: Person) -> LevelOffers:
    """The next difficulty by game, after two wins or three losses in a row."""
    return await asyncio.to_thread(level_offers, state.database, person)
