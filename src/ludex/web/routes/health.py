"""The health checks and the metrics for Prometheus."""

from typing import Literal

from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import Response

from ludex import __version__
from ludex.web.answers import StrictRoute
from ludex.web.errors import problem_of, problems
from ludex.web.routes.documentation import ADDRESS
from ludex.web.schemas.base import Document
from ludex.web.state import Administrator, AppState, State

router = APIRouter(tags=["server"], route_class=StrictRoute)


class Health(Document):
    """The status of the server."""

    status: Literal["ok"]
    version: str
    ready: bool
    """Whether the last write to the database succeeded; `/api/health/ready` writes."""
    reason: str | None = None
    """Why it is not ready."""
    documentation: str | None = None
    """The address of the documentation, where this server has it."""


@router.get("/api/health", responses=problems())
@router.get("/api/health/live", responses=problems())
async def live(state: State) -> Health:
    """The server answers; `ready` is what the last check of the database found. It does not write."""
    return _health(state)


@router.get("/api/health/ready", responses=problems())
async def ready(state: State) -> Health:
    """The server can do its work: it has written to the database within a second. Otherwise 503 with the reason."""
    fault = await state.readiness.check()
    if fault is not None:
        raise fault
    return _health(state)


def _health(state: AppState) -> Health:
    fault = state.readiness.fault
    reason = None if fault is None else problem_of(fault).message
    documentation = None if state.settings.docs is None else ADDRESS
    return Health(status="ok", version=__version__, ready=fault is None, reason=reason, documentation=documentation)


class Exposition(Response):
    """Prometheus' text format."""

    media_type = CONTENT_TYPE_LATEST


@router.get("/metrics", response_class=Exposition, responses=problems("administrator_only"))
async def metrics(state: State, _: Administrator) -> Exposition:
    """Games, moves, searches and clients in numbers, never by match or person; for the administrator."""
    pool = state.pool
    state.metrics.pool(pool.running, pool.waiting, pool.replaced)
    return Exposition(state.metrics.exposition())
