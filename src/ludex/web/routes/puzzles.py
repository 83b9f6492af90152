"""Puzzles: what there is, the next one, the one of the day, and the judgement of moves."""

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Query

from ludex.coach.puzzles.choice import daily
from ludex.coach.puzzles.collection import puzzle as find
from ludex.coach.puzzles.training import Training, utc_today
from ludex.core.puzzle import Puzzle
from ludex.store.database import Database
from ludex.web.errors import problems
from ludex.web.puzzles import overview, puzzle_view, solution_view, verdict
from ludex.web.schemas.puzzles import PuzzleMove, PuzzleOverview, PuzzleSolution, PuzzleVerdict, PuzzleView
from ludex.web.state import Person, State
from ludex.web.strict_json import StrictRoute

router = APIRouter(prefix="/api/puzzles", tags=["puzzles"], route_class=StrictRoute)

FAILS: Final = ("unknown_game", "broken_game", "unknown_puzzle", "usage", "bad_request", "preparing", "kernels_failed")
WRITES: Final = (*FAILS, "wrong_origin", "too_large")


@router.get("", responses=problems())
async def puzzles(state: State, person: Person) -> PuzzleOverview:
    """The themes of every game, the caller's rating and streaks, and the puzzle of the day."""
    return await asyncio.to_thread(overview, state.database, person)


@router.get("/{game}/next", responses=problems(*FAILS))
async def next_puzzle(
    state: State,
    person: Person,
    game: str,
    theme: Annotated[str | None, Query(max_length=64, description="one theme only")] = None,
) -> PuzzleView:
    """A puzzle that the caller has not tried, near their rating."""
    await state.preparation.require(game)
    return await asyncio.to_thread(_next, state.database, person, game, theme)


@router.get("/{game}/daily", responses=problems(*FAILS))
async def of_the_day(state: State, person: Person, game: str) -> PuzzleView:
    """The puzzle of the day of a game, the same for everybody."""
    await state.preparation.require(game)
    return await asyncio.to_thread(lambda: puzzle_view(state.database, person, daily(utc_today(), game)))


@router.get("/{game}/{puzzle}", responses=problems(*FAILS))
async def one(state: State, person: Person, game: str, puzzle: str) -> PuzzleView:
    """A puzzle by its id."""
    await state.preparation.require(game)
    return await asyncio.to_thread(lambda: puzzle_view(state.database, person, find(game, puzzle)))


@router.post("/{game}/{puzzle}", responses=problems(*WRITES))
async def judge(state: State, person: Person, game: str, puzzle: str, request: PuzzleMove) -> PuzzleVerdict:
    """Judge a move; the caller's first attempt at a puzzle is rated."""
    await state.preparation.require(game)
    found = await asyncio.to_thread(find, game, puzzle)
    return await asyncio.to_thread(verdict, state.database, person, found, request.move, request.notes)


@router.post("/{game}/{puzzle}/solution", responses=problems(*WRITES))
async def solution(state: State, person: Person, game: str, puzzle: str) -> PuzzleSolution:
    """The solution with its proof; before any attempt it counts as a failed one."""
    await state.preparation.require(game)
    return await asyncio.to_thread(_solution, state.database, person, game, puzzle)


def _next(database: Database, person: str, game: str, theme: str | None) -> PuzzleView:
    return puzzle_view(database, person, Training(database).next(person, game, theme))


def _solution(database: Database, person: str, game: str, puzzle_id: str) -> PuzzleSolution:
    puzzle: Puzzle = find(game, puzzle_id)
    Training(database).give_up(person, puzzle)
    return solution_view(puzzle)
