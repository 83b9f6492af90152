"""The HTML page, the same for every address of the app, and the static files of the app and of the games."""

import asyncio
import atexit
import gzip
import os
import re
from contextlib import ExitStack
from functools import cache, lru_cache
from http.client import NOT_FOUND, NOT_MODIFIED, OK
from importlib.resources import as_file
from pathlib import Path
from typing import Final

from fastapi import APIRouter, FastAPI
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from ludex.core import registry
from ludex.core.web_files import web_folder
from ludex.web.page_document import PAGES, STATIC, document, page_of

REVALIDATE: Final = {"Cache-Control": "no-cache"}
"""A browser may keep a copy, but must revalidate it by its ETag."""

_UNPACKED: Final = ExitStack()
atexit.register(_UNPACKED.close)

router = APIRouter(include_in_schema=False)


async def page(request: Request) -> Response:
    """The app: what it shows is decided by the address."""
    return _document_response(request, OK)


# Whatever lies below a page's first name is the app's, which says where an address leads nowhere.
for _address in dict.fromkeys(re.sub(r"^(/\w+)/.*", r"\1/{rest:path}", address) for address in PAGES):
    router.add_api_route(_address, page)


def not_found_page(request: Request) -> Response | None:
    """The app for a browser at an address that leads nowhere; None for programs, and below the API and the files."""
    wants_page = "text/html" in request.headers.get("accept", "")
    if request.method != "GET" or not wants_page or request.url.path.startswith(("/api/", "/static/")):
        return None
    return _document_response(request, NOT_FOUND)


def _document_response(request: Request, status: int) -> Response:
    """The document of the address, which browsers revalidate."""
    page_document = document(page_of(request.url.path))
    headers = REVALIDATE | {"ETag": page_document.etag, "Vary": "Accept-Encoding"}
    if status == OK and page_document.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=NOT_MODIFIED, headers=headers)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return HTMLResponse(page_document.body, status, headers)
    return HTMLResponse(page_document.compressed, status, headers | {"Content-Encoding": "gzip"})


class Files(StaticFiles):
    """Static files that browsers revalidate, compressed once."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers.update(REVALIDATE)
        accepted = Headers(scope=scope).get("accept-encoding", "")
        if not isinstance(response, FileResponse) or scope["method"] != "GET" or "gzip" not in accepted:
            return response
        packed = _pack(str(response.path), response.headers["etag"])
        headers = {key: value for key, value in response.headers.items() if key != "content-length"}
        return Response(packed, headers=headers | {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"})


@lru_cache(maxsize=256)
def _pack(path: str, _etag: str) -> bytes:
    """A file at the best level of gzip, as long as its ETag stays the same."""
    return gzip.compress(Path(path).read_bytes(), mtime=0)


@router.api_route("/static/games/{game}/{path:path}", methods=["GET", "HEAD"])
async def game_file(game: str, path: str, request: Request) -> Response:
    """A file of the folder that a game's spec names."""
    # The first request of a game imports its spec.
    files = await asyncio.to_thread(_files_of, game)
    return await files.get_response(os.path.normpath(path), request.scope)


@cache
def _files_of(game: str) -> Files:
    """The files of a game. Raises `UnknownGame`, `BrokenGame`, or `HTTPException` if it has none."""
    folder = web_folder(registry.spec(game))
    if folder is None:
        raise HTTPException(404)
    # A folder in a zip file is unpacked until the process ends (from Python 3.12 on); any other is used where it is.
    return Files(directory=_UNPACKED.enter_context(as_file(folder)))


def install(app: FastAPI) -> None:
    """Serve the page and its files."""
    app.include_router(router)
    app.mount("/static", Files(directory=STATIC), name="static")
