"""Puzzles: what there is, the next one, the one of the day, and the judgement of moves."""

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Query

from ludex.coach.puzzles.collection import puzzle as find
from ludex.coach.puzzles.mistakes import Mistake, mistake, next_mistake
from ludex.coach.puzzles.training import Training, daily, utc_today
from ludex.core.puzzle import Puzzle
from ludex.store.database import Database
from ludex.web.errors import problems
from ludex.web.own_mistakes import mistake_solution, mistake_verdict, mistake_view, own_mistakes
from ludex.web.puzzles import overview, puzzle_view, solution_view, verdict
from ludex.web.schemas.puzzles import PuzzleMove, PuzzleOverview, PuzzleSolution, PuzzleVerdict, PuzzleView
from ludex.web.schemas.reviews import RetryRequest
from ludex.web.state import AppState, Person, State
from ludex.web.strict_json import StrictRoute

router = APIRouter(prefix="/api/puzzles", tags=["puzzles"], route_class=StrictRoute)

FAILS: Final = ("unknown_game", "broken_game", "unknown_puzzle", "usage", "bad_request", "preparing", "kernels_failed")
WRITES: Final = (*FAILS, "wrong_origin", "too_large")
RETRIES: Final = ("move", "unknown_match", "too_busy", "agent_fault", "abandoned", "damaged_match")


@router.get("", responses=problems())
async def puzzles(state: State, person: Person) -> PuzzleOverview:
    """The themes of every game, the caller's rating and streaks, the puzzle of the day, and their own mistakes."""
    mistakes = await asyncio.to_thread(own_mistakes, state.database, person)
    return await asyncio.to_thread(overview, state.database, person, mistakes)


@router.get("/mistakes/next", responses=problems(*FAILS))
async def next_own(state: State, person: Person) -> PuzzleView:
    """A mistake of the caller in a match that was reviewed, to be put right."""
    own_mistake = await asyncio.to_thread(next_mistake, state.database, person)
    return await _own_view(state, person, own_mistake)


@router.get("/mistakes/{puzzle}", responses=problems(*FAILS))
async def own(state: State, person: Person, puzzle: str) -> PuzzleView:
    """A mistake of the caller by its id, the match's and the ply."""
    return await _own_view(state, person, await asyncio.to_thread(mistake, state.database, person, puzzle))


@router.post("/mistakes/{puzzle}", responses=problems(*WRITES, *RETRIES))
async def judge_own(state: State, person: Person, puzzle: str, request: PuzzleMove) -> PuzzleVerdict:
    """Have the analyst judge a move in the place of a mistake; nothing is rated."""
    own_mistake = await asyncio.to_thread(mistake, state.database, person, puzzle)
    tried = RetryRequest(ply=own_mistake.ply, text=request.move)
    judged = await state.matches.retry(own_mistake.match_id, tried, person)
    return await asyncio.to_thread(mistake_verdict, state.database, person, own_mistake, judged)


@router.post("/mistakes/{puzzle}/solution", responses=problems(*WRITES))
async def own_solution(state: State, person: Person, puzzle: str) -> PuzzleSolution:
    """What the review says of a mistake."""
    own_mistake = await asyncio.to_thread(mistake, state.database, person, puzzle)
    await state.preparation.require(own_mistake.game)
    return await asyncio.to_thread(mistake_solution, state.database, own_mistake)


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
    target = await asyncio.to_thread(find, game, puzzle)
    return await asyncio.to_thread(verdict, state.database, person, target, request.move, request.notes)


@router.post("/{game}/{puzzle}/solution", responses=problems(*WRITES))
async def solution(state: State, person: Person, game: str, puzzle: str) -> PuzzleSolution:
    """The solution with its proof; before any attempt it counts as a failed one."""
    await state.preparation.require(game)
    return await asyncio.to_thread(_solution, state.database, person, game, puzzle)


async def _own_view(state: AppState, person: str, own_mistake: Mistake) -> PuzzleView:
    await state.preparation.require(own_mistake.game)
    return await asyncio.to_thread(mistake_view, state.database, person, own_mistake)


def _next(database: Database, person: str, game: str, theme: str | None) -> PuzzleView:
    return puzzle_view(database, person, Training(database).next(person, game, theme))


def _solution(database: Database, person: str, game: str, puzzle_id: str) -> PuzzleSolution:
    puzzle: Puzzle = find(game, puzzle_id)
    Training(database).give_up(person, puzzle)
    return solution_view(puzzle)
