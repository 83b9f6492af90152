"""Operations and their options, as forms show them, and jobs: visitors watch them, the administrator starts them."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Body, Path, Query
from pydantic import Field

from ludex.core.errors import BadJob
from ludex.core.folders import jobs_folder
from ludex.core.messages import Message
from ludex.lab.job import Job, JobConflict, JobState
from ludex.lab.jobs import create, delete_with_work, list_jobs, new_id, open_job, rename, require_room, resume
from ludex.lab.limits import require_disk
from ludex.lab.supervisor import is_supervised
from ludex.operations.description import OPERATIONS, Description, describe, job_names
from ludex.operations.requests import JobRequest, job_request_type, programs_of
from ludex.web import administrators
from ludex.web.administrators import record_action
from ludex.web.answers import StrictRoute
from ludex.web.errors import UnknownOperation, problems
from ludex.web.job_labels import job_label, named_game
from ludex.web.model_answers import ModelAnswers, answers_of
from ludex.web.paths import hidden_folders, scrub_paths, without_folders
from ludex.web.schemas.base import Document, RequestBody, Texts
from ludex.web.state import Administrator, AppState, PerhapsAdministrator, State

router = APIRouter(prefix="/api", tags=["jobs"], route_class=StrictRoute)


if TYPE_CHECKING:
    JobBody = JobRequest
else:
    JobBody = job_request_type()


JobId = Annotated[str, Path(max_length=160)]
CHANGES = ("unknown_job", "job_conflict", "administrator_only", "wrong_origin", "bad_request", "data")


class JobLine(Document):
    """A job in a list."""

    id: str
    kind: str
    """The id of its operation, such as `train` or `tournament`; empty if the job's folder is damaged."""
    game: str
    game_title: Texts
    title: str
    label: Texts
    """What people call it: its title, or where it was given none, what it does."""
    state: JobState
    reason: str | None
    """Why it failed, or paused by itself."""
    done: int
    total: int | None
    """In the unit of the job: steps or games; None where it is unknown."""
    created_utc: str
    runs: list[str]
    """The names of the training runs that it works on."""
    tournament: str | None
    """The name of the tournament that it plays."""


class Jobs(Document):
    """The newest jobs, the last first, and how many this server runs."""

    jobs: list[JobLine]
    at_once: int
    """How many run at once; with 0 this server runs none."""
    waiting: int
    """How many may wait."""


class JobDetail(JobLine):
    """One job."""

    request: dict[str, Any]
    """The request, with every default."""
    result: dict[str, Any] | None
    """What came of it, once it is finished."""
    log: str | None
    """The end of what its process wrote, for the administrator."""


class JobTitle(RequestBody):
    """A new title."""

    title: str = Field(min_length=1, max_length=100)


class OperationLine(Document):
    """An operation that may be a job, in a list."""

    id: str
    help: Texts


class Operations(Document):
    """Every operation that may be a job."""

    operations: list[OperationLine]


@router.get("/jobs", responses=problems("bad_request"))
async def list_all_jobs(state: State, limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> Jobs:
    """The newest jobs, the last first."""
    lines = await asyncio.to_thread(lambda: [_line(job) for job in reversed(list_jobs()[-limit:])])
    return Jobs(jobs=lines, at_once=state.settings.jobs_at_once, waiting=state.settings.jobs_waiting)


@router.get("/jobs/{job_id}", responses=problems("unknown_job", "data", "bad_request"))
async def job_detail(job_id: JobId, administrator: PerhapsAdministrator) -> JobDetail:
    """One job with its request; the administrator also sees the end of its log."""
    return await asyncio.to_thread(_detail, job_id, administrator is not None)


@router.get("/jobs/{job_id}/answers", responses=problems("unknown_job", "data", "bad_request"))
async def model_answers(job_id: JobId, names: Annotated[Literal["own", "relabelled"], Query()] = "own") -> ModelAnswers:
    """What a language model answered in an evaluation so far: its mistakes and its games."""
    return await asyncio.to_thread(hidden_folders()(answers_of), job_id, names)


@router.post(
    "/jobs",
    status_code=201,
    responses=problems(
        *("too_many_jobs", "disk_quota", "job_conflict", "administrator_only", "wrong_origin", "bad_request", "usage"),
        *("data", "too_large", "not_json", "unknown_game", "unknown_agent", "unknown_preset", "broken_game"),
    ),
)
async def start_job(
    state: State, administrator: Administrator, request: Annotated[JobBody, Body(description="what to do")]
) -> JobLine:
    """Put a job into the queue; for the administrator."""
    request = await asyncio.to_thread(_check_request, request, state, administrator)
    job_id = new_id(request)
    # First, so that no change is without its entry.
    await record_action(state.database, administrator, "start job", " ".join([job_id, *programs_of(request)]))
    job = await asyncio.to_thread(create, request, state.settings, job_id)
    state.supervisor.wake()
    return await asyncio.to_thread(_line, job)


@router.post("/jobs/{job_id}/pause", responses=problems(*CHANGES))
async def pause_job(state: State, administrator: Administrator, job_id: JobId) -> JobLine:
    """Have a job stop where it can be resumed; for the administrator."""
    return await _change(state, administrator, "pause job", job_id, Job.request_pause)


@router.post("/jobs/{job_id}/resume", responses=problems(*CHANGES, "too_many_jobs"))
async def resume_job(state: State, administrator: Administrator, job_id: JobId) -> JobLine:
    """Put a job that paused, failed or was interrupted into the queue again; for the administrator."""
    return await _change(state, administrator, "resume job", job_id, lambda job: resume(job, state.settings))


@router.post("/jobs/{job_id}/cancel", responses=problems(*CHANGES))
async def cancel_job(state: State, administrator: Administrator, job_id: JobId) -> JobLine:
    """End a job for good; what it made so far is kept. For the administrator."""
    return await _change(state, administrator, "cancel job", job_id, Job.cancel)


@router.patch("/jobs/{job_id}", responses=problems(*CHANGES, "usage", "too_large", "not_json"))
async def rename_job(state: State, administrator: Administrator, job_id: JobId, wanted: JobTitle) -> JobLine:
    """Give a job another title; for the administrator."""
    return await _change(state, administrator, "rename job", job_id, lambda job: rename(job, wanted.title))


@router.delete("/jobs/{job_id}", status_code=204, responses=problems(*CHANGES))
async def delete_job(
    state: State,
    administrator: Administrator,
    job_id: JobId,
    work: Annotated[bool, Query(description="delete its runs and its tournament too")] = False,
) -> None:
    """Delete a job that no process works on, with or without what it made; for the administrator."""
    job = await asyncio.to_thread(open_job, job_id)
    await record_action(state.database, administrator, "delete job and work" if work else "delete job", job_id)
    await asyncio.to_thread(delete_with_work if work else Job.delete, job)


@router.get("/operations", responses=problems())
async def operations() -> Operations:
    """What can be a job, in the order of the laboratory."""
    described = map(describe, job_names())
    return Operations(operations=[OperationLine(id=operation.id, help=operation.help) for operation in described])


@router.get("/operations/{name}", responses=problems("unknown_operation", "bad_request"))
def operation(name: Annotated[str, Path(max_length=64)]) -> Description:
    """An operation: its options with types, bounds, defaults and help texts, in their order."""
    if name not in OPERATIONS:
        raise UnknownOperation(f"no operation is called {name!r}; they are: {', '.join(OPERATIONS)}")
    return describe(name)


async def _change(
    state: AppState,
    administrator: administrators.Administrator,
    action: str,
    job_id: str,
    change: Callable[[Job], None],
) -> JobLine:
    job = await asyncio.to_thread(open_job, job_id)
    await record_action(state.database, administrator, action, job_id)
    await asyncio.to_thread(change, job)
    state.supervisor.wake()
    return await asyncio.to_thread(_line, job)


def _check_request(request: JobRequest, state: AppState, administrator: administrators.Administrator) -> JobRequest:
    if not state.settings.jobs_at_once and not is_supervised(jobs_folder()):
        raise JobConflict("no supervisor runs jobs here: --jobs-at-once is 0, and no `ludex jobs work` runs")
    require_room(jobs_folder(), state.settings)
    require_disk(state.settings)
    permissions = state.settings.permissions
    # Programs reach a queue from anywhere: to call addresses of this network takes a person who has logged in.
    network = permissions.network and administrator.in_browser
    return request.checked(state.settings, remote=replace(permissions, network=network))


def _line(job: Job) -> JobLine:
    try:
        return JobLine(**_job_detail(job))
    except BadJob as error:
        # One damaged job must not hide the others.
        nothing: dict[str, Any] = dict.fromkeys(("kind", "game", "title", "created_utc"), "")
        nothing |= {"done": 0, "total": None, "runs": [], "tournament": None}
        titles = {"game_title": Message.plain("").texts(), "label": Message.plain(job.id).texts()}
        reason = without_folders(error.message)
        return JobLine(id=job.id, state=JobState.FAILED, reason=reason, **titles, **nothing)


@hidden_folders()
def _detail(job_id: str, administrator: bool) -> JobDetail:
    job = open_job(job_id)
    return JobDetail(
        **_job_detail(job),
        request=job.request.model_dump(mode="json"),
        result=scrub_paths(job.result),
        log=job.log_tail() if administrator else None,
    )


def _job_detail(job: Job) -> dict[str, Any]:
    """The fields that lists and pages share."""
    facts = job.facts()
    texts = {"game_title": named_game(facts["game"]), "label": job_label(job), "reason": scrub_paths(facts["reason"])}
    return {"id": job.id, **facts, **texts}
