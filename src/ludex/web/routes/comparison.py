"""Training runs side by side, with files of their curves, and the administrator's notes about them."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path as Folder
from typing import Annotated, Final, Literal, TypeVar

from fastapi import APIRouter, Path, Query, Response

from ludex.core.errors import BadRun
from ludex.core.folders import runs_folder
from ludex.learn.charts import picture
from ludex.learn.comparison import Comparison, compare, export_csv, opened
from ludex.learn.experiments import groups
from ludex.learn.notes import read_note, write_note
from ludex.learn.runs import Run, list_runs
from ludex.web.audit import record
from ludex.web.errors import UnknownRun, problems
from ludex.web.schemas.lab import RunNote
from ludex.web.state import Administrator, State
from ludex.web.strict_json import StrictRoute

router = APIRouter(tags=["runs"], route_class=StrictRoute)

T = TypeVar("T")

Names = Annotated[str, Query(max_length=8000, description="names of runs or experiments, separated by commas")]
Metric = Annotated[str | None, Query(max_length=200, description="the metric; by default the one that matters")]
Axis = Annotated[
    str | None,
    Query(max_length=200, description="what it is drawn against, empty for the row; by default a count"),
]
RunOrGroup = Annotated[str, Path(max_length=256, description="a run or an experiment")]
ERRORS: Final = ("unknown_run", "data", "usage", "bad_request")
MEDIA_TYPES: Final = {"csv": "text/csv; charset=utf-8", "svg": "image/svg+xml", "png": "image/png"}
_reader = ThreadPoolExecutor(1, "comparison")
"""Comparisons read whole runs and draw: one at a time leaves cores and threads to matches."""


@router.get("/api/runs/compare", responses=problems(*ERRORS))
async def compare_runs(runs: Names, metric: Metric = None, axis: Axis = None) -> Comparison:
    """Runs of one game side by side: what their configurations differ in, and a metric with bands over seeds."""
    return await _read(lambda base: compare(_opened(base, runs), metric, axis))


@router.get(
    "/api/runs/compare/export.{file_format}",
    response_class=Response,
    responses={200: {"content": {kind: {} for kind in MEDIA_TYPES.values()}}, **problems(*ERRORS)},
)
async def export_comparison(
    file_format: Annotated[Literal["csv", "svg", "png"], Path()], runs: Names, metric: Metric = None, axis: Axis = None
) -> Response:
    """The curves of a comparison as a file: every point of every run as CSV, or a picture."""

    def content(base: Folder) -> bytes:
        found = _opened(base, runs)
        if file_format == "csv":
            return export_csv(found, metric, axis).encode()
        return picture(compare(found, metric, axis), file_format)

    headers = {"Content-Disposition": f'attachment; filename="comparison.{file_format}"'}
    return Response(await _read(content), media_type=MEDIA_TYPES[file_format], headers=headers)


@router.get("/api/runs/{name}/note", responses=problems("unknown_run", "data", "bad_request", "administrator_only"))
async def run_note(_: Administrator, name: RunOrGroup) -> RunNote:
    """The note of a run or an experiment, for the administrator; empty if there is none."""
    return RunNote(note=await _read(lambda base: read_note(base, _known(base, name))))


@router.put(
    "/api/runs/{name}/note",
    responses=problems(*ERRORS, "administrator_only", "wrong_origin", "too_large", "not_json"),
)
async def write_run_note(state: State, administrator: Administrator, name: RunOrGroup, note: RunNote) -> RunNote:
    """Replace the note of a run or an experiment, for the administrator."""
    await _read(lambda base: _known(base, name))
    # First, so that no change is without its entry.
    await record(state.database, administrator, "write note", name)
    await _read(lambda base: write_note(base, name, note.note))
    return note


async def _read(work: Callable[[Folder], T]) -> T:
    """Work with the folder of runs in a thread; the path of the folder stays out of errors."""
    base = runs_folder()
    try:
        return await asyncio.get_running_loop().run_in_executor(_reader, work, base)
    except BadRun as error:
        raise BadRun(error.message.replace(f"{base}/", "")) from error


def _opened(base: Folder, names: str) -> list[Run]:
    return opened(base, [_known(base, name) for name in names.split(",") if name])


def _known(base: Folder, name: str) -> str:
    if name not in {run.name for run in list_runs(base)} | set(groups(base)):
        raise UnknownRun(f"no run or experiment is called {name!r}")
    return name
