"""What runs have learned: strength by steps, the positions in which first and last step differ, and one game again."""

import asyncio
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Path

from ludex.core.errors import LudexError
from ludex.core.match import Match
from ludex.learn.learned import NODES, Learned, StepStrength, TellingPosition, match_at, read_learned
from ludex.learn.run_agents import find_agent, reference_of
from ludex.learn.runs import Run
from ludex.web.boards import agent_title, board
from ludex.web.errors import UnknownRun, problems
from ludex.web.paths import hidden_folders
from ludex.web.routes.checkpoints import FAILS, SEARCHES, VIEW_MS, CheckpointView
from ludex.web.routes.runs import find_run
from ludex.web.schemas.base import Document, Texts
from ludex.web.state import Person, State
from ludex.web.strict_json import StrictRoute
from ludex.web.teaching import ShownPosition, illustrate, shown_position
from ludex.web.workers.task import Task

router = APIRouter(prefix="/api/runs/{name}/learned", tags=["runs"], route_class=StrictRoute)
RunName = Annotated[str, Path(max_length=256)]
MOST_PLIES: Final = 1 << 16


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
    games: list[FilmedGame]
    """The same game, played by each of these steps."""
    complete: bool
    """Whether nothing more is to come."""
    positions: int
    """How many positions there are in which the first and the last step differ."""


class BeforeAndAfter(Document):
    """What the first and the last of the measured steps would do in one position."""

    before: CheckpointView
    after: CheckpointView


class FilmFrame(Document):
    """A position of the game of a step."""

    step: int
    ply: int
    plies: int
    position: ShownPosition


@hidden_folders()
def _learned(name: str) -> tuple[Run, Learned | None]:
    run = find_run(name)
    return run, read_learned(run)


def _measured(name: str) -> tuple[Run, Learned]:
    run, learned = _learned(name)
    if learned is None:
        raise UnknownRun(f"what run {name!r} has learned was not measured")
    return run, learned


def _summary(name: str) -> RunLearned:
    _, learned = _learned(name)
    if learned is None:
        return RunLearned(opponent=None, strength=[], games=[], complete=True, positions=0)
    try:
        opponent = None if learned.opponent is None else agent_title(learned.game, learned.opponent)
    except LudexError:
        # The game of an old run need not be installed any more.
        return RunLearned(opponent=None, strength=learned.strength, games=[], complete=True, positions=0)
    return RunLearned(
        opponent=opponent,
        counted=learned.counted,
        seat=learned.seat,
        strength=learned.strength,
        games=[FilmedGame(step=game.step, plies=len(game.moves), scores=game.scores) for game in learned.games],
        complete=learned.complete,
        positions=len(learned.positions),
    )


@router.get("", responses=problems(*FAILS))
async def learned(name: RunName) -> RunLearned:
    """What a run has learned: its win rate at some steps, and how many games and positions show it."""
    return await asyncio.to_thread(_summary, name)


def _tasks(name: str, number: int) -> tuple[list[tuple[str, int, Task]], ShownPosition, str]:
    run, learned = _measured(name)
    if number >= len(learned.positions):
        raise UnknownRun(f"run {name!r} has {len(learned.positions)} telling positions, not one of number {number}")
    match = match_at(board(learned.game, learned.preset), learned.positions[number])
    position = shown_position(illustrate(match, match.ply, viewer=match.to_move))
    tasks = []
    for strength in (learned.strength[0], learned.strength[-1]):
        _, _, agent = find_agent(f"{run.name}@{strength.step}")
        reference = reference_of(run, agent)
        task = Task.of(match, match.ply, reference, VIEW_MS, nodes=NODES, public_seed=True)
        tasks.append((reference, agent.step, task))
    return tasks, position, learned.game


@router.get("/positions/{number}", responses=problems(*FAILS, *SEARCHES))
async def position(
    state: State, person: Person, name: RunName, number: Annotated[int, Path(ge=0, le=100)]
) -> BeforeAndAfter:
    """What the first and the last step would do in a position in which they differ."""
    tasks, position, game = await asyncio.to_thread(_tasks, name, number)
    await state.preparation.require(game)
    views = []
    for reference, step, task in tasks:
        analysis = await state.pool.begin(task, person).result()
        plies = len(position.moves)
        views.append(CheckpointView(agent=reference, step=step, plies=plies, position=position, analysis=analysis))
    return BeforeAndAfter(before=views[0], after=views[1])


def _frame(name: str, number: int, ply: int) -> FilmFrame:
    _, learned = _measured(name)
    if number >= len(learned.games):
        raise UnknownRun(f"run {name!r} has {len(learned.games)} games, not one of number {number}")
    game = learned.games[number]
    moves = game.moves[:ply]
    match: Match[Any, Any] = match_at(
        board(learned.game, learned.preset), TellingPosition(seed=learned.seed, moves=moves)
    )
    position = shown_position(illustrate(match, match.ply, viewer=0, seed=learned.seed))
    return FilmFrame(step=game.step, ply=len(moves), plies=len(game.moves), position=position)


@router.get("/games/{number}/{ply}", responses=problems(*FAILS))
async def frame(
    name: RunName, number: Annotated[int, Path(ge=0, le=100)], ply: Annotated[int, Path(ge=0, le=MOST_PLIES)]
) -> FilmFrame:
    """A position of the game that a step played: after so many plies, or at its end."""
    return await asyncio.to_thread(_frame, name, number, ply)
