"""The caller: nickname, ratings and the difficulties that suit them."""

import asyncio
import json
from typing import Annotated

from fastapi import APIRouter, Query, Response

from ludex.store.nicknames import checked_nickname
from ludex.web.errors import problems
from ludex.web.personal import personal_page
from ludex.web.ratings import level_offers, personal_ratings
from ludex.web.schemas.arena import LevelOffers, PersonalRatings
from ludex.web.schemas.personal import DeletedPerson, DeleteRequest, Me, NicknameRequest, PersonalPage
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
    checked = None if request.nickname is None else checked_nickname(request.nickname)
    await state.nicknames.set(person, checked)
    state.matches.announce_nickname(person)
    return Me(nickname=checked)


@router.get("/ratings", responses=problems("bad_request"))
async def ratings(
    state: State,
    person: Person,
    match: Annotated[str | None, Query(max_length=64, description="a match of the caller: whether it counts")] = None,
) -> PersonalRatings:
    """The caller's strength against the levels, from their own finished matches."""
    leaderboard = await state.leaderboard.games()
    return await asyncio.to_thread(personal_ratings, state.database, leaderboard, person, match)


@router.get("/page", responses=problems())
async def page(state: State, person: Person) -> PersonalPage:
    """What the server knows of the caller's play, and what they might try next."""
    leaderboard = await state.leaderboard.games()
    return await asyncio.to_thread(personal_page, state.database, leaderboard, person)


@router.get("/export", responses=problems())
async def export(state: State, person: Person) -> Response:
    """Everything that the server has of the caller, as one JSON file."""
    document = await asyncio.to_thread(state.database.personal.export, person)
    headers = {"Content-Disposition": 'attachment; filename="ludex.json"'}
    return Response(json.dumps(document, indent=1), headers=headers, media_type="application/json")


@router.post("/delete", responses=problems("bad_request", "wrong_origin", "too_large", "stale_match", "preparing"))
async def delete(state: State, person: Person, request: DeleteRequest) -> DeletedPerson:
    """Delete everything that the server has of the caller; matches of other people stay, without the caller.

    In those that are live the caller resigns, so that nobody waits for moves that never come.
    """
    for match in await asyncio.to_thread(state.database.personal.live_with_others, person):
        view = await state.matches.view(match, person)
        await state.matches.resign(match, view.version, person)
    deleted = await asyncio.to_thread(state.database.personal.delete, person)
    await state.nicknames.set(person, None)
    for match in deleted.matches:
        state.hub.removed(match)
    for match in deleted.left:
        state.hub.changed(match)
    return DeletedPerson(matches=len(deleted.matches), left=len(deleted.left), attempts=deleted.attempts)


@router.get("/levels", responses=problems())
async def levels(state: State, person: Person) -> LevelOffers:
    """The next difficulty by game, after two wins or three losses in a row."""
    return await asyncio.to_thread(level_offers, state.database, person)
