"""Training runs and their curves, one by one and side by side, and the administrator's notes about them."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path as Folder
from typing import Annotated, Any, Final, Literal, TypeVar

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import Field

from ludex.core import registry
from ludex.core.errors import BadRun, LudexError
from ludex.core.folders import runs_folder
from ludex.core.messages import Message
from ludex.learn.comparison import Comparison, compare, draw_picture, export_csv, open_runs
from ludex.learn.experiments import LONGEST_NOTE, groups, read_note, write_note
from ludex.learn.figures import NO_FIGURES, RunFigures
from ludex.learn.runs import Run, RunState, example_runs, list_runs
from ludex.learn.trainings import headline_of, minutes_of
from ludex.web.administrators import record_action
from ludex.web.answers import StrictRoute, while_connected
from ludex.web.boards import agent_title
from ludex.web.errors import UnknownRun, problems
from ludex.web.job_labels import named_game, run_label
from ludex.web.paths import hidden_folders, scrub_paths, without_folders
from ludex.web.schemas.base import Document, Texts
from ludex.web.state import Address, Administrator, AppState, State

router = APIRouter(tags=["runs"], route_class=StrictRoute)
T = TypeVar("T")
Names = Annotated[str, Query(max_length=8000, description="names of runs or experiments, separated by commas")]
Metric = Annotated[str | None, Query(max_length=200, description="the metric; by default the one that matters")]
AXIS: Final = "what it is drawn against, empty for the row; by default a count"
Axis = Annotated[str | None, Query(max_length=200, description=AXIS)]
RunOrGroup = Annotated[str, Path(max_length=256, description="a run or an experiment")]
ERRORS: Final = ("unknown_run", "data", "usage", "bad_request")
MEDIA_TYPES: Final = {"csv": "text/csv; charset=utf-8", "svg": "image/svg+xml", "png": "image/png"}
_reader = ThreadPoolExecutor(1, "comparison")
"""Comparisons read whole runs and draw: one at a time leaves cores and threads to matches."""
RunName = Annotated[str, Path(max_length=256)]
LONGEST_PAGE = 10_000


class RunSummary(Document):
    """What lists and pages say of a training run."""

    name: str
    game: str
    game_title: Texts
    label: Texts
    """What people call it: its configuration, and the board that it learns."""
    config: str
    created_utc: str
    group: str | None = None
    """The experiment that it belongs to."""
    state: RunState | None
    """None if the run is damaged."""
    reason: str | None
    example: bool
    """Whether it ships with its game."""


class RunLine(RunSummary):
    """A training run in a list."""

    rows: int
    finished: bool
    fault: str | None = None


class Runs(Document):
    """Every training run."""

    runs: list[RunLine]


class RunDetail(RunSummary):
    """One training run; its `config` is the text of the configuration."""

    config_name: str
    summary: dict[str, Any] | None
    headline: str | None
    """The metric that matters, which charts show first."""
    agents: dict[str, Texts]
    """What people call the agents of the game, which it may have met."""
    minutes: float | None
    """How long its configuration trains; None where it ends otherwise, or is not readable."""


class RunNote(Document):
    """What the administrator has written about a run or an experiment."""

    note: Annotated[str, Field(max_length=LONGEST_NOTE)]


class RunMetrics(Document):
    """Rows of a run's metrics from `after` on."""

    name: str
    after: int
    rows: list[dict[str, Any]]
    finished: bool


def find_run(name: str) -> Run:
    """A run by its name. Raises `UnknownRun`."""
    known = {run.name: run for run in [*list_runs(runs_folder()), *example_runs().values()]}
    if name not in known:
        raise UnknownRun(f"no run is called {name!r}")
    return known[name]


# The comparisons come before the run that could be called so.
@router.get("/api/runs/compare", responses=problems(*ERRORS))
async def compare_runs(
    state: State, address: Address, request: Request, runs: Names, metric: Metric = None, axis: Axis = None
) -> Comparison:
    """Runs of one game side by side: what their configurations differ in, and a metric with bands over seeds."""
    return await _compare(state, address, request, lambda base: compare(_open_runs(base, runs), metric, axis))


@router.get(
    "/api/runs/compare/export.{file_format}",
    response_class=Response,
    responses={200: {"content": {kind: {} for kind in MEDIA_TYPES.values()}}, **problems(*ERRORS)},
)
async def export_comparison(
    state: State,
    address: Address,
    request: Request,
    file_format: Annotated[Literal["csv", "svg", "png"], Path()],
    runs: Names,
    metric: Metric = None,
    axis: Axis = None,
) -> Response:
    """The curves of a comparison as a file: every point of every run as CSV, or a picture."""

    def content(base: Folder) -> bytes:
        compared = _open_runs(base, runs)
        if file_format == "csv":
            return export_csv(compared, metric, axis).encode()
        return draw_picture(compare(compared, metric, axis), file_format)

    headers = {"Content-Disposition": f'attachment; filename="comparison.{file_format}"'}
    file = await _compare(state, address, request, content)
    return Response(file, media_type=MEDIA_TYPES[file_format], headers=headers)


async def _compare(state: AppState, address: str, request: Request, work: Callable[[Folder], T]) -> T:
    """Compare once it is this caller's turn; what no caller waits for any more is not begun."""

    async def wait_and_read() -> T:
        async with state.budgets.pictures.use(owner=address):
            return await _read(work)

    return await while_connected(request, wait_and_read())


@router.get("/api/runs/{name}/note", responses=problems("unknown_run", "data", "bad_request", "administrator_only"))
async def run_note(_: Administrator, name: RunOrGroup) -> RunNote:
    """The note of a run or an experiment, for the administrator; empty if there is none."""
    return RunNote(note=await _read(lambda base: read_note(base, _require_known(base, name))))


@router.put(
    "/api/runs/{name}/note",
    responses=problems(*ERRORS, "administrator_only", "wrong_origin", "too_large", "not_json"),
)
async def write_run_note(state: State, administrator: Administrator, name: RunOrGroup, note: RunNote) -> RunNote:
    """Replace the note of a run or an experiment, for the administrator."""
    await _read(lambda base: _require_known(base, name))
    # First, so that no change is without its entry.
    await record_action(state.database, administrator, "write note", name)
    await _read(lambda base: write_note(base, name, note.note))
    return note


async def _read(work: Callable[[Folder], T]) -> T:
    """Work with the folder of runs in a thread; the path of the folder stays out of errors."""
    with hidden_folders():
        return await asyncio.get_running_loop().run_in_executor(_reader, work, runs_folder())


def _open_runs(base: Folder, names: str) -> list[Run]:
    return open_runs(base, [_require_known(base, name) for name in names.split(",") if name])


def _require_known(base: Folder, name: str) -> str:
    if name not in {run.name for run in list_runs(base)} | {*groups(base), *example_runs()}:
        raise UnknownRun(f"no run or experiment is called {name!r}")
    return name


@router.get("/api/runs", responses=problems())
async def list_training_runs() -> Runs:
    """Every training run, the newest first, and those that ship."""
    return await asyncio.to_thread(_list)


@router.get("/api/runs/{name}", responses=problems("unknown_run", "data", "bad_request"))
async def training_run(name: RunName) -> RunDetail:
    """One run: its configuration, and its summary once it is finished."""
    return await asyncio.to_thread(_run_detail, name)


@router.get("/api/runs/{name}/metrics", responses=problems("unknown_run", "data", "bad_request"))
async def training_metrics(
    name: RunName,
    after: Annotated[int, Query(ge=0, le=1 << 53, description="how many rows are known already")] = 0,
) -> RunMetrics:
    """The rows of a run's curves after those already known, up to ten thousand; ask again for the next."""
    return await asyncio.to_thread(_run_metrics, name, after)


@router.get("/api/runs/{name}/figures", responses=problems("unknown_run", "data", "bad_request"))
async def training_figures(
    name: RunName,
    row: Annotated[
        int | None, Query(ge=0, le=1 << 53, description="the row of the metrics; the last with figures")
    ] = None,
) -> RunFigures:
    """Pictures of one row of a run's metrics, where its game has some."""
    return await asyncio.to_thread(_figures, name, row)


@hidden_folders()
def _figures(name: str, row: int | None) -> RunFigures:
    run = find_run(name)
    figures = registry.spec(run.game).learning.figures
    return NO_FIGURES if figures is None else registry.resolve(figures)(run.metrics(), row)


def _list() -> Runs:
    return Runs(runs=[_line(run) for run in [*reversed(list_runs(runs_folder())), *example_runs().values()]])


def _line(run: Run) -> RunLine:
    try:
        rows, finished = run.rows(), run.summary() is not None
        return RunLine(config=run.config_name, rows=rows, finished=finished, **_summary(run))
    except BadRun as error:
        # One damaged run must not hide the others.
        nothing = dict.fromkeys(("game", "config", "created_utc"), "") | dict.fromkeys(("state", "reason"))
        titles = {"game_title": Message.plain("").texts(), "label": Message.plain(run.name).texts()}
        fault = without_folders(error.message)
        return RunLine(name=run.name, rows=0, finished=False, fault=fault, example=False, **titles, **nothing)


@hidden_folders()
def _run_detail(name: str) -> RunDetail:
    run = find_run(name)
    return RunDetail(
        config_name=run.config_name,
        config=run.config_text,
        summary=scrub_paths(run.summary()),
        headline=headline_of(run),
        agents=_agent_titles(run.game),
        minutes=minutes_of(run),
        **_summary(run),
    )


def _agent_titles(game: str) -> dict[str, Texts]:
    try:
        return {name: agent_title(game, name) for name in registry.spec(game).agents}
    except LudexError:
        # The package of the game may be gone; its runs can still be read.
        return {}


def _summary(run: Run) -> dict[str, Any]:
    """The fields that lists and pages share, but for the configuration."""
    status = run.status
    return {
        "name": run.name,
        "game": run.game,
        "game_title": named_game(run.game),
        "label": run_label(run),
        "created_utc": run.created_utc,
        "group": run.group,
        "state": status.state,
        "reason": scrub_paths(status.reason),
        "example": run.name in example_runs(),
    }


@hidden_folders()
def _run_metrics(name: str, after: int) -> RunMetrics:
    run = find_run(name)
    # First, so that a run that ends between the two is not called finished before its last rows are sent.
    finished = run.summary() is not None
    return RunMetrics(name=run.name, after=after, rows=run.metrics(after, LONGEST_PAGE), finished=finished)
