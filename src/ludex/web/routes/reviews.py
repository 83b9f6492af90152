"""Reviews of finished matches, and the moves that people try instead of their mistakes."""

import asyncio
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import PlainTextResponse

from ludex.web.answers import StrictRoute
from ludex.web.errors import problems
from ludex.web.routes.matches import ONE, WRITES
from ludex.web.routes.puzzles import note_retry
from ludex.web.schemas.reviews import RetryRequest, RetryVerdict, ReviewPosition, ReviewView
from ludex.web.state import Person, State

router = APIRouter(prefix="/api/matches/{match_id}/review", tags=["reviews"], route_class=StrictRoute)

MOST_MOVES: Final = 64
"""Of a line that is shown."""
FAILS: Final = (*ONE, "match_live", "usage", "too_busy", "agent_fault", "abandoned")


@router.get("", responses=problems(*FAILS))
async def review(state: State, person: Person, match_id: str) -> ReviewView:
    """The review of a match that is over, so far: the first request begins it.

    Who subscribes to the match hears of every step; the finished one is kept until the analyst changes.
    """
    return await state.matches.reviews.of(await state.matches.load(match_id), person)


@router.post("", responses=problems(*FAILS, *WRITES))
async def again(state: State, person: Person, match_id: str) -> ReviewView:
    """The same, but a review that failed begins again: until then its failure is remembered."""
    return await state.matches.reviews.of(await state.matches.load(match_id), person, again=True)


@router.get("/text", responses=problems(*FAILS, "bad_request"), response_class=PlainTextResponse)
async def text(state: State, person: Person, match_id: str, language: Literal["en", "fr"] = "en") -> PlainTextResponse:
    """A finished review as a text in the manner of PGN: every move with the chances after it and the reasons."""
    review_text = await state.matches.reviews.text(await state.matches.load(match_id), person, language)
    headers = {"Content-Disposition": f'attachment; filename="review-{match_id}.txt"'}
    return PlainTextResponse(review_text, headers=headers)


@router.get("/{ply}", responses=problems(*ONE, "match_live", "move", "bad_request"))
async def position(
    state: State,
    match_id: str,
    ply: Annotated[int, Path(ge=0, lt=1 << 31)],
    moves: Annotated[list[str] | None, Query(max_length=MOST_MOVES)] = None,
) -> ReviewPosition:
    """The position before a move, or after other moves from there, with the moves that can be made.

    Other moves are shown in games without chance and secrets only.
    """
    return await state.matches.reviews.position(await state.matches.load(match_id), ply, moves or ())


@router.post("/try", responses=problems(*FAILS, *WRITES, "move"))
async def retry(state: State, person: Person, match_id: str, request: RetryRequest) -> RetryVerdict:
    """What the analyst says of another move in the place of one that was made; nothing is played.

    In the place of the caller's own mistake it is an attempt to put that right, as among the puzzles.
    """
    verdict = await state.matches.retry(match_id, request, person)
    await asyncio.to_thread(note_retry, state.database, person, match_id, verdict)
    return verdict
