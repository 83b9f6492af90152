"""The HTML page, the same for every address of the app, and the static files of the app and of the games."""

import asyncio
import atexit
import gzip
import hashlib
import json
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
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

STATIC: Final = Path(__file__).parents[1] / "static"
PAGES: Final = {
    "/": "home",
    "/match/*": "match",
    "/join/*": "join",
    "/learn/*": "learn",
    "/edit/*": "edit",
    "/review/*": "review",
    "/ghost/*": "ghost",
    "/puzzles": "puzzles",
    "/puzzles/round/**": "round",
    "/puzzles/calendar": "calendar",
    "/puzzles/calendar/*": "calendar",
    "/puzzles/**": "puzzle",
    "/lab": "lab",
    "/lab/jobs/*": "job",
    "/lab/train/*": "trainform",
    "/lab/tournament": "tournamentform",
    "/lab/new/*": "jobform",
    "/tournaments": "tournaments",
    "/tournaments/*": "tournament",
    "/runs": "runs",
    "/runs/compare": "compare",
    "/runs/*": "run",
    "/agents": "agents",
    "/me": "me",
    "/settings": "settings",
    "/administrator": "administrator",
    "/leaderboard": "leaderboard",
}
"""By address, the module of `static/shell/` that draws its page; `*` is a name, `**` one that may hold slashes."""

_COMMENT: Final = re.compile(r"/\*.*?\*/", re.S)
"""Types of others are imported in comments."""
_IMPORT: Final = re.compile(r"""(?:from|import)\s*["']((?:\.|/static/)[^"']+)["']""")
_LAZY: Final = re.compile(r"""\bimport\(["']((?:\.|/static/)[^"']+)["']\)""")
_PARTS: Final = re.compile(r"""\b(?:texts|lookUp)\("(\w+)", "\w+"\)""")
_LATER: Final = re.compile(r"""\bloadParts\(\["(\w+)"\]\)""")
"""A part of the texts that a module loads on demand."""


@dataclass(frozen=True, slots=True)
class PageFiles:
    """What a page loads besides the frame."""

    modules: tuple[Path, ...]
    """Its module's static imports, the module itself first."""
    parts: tuple[str, ...]
    """The catalogues of its texts, with those of the modules that it loads on demand."""


@dataclass(frozen=True, slots=True)
class Document:
    """An HTML document, plain and compressed."""

    body: bytes
    compressed: bytes
    etag: str


def imports(module: Path) -> list[Path]:
    """The modules that a module imports at once, in its order."""
    return [_file(module, name) for name in _IMPORT.findall(_source(module))]


def lazy_imports(module: Path) -> list[Path]:
    """The modules that a module loads on demand, by addresses that are written out."""
    return [_file(module, name) for name in _LAZY.findall(_source(module))]


def with_imports(module: Path) -> list[Path]:
    """A module and all that it imports at once, directly or not."""
    return [*_walk(module, lazy=False)]


@cache
def frame_modules() -> tuple[Path, ...]:
    """The modules of every page."""
    # Those that request the texts come first.
    texts, main = STATIC / "shell" / "texts.js", STATIC / "main.js"
    return tuple(dict.fromkeys((*with_imports(texts), *with_imports(main))))


@cache
def page_files(page: str) -> PageFiles:
    """What the page of a module loads besides the frame."""
    module = STATIC / "shell" / f"{page}.js"
    sources = [_source(file) for file in _walk(module, lazy=True)]
    parts = {part for source in sources for part in _PARTS.findall(source)}
    parts -= {part for source in sources for part in _LATER.findall(source)}
    modules = tuple(file for file in with_imports(module) if file not in frame_modules())
    return PageFiles(modules, tuple(sorted(parts | {"shell"})))


def page_of(path: str) -> str | None:
    """The page at an address, None if there is none."""
    return next((page for address, page in PAGES.items() if re.fullmatch(_pattern(address), path)), None)


@cache
def document(page: str | None) -> Document:
    """The document of a page; None is for an address that leads nowhere."""
    files = PageFiles((), ("shell",)) if page is None else page_files(page)
    # The texts, which the modules of the frame request, come before the modules of the page.
    links = [
        *(f'<link rel="modulepreload" href="{_static_address(module)}" />' for module in frame_modules()),
        *(
            f'<link rel="modulepreload" href="{_static_address(module)}" fetchpriority="low" />'
            for module in files.modules
        ),
    ]
    text = (STATIC / "index.html").read_text()
    for mark, value in {
        "parts": " ".join(files.parts),
        "preloads": "\n    ".join(links),
        "pages": json.dumps([*_table()], separators=(",", ":")),
    }.items():
        text = text.replace(f"<!-- {mark} -->", value)
    body = text.encode()
    return Document(body, gzip.compress(body, mtime=0), f'"{hashlib.sha256(body).hexdigest()[:32]}"')


def _table() -> Iterator[tuple[str, str, list[str], tuple[str, ...]]]:
    """What the browser knows of each page: pattern, module, imports and parts of the texts."""
    for address, page in PAGES.items():
        files = page_files(page)
        names = [str(module.relative_to(STATIC).with_suffix("")) for module in files.modules]
        yield f"^{_pattern(address)}$", page, names, files.parts


def _pattern(address: str) -> str:
    """The pattern of an address, for Python and JavaScript alike."""
    return address.replace("**", "(.+)").replace("*", "([^/]+)")


def _static_address(module: Path) -> str:
    return f"/static/{module.relative_to(STATIC)}"


@lru_cache(maxsize=256)
def _source(module: Path) -> str:
    return _COMMENT.sub("", module.read_text())


def _file(module: Path, name: str) -> Path:
    """The file that a module imports by a name."""
    return STATIC / name.removeprefix("/static/") if name.startswith("/") else (module.parent / name).resolve()


def _walk(module: Path, *, lazy: bool) -> Iterator[Path]:
    """A module and what it imports, each once; `lazy` follows what it loads on demand too."""
    modules, waiting = {module}, [module]
    while waiting:
        module = waiting.pop(0)
        yield module
        for imported in imports(module) + (lazy_imports(module) if lazy else []):
            if imported not in modules:
                modules.add(imported)
                waiting.append(imported)


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
