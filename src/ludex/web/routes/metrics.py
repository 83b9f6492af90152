"""The metrics for Prometheus."""

from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import Response

from ludex.web.errors import problems
from ludex.web.state import Administrator, State

router = APIRouter(tags=["server"])


class Exposition(Response):
    """Prometheus' text format."""

    media_type = CONTENT_TYPE_LATEST


@router.get("/metrics", response_class=Exposition, responses=problems("administrator_only"))
async def metrics(state: State, _: Administrator) -> Exposition:
    """Games, moves, searches and clients in numbers, never by match or person; for the administrator."""
    pool = state.pool
    state.metrics.pool(pool.running, pool.waiting, pool.replaced)
    return Exposition(state.metrics.exposition())
