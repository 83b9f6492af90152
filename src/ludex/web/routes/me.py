"""The caller: nickname, ratings and the difficulties that suit them."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query

from ludex.store.nicknames import checked_nickname
from ludex.web.errors import problems
from ludex.web.offers import level_offers
from ludex.web.ratings import personal_ratings
from ludex.web.schemas.arena import LevelOffers, PersonalRatings
from ludex.web.schemas.me import Me, NicknameRequest
from ludex.web.state import Person, State
from ludex.web.strict_json import StrictRoute

router = APIRouter(prefix="/api/me", tags=["me"], route_class=StrictRoute)


@router.get("")
async def me(state: State, person: Person) -> Me:
    """The caller's nickname."""
    return Me(nickname=(await state.nicknames.of([person])).get(person))


@router.put("/nickname", responses=problems("bad_request", "bad_nickname", "wrong_origin", "too_large"))
async def nickname(state: State, person: Person, request: NicknameRequest) -> Me:
    """Choose the name that others see in matches and lists, or take it away."""
    chosen = None if request.nickname is None else checked_nickname(request.nickname)
    await state.nicknames.set(person, chosen)
    state.matches.renamed(person)
    return Me(nickname=chosen)


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
