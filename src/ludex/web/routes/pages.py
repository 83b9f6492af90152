"""The HTML page, the same for every address of the app, and the static files."""

from pathlib import Path
from typing import Final

from fastapi import APIRouter, FastAPI
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

STATIC: Final = Path(__file__).parent.parent / "static"
REVALIDATE: Final = {"Cache-Control": "no-cache"}
"""A browser may keep a copy, but must revalidate it by its ETag."""

router = APIRouter(include_in_schema=False)


@router.get("/")
@router.get("/match/{rest:path}")
@router.get("/join/{rest:path}")
@router.get("/runs")
@router.get("/runs/{rest:path}")
@router.get("/tournaments")
@router.get("/tournaments/{rest:path}")
@router.get("/leaderboard")
async def page() -> FileResponse:
    """The app: what it shows is decided by the address."""
    return FileResponse(STATIC / "index.html", headers=REVALIDATE)


class Files(StaticFiles):
    """Static files that browsers revalidate."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers.update(REVALIDATE)
        return response


def install(app: FastAPI) -> None:
    """Serve the page and its files."""
    app.include_router(router)
    app.mount("/static", Files(directory=STATIC), name="static")
