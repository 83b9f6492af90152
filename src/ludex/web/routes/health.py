"""The health check."""

from fastapi import APIRouter

from ludex import __version__
from ludex.web.errors import problems
from ludex.web.schemas import Health

router = APIRouter(tags=["server"])


@router.get("/api/health", responses=problems())
async def health() -> Health:
    """The server's status and version."""
    return Health(status="ok", version=__version__)
