"""The list of games, their rules and tutorials, and positions that people draw, paste or drop, with what agents say."""

import asyncio
from functools import partial
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request

from ludex.kernels.warmup import PLAYED
from ludex.web.answers import StrictRoute, wait_for_disconnect
from ludex.web.cards import BoardCard, Games, board_card
from ludex.web.editing import EditedPosition, analysis_task
from ludex.web.editing import edit as edit_position
from ludex.web.errors import problems
from ludex.web.schemas.analyses import Analysis
from ludex.web.schemas.base import Document, GamePreparation
from ludex.web.schemas.requests import EditAnalysisRequest, EditRequest
from ludex.web.state import Person, State
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

router = APIRouter(prefix="/api/games", route_class=StrictRoute)
FAILS: Final = ("unknown_game", "broken_game", "unknown_preset", "usage", "bad_request", "preparing", "kernels_failed")
STEP_FAILS: Final = (*FAILS, "unknown_tutorial")
EDIT_FAILS: Final = (*FAILS, "data", "move", "wrong_origin", "too_large")
Preset = Annotated[str, Query(max_length=256)]


class Preparations(Document):
    """How far the kernels of every game are compiled."""

    games: list[GamePreparation]
    agents: list[GamePreparation]
    """The kernels of agents that a game can be played without."""


@router.get("", tags=["games"], responses=problems())
async def games(state: State) -> Games:
    """Every game with its boards and agents."""
    return await state.cards.games()


@router.get("/preparation", tags=["games"], responses=problems())
async def preparation(state: State, request: Request) -> Preparations:
    """How far the kernels of every game are compiled; the administrator sees why one failed."""
    with_reasons = state.administrators.find(request) is not None
    games, agents = [[*(await state.preparation.games(group, with_reasons=with_reasons)).values()] for group in PLAYED]
    return Preparations(games=games, agents=agents)


@router.get(
    "/{game}/board",
    tags=["games"],
    responses=problems("bad_request", "usage", "unknown_game", "unknown_preset", "broken_game"),
)
async def board(game: str, preset: Preset) -> BoardCard:
    """What people call a board, and who plays it: of a preset, or with options, such as `expert:mines=80`."""
    return await asyncio.to_thread(board_card, game, preset)


@router.get("/{game}/rules", tags=["teaching"], responses=problems(*FAILS))
async def rules(state: State, game: str, preset: Preset) -> RulesView:
    """The rules of a board in words and pictures; without sections where the game brings none."""
    await state.preparation.require(game)
    return await asyncio.to_thread(rules_view, game, preset)


@router.get("/{game}/tutorial", tags=["teaching"], responses=problems(*STEP_FAILS))
async def tutorial(game: str) -> TutorialView:
    """The steps of a game's tutorial."""
    return await asyncio.to_thread(tutorial_view, game)


@router.get("/{game}/tutorial/{step}", tags=["teaching"], responses=problems(*STEP_FAILS))
async def step(state: State, game: str, step: str, picture: bool = False) -> StepPosition:
    """Where a step begins; on request with its board as text and the legal moves, whatever draws it."""
    await state.preparation.require(game)
    return await asyncio.to_thread(step_position, game, step, picture=picture)


@router.post("/{game}/tutorial/{step}", tags=["teaching"], responses=problems(*STEP_FAILS, "wrong_origin", "too_large"))
async def judge(state: State, game: str, step: str, request: TutorialMoves, picture: bool = False) -> TutorialVerdict:
    """Judge the last of the moves that a person has made in a step; the server keeps nothing of it."""
    await state.preparation.require(game)
    return await asyncio.to_thread(tutorial_verdict, game, step, request.moves, picture=picture)


@router.post("/{game}/edit", tags=["editing"], responses=problems(*EDIT_FAILS))
async def edit(state: State, game: str, request: EditRequest) -> EditedPosition:
    """A position with its changes; the server keeps nothing of it."""
    await state.preparation.require(game)
    return await state.matches.offload.run(edit_position, game, request)


@router.post(
    "/{game}/edit/analysis",
    tags=["editing"],
    responses=problems(*EDIT_FAILS, "unknown_agent", "too_busy", "agent_fault", "abandoned"),
)
async def analyse(
    state: State, person: Person, game: str, request: EditAnalysisRequest, connection: Request
) -> Analysis:
    """An agent's analysis of an edited position; one that the rules do not allow is refused with the reason."""
    await state.preparation.require(game)
    task = await state.matches.offload.run(analysis_task, game, request)
    return await state.pool.begin(task, person).result_unless(partial(wait_for_disconnect, connection))
