"""What runs have learned: strength by steps, the positions in which first and last step differ, and one game again."""

import asyncio
from functools import lru_cache
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Path

from ludex.core.errors import LudexError
from ludex.core.match import Match
from ludex.learn.learned import (
    NODES,
    Learned,
    LearnedPosition,
    StepStrength,
    Tried,
    Verdict,
    match_at,
    read_learned,
    verdict_of,
)
from ludex.learn.run_agents import find_agent, reference_of
from ludex.learn.runs import Run
from ludex.web.answers import StrictRoute
from ludex.web.boards import agent_title, board
from ludex.web.errors import UnknownRun, problems
from ludex.web.paths import hidden_folders
from ludex.web.routes.checkpoints import FAILS, RunName, Step
from ludex.web.routes.runs import find_run
from ludex.web.schemas.analyses import Analysis
from ludex.web.schemas.base import Document, Texts
from ludex.web.state import Person, State
from ludex.web.teaching import ShownPosition, illustrate, shown_position
from ludex.web.workers.task import Task

router = APIRouter(prefix="/api/runs/{name}/learned", tags=["runs"], route_class=StrictRoute)
MOST_PLIES: Final = 1 << 16
MOST_GAMES: Final = 40
"""Games of films that are remembered: a picture of one needs no replay."""
VIEW_MS: Final = 300
SEARCHES: Final = ("too_busy", "agent_fault", "abandoned", "preparing", "kernels_failed", "usage")


class FilmedGame(Document):
    """The game of one step."""

    step: int
    plies: int
    scores: list[float] | None
    """None where it ended without a score."""


class RunLearned(Document):
    """What was measured of a run; empty where nothing was."""

    opponent: Texts | None
    """The agent that was met; None in a game for one, or where nothing was measured."""
    counted: Literal["won", "not_lost"] = "won"
    """Which games are the shares of `strength`."""
    seat: int = 0
    """Where the run sits in `games`."""
    strength: list[StepStrength]
    """By step, with 95 % intervals of the share."""
    verdict: Verdict | None
    """How the last step compares with the first; None until all is measured, or with one step alone."""
    games: list[FilmedGame]
    """The same game, played by each of these steps."""
    complete: bool
    """Whether nothing more is to come."""
    positions: int
    """How many positions there are in which the last step's move is better than the first one's."""
    tried: Tried | None = None
    """How many positions were tried, and in how many each of the two chose well."""


class StepChoice(Document):
    """What a step would do in a position in which the last step's move is better than the first one's."""

    step: int
    position: ShownPosition
    analysis: Analysis


class FilmFrame(Document):
    """A position of the game of a step."""

    step: int
    ply: int
    position: ShownPosition


class Film(Document):
    """The games of all measured steps after so many plies; a shorter game stands at its end."""

    frames: list[FilmFrame]


@hidden_folders()
def _read_run(name: str) -> tuple[Run, Learned | None]:
    run = find_run(name)
    return run, read_learned(run)


def _require_run(name: str) -> tuple[Run, Learned]:
    run, learned = _read_run(name)
    if learned is None:
        raise UnknownRun(f"what run {name!r} has learned was not measured")
    return run, learned


def _summary(name: str) -> RunLearned:
    _, learned = _read_run(name)
    if learned is None:
        return RunLearned(opponent=None, strength=[], verdict=None, games=[], complete=True, positions=0)
    verdict = verdict_of(learned.strength) if learned.complete and len(learned.strength) > 1 else None
    measured = {"strength": learned.strength, "verdict": verdict, "counted": learned.counted}
    try:
        opponent = None if learned.opponent is None else agent_title(learned.game, learned.opponent)
    except LudexError:
        # The game of an old run need not be installed any more.
        return RunLearned(opponent=None, games=[], complete=True, positions=0, **measured)
    return RunLearned(
        opponent=opponent,
        seat=learned.seat,
        games=[FilmedGame(step=game.step, plies=len(game.moves), scores=game.scores) for game in learned.games],
        complete=learned.complete,
        positions=len(learned.positions),
        tried=learned.tried,
        **measured,
    )


@router.get("", responses=problems(*FAILS))
async def learned(name: RunName) -> RunLearned:
    """What a run has learned: its win rate at some steps, and how many games and positions show it."""
    return await asyncio.to_thread(_summary, name)


def _view(name: str, number: int, step: int) -> tuple[Task, ShownPosition, str]:
    run, learned = _require_run(name)
    if number >= len(learned.positions):
        raise UnknownRun(f"run {name!r} has {len(learned.positions)} positions, not one of number {number}")
    match = match_at(board(learned.game, learned.preset), learned.positions[number])
    position = shown_position(illustrate(match, match.ply, viewer=match.to_move))
    _, _, agent = find_agent(f"{run.name}@{step}")
    task = Task.of(match, match.ply, reference_of(run, agent), VIEW_MS, nodes=NODES, public_seed=True)
    return task, position, learned.game


@router.get("/positions/{number}/{step}", responses=problems(*FAILS, *SEARCHES))
async def view(
    state: State, person: Person, name: RunName, number: Annotated[int, Path(ge=0, le=100)], step: Step
) -> StepChoice:
    """What a step that the run keeps would do in a position in which the last one plays better than the first."""
    task, position, game = await asyncio.to_thread(_view, name, number, step)
    await state.preparation.require(game)
    analysis = await state.pool.begin(task, person).result()
    return StepChoice(step=step, position=position, analysis=analysis)


@lru_cache(maxsize=MOST_GAMES)
def _match_of(game: str, preset: str, seed: int, moves: tuple[str, ...]) -> Match[Any, Any]:
    return match_at(board(game, preset), LearnedPosition(seed=seed, moves=[*moves]))


def _film(name: str, ply: int) -> Film:
    _, learned = _require_run(name)
    frames = []
    for game in learned.games:
        match = _match_of(learned.game, learned.preset, learned.seed, tuple(game.moves))
        at = min(ply, match.ply)
        position = shown_position(illustrate(match, at, viewer=0, seed=learned.seed))
        frames.append(FilmFrame(step=game.step, ply=at, position=position))
    return Film(frames=frames)


@router.get("/film/{ply}", responses=problems(*FAILS))
async def film(name: RunName, ply: Annotated[int, Path(ge=0, le=MOST_PLIES)]) -> Film:
    """The game that every measured step played, after so many plies."""
    return await asyncio.to_thread(_film, name, ply)
