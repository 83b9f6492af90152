"""The HTML document of every page, with what its page needs named in it, so that all of it travels at once."""

import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

STATIC: Final = Path(__file__).parent / "static"
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
    parts = {part for file in _walk(module, lazy=True) for part in _PARTS.findall(_source(file))}
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
        *(f'<link rel="modulepreload" href="{_address(module)}" />' for module in frame_modules()),
        *(f'<link rel="modulepreload" href="{_address(module)}" fetchpriority="low" />' for module in files.modules),
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


def _address(module: Path) -> str:
    return f"/static/{module.relative_to(STATIC)}"


@lru_cache(maxsize=256)
def _source(module: Path) -> str:
    return _COMMENT.sub("", module.read_text())


def _file(module: Path, name: str) -> Path:
    """The file that a module imports by a name."""
    return STATIC / name.removeprefix("/static/") if name.startswith("/") else (module.parent / name).resolve()


def _walk(module: Path, *, lazy: bool) -> Iterator[Path]:
    """A module and what it imports, each once; `lazy` follows what it loads on demand too."""
    seen, waiting = {module}, [module]
    while waiting:
        module = waiting.pop(0)
        yield module
        for imported in imports(module) + (lazy_imports(module) if lazy else []):
            if imported not in seen:
                seen.add(imported)
                waiting.append(imported)
