"""Rules of boards, and tutorials whose tasks only moves complete that the game accepts."""

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Query

from ludex.web.errors import problems
from ludex.web.state import State
from ludex.web.strict_json import StrictRoute
from ludex.web.teaching import (
    RulesView,
    StepPosition,
    TutorialMoves,
    TutorialVerdict,
    TutorialView,
    rules_view,
    step_position,
    tutorial_verdict,
    tutorial_view,
)

router = APIRouter(prefix="/api/games/{game}", tags=["teaching"], route_class=StrictRoute)

FAILS: Final = ("unknown_game", "broken_game", "unknown_preset", "usage", "bad_request", "preparing", "kernels_failed")
STEP_FAILS: Final = (*FAILS, "unknown_tutorial")


@router.get("/rules", responses=problems(*FAILS))
async def rules(state: State, game: str, preset: Annotated[str, Query(max_length=256)]) -> RulesView:
    """The rules of a board in words and pictures; without sections where the game brings none."""
    await state.preparation.require(game)
    return await asyncio.to_thread(rules_view, game, preset)


@router.get("/tutorial", responses=problems(*STEP_FAILS))
async def tutorial(game: str) -> TutorialView:
    """The steps of a game's tutorial."""
    return await asyncio.to_thread(tutorial_view, game)


@router.get("/tutorial/{step}", responses=problems(*STEP_FAILS))
async def step(state: State, game: str, step: str, picture: bool = False) -> StepPosition:
    """Where a step begins; on request with its board as text and the legal moves, whatever draws it."""
    await state.preparation.require(game)
    return await asyncio.to_thread(step_position, game, step, picture=picture)


@router.post("/tutorial/{step}", responses=problems(*STEP_FAILS, "wrong_origin", "too_large"))
async def judge(state: State, game: str, step: str, request: TutorialMoves, picture: bool = False) -> TutorialVerdict:
    """Judge the last of the moves that a person has made in a step; the server keeps nothing of it."""
    await state.preparation.require(game)
    return await asyncio.to_thread(tutorial_verdict, game, step, request.moves, picture=picture)
