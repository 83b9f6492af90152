"""The page, which is one for every address a person can be at, and the files it asks for."""

from pathlib import Path
from typing import Final

from fastapi import APIRouter, FastAPI
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

STATIC: Final = Path(__file__).parent.parent / "static"
ASK_AGAIN: Final = {"Cache-Control": "no-cache"}
"""A copy may be kept, but the server is asked whether it still holds: its tag answers without sending it again."""

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
    return FileResponse(STATIC / "index.html", headers=ASK_AGAIN)


class Files(StaticFiles):
    """Static files that are asked for again."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers.update(ASK_AGAIN)
        return response


def install(app: FastAPI) -> None:
    """Serve the page and its files."""
    app.include_router(router)
    app.mount("/static", Files(directory=STATIC), name="static")
