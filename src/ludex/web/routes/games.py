"""The list of games."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request

from ludex.kernels.warmup import PLAYED
from ludex.web.cards import BoardCard, Games, board_card
from ludex.web.errors import problems
from ludex.web.schemas.base import Document, GamePreparation
from ludex.web.state import State
from ludex.web.strict_json import StrictRoute

router = APIRouter(prefix="/api", tags=["games"], route_class=StrictRoute)


class Preparations(Document):
    """How far the kernels of every game are compiled."""

    games: list[GamePreparation]
    agents: list[GamePreparation]
    """The kernels of agents that a game can be played without."""


@router.get("/games", responses=problems())
async def games(state: State) -> Games:
    """Every game with its boards and agents."""
    return await state.cards.games()


@router.get("/games/preparation", responses=problems())
async def preparation(state: State, request: Request) -> Preparations:
    """How far the kernels of every game are compiled; the administrator sees why one failed."""
    with_reasons = state.administrators.find(request) is not None
    games, agents = [[*(await state.preparation.games(group, with_reasons=with_reasons)).values()] for group in PLAYED]
    return Preparations(games=games, agents=agents)


@router.get(
    "/games/{game}/board", responses=problems("bad_request", "usage", "unknown_game", "unknown_preset", "broken_game")
)
async def board(game: str, preset: Annotated[str, Query(max_length=256)]) -> BoardCard:
    """What people call a board, and who plays it: of a preset, or with options, such as `expert:mines=80`."""
    return await asyncio.to_thread(board_card, game, preset)
