"""Training runs and their curves."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query

from ludex.core import registry
from ludex.core.errors import BadRun
from ludex.core.folders import runs_folder
from ludex.core.messages import Message
from ludex.learn.figures import NO_FIGURES, RunFigures
from ludex.learn.runs import Run, list_runs
from ludex.learn.trainings import headline_of
from ludex.web.checkpoints import find_run
from ludex.web.errors import problems
from ludex.web.job_labels import named_game, run_label
from ludex.web.paths import scrubbed, without_folders
from ludex.web.schemas.lab import RunDetail, RunLine, RunMetrics, Runs

router = APIRouter(tags=["runs"])

RunName = Annotated[str, Path(max_length=256)]
LONGEST_PAGE = 10_000


@router.get("/api/runs", responses=problems())
async def list_training_runs() -> Runs:
    """Every training run, the newest first."""
    return await asyncio.to_thread(_listed)


@router.get("/api/runs/{name}", responses=problems("unknown_run", "data", "bad_request"))
async def training_run(name: RunName) -> RunDetail:
    """One run: its configuration, and its summary once it is finished."""
    return await asyncio.to_thread(_detailed, name)


@router.get("/api/runs/{name}/metrics", responses=problems("unknown_run", "data", "bad_request"))
async def training_metrics(
    name: RunName,
    after: Annotated[int, Query(ge=0, le=1 << 53, description="how many rows are known already")] = 0,
) -> RunMetrics:
    """The rows of a run's curves after those already known, up to ten thousand; ask again for the next."""
    return await asyncio.to_thread(_measured, name, after)


@router.get("/api/runs/{name}/figures", responses=problems("unknown_run", "data", "bad_request"))
async def training_figures(
    name: RunName,
    row: Annotated[
        int | None, Query(ge=0, le=1 << 53, description="the row of the metrics; the last with figures")
    ] = None,
) -> RunFigures:
    """Pictures of one row of a run's metrics, where its game has some."""
    return await asyncio.to_thread(_pictured, name, row)


def _pictured(name: str, row: int | None) -> RunFigures:
    run = find_run(name)
    try:
        figures = registry.spec(run.game).learning.figures
        return NO_FIGURES if figures is None else registry.resolve(figures)(run.metrics(), row)
    except BadRun as error:
        raise BadRun(without_folders(error.message)) from error


def _listed() -> Runs:
    return Runs(runs=[_line(run) for run in reversed(list_runs(runs_folder()))])


def _line(run: Run) -> RunLine:
    try:
        status = run.status
        return RunLine(
            name=run.name,
            game=run.game,
            game_title=named_game(run.game),
            label=run_label(run),
            config=run.config_name,
            created_utc=run.created_utc,
            rows=run.rows(),
            finished=run.summary() is not None,
            group=run.group,
            state=status.state,
            reason=None if status.reason is None else without_folders(status.reason),
        )
    except BadRun as error:
        # One damaged run must not hide the others.
        fault = without_folders(error.message)
        blank = {
            "game": "",
            "game_title": Message.plain("").texts(),
            "label": Message.plain(run.name).texts(),
            "config": "",
            "created_utc": "",
            "rows": 0,
            "finished": False,
            "state": None,
            "reason": None,
        }
        return RunLine(name=run.name, fault=fault, **blank)


def _detailed(name: str) -> RunDetail:
    run = find_run(name)
    try:
        status = run.status
        return RunDetail(
            name=run.name,
            game=run.game,
            game_title=named_game(run.game),
            label=run_label(run),
            config_name=run.config_name,
            config=run.config_text,
            created_utc=run.created_utc,
            summary=scrubbed(run.summary()),
            state=status.state,
            reason=None if status.reason is None else without_folders(status.reason),
            group=run.group,
            headline=headline_of(run),
        )
    except BadRun as error:
        raise BadRun(without_folders(error.message)) from error


def _measured(name: str, after: int) -> RunMetrics:
    run = find_run(name)
    try:
        # First, so that a run that ends between the two is not called finished before its last rows are sent.
        finished = run.summary() is not None
        rows = run.metrics(after, LONGEST_PAGE)
    except BadRun as error:
        raise BadRun(without_folders(error.message)) from error
    return RunMetrics(name=run.name, after=after, rows=rows, finished=finished)
