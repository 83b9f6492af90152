"""The files that a browser loads on the first visit to a page, read from the files themselves."""

import gzip
import re
from pathlib import Path

from ludex.core import registry
from ludex.core.web_files import renderer_of, web_folder
from ludex.web.page_document import STATIC, document, page_files, with_imports

SHELL = STATIC / "shell"
DOCUMENT = STATIC / "index.html"

SERVERS_OWN = "en"
LANGUAGES = (SERVERS_OWN, "fr")
DRAWN = ("tictactoe", "quoridor", "minesweeper", "skirmish")
RENDERERS = (*(name for name in DRAWN if renderer_of(registry.spec(name))), "generic")
FOLDERS = {name: Path(str(web_folder(registry.spec(name)))) for name in DRAWN} | {"generic": STATIC / "generic"}
"""Where the files of each game and of the generic board are."""

SHEET = re.compile(r'"/static/([^"]+\.css)"')


def files() -> list[Path]:
    """Every file of the page and of the games."""
    return [file for folder in (STATIC, *map(FOLDERS.__getitem__, DRAWN)) for file in folder.rglob("*")]


def address(file: Path) -> str:
    """Where the server offers a file."""
    for game in DRAWN:
        if file.is_relative_to(FOLDERS[game]):
            return f"/static/games/{game}/{file.relative_to(FOLDERS[game])}"
    return "/" if file.name == "index.html" else f"/static/{file.relative_to(STATIC)}"


def weight(files: set[Path]) -> int:
    """What the files weigh on their way, each packed for itself; the document is as large as that of a match."""
    document_size = len(document("match").compressed)
    return document_size + sum(len(gzip.compress(file.read_bytes())) for file in files - {DOCUMENT})


def frame() -> set[Path]:
    """What every page loads: the document, what it links to, and the modules of its script."""
    linked = re.findall(r'(?:href|src)="/static/([^"]+)"', document(None).body.decode())
    return {DOCUMENT, *(STATIC / name for name in linked)}


def catalogues(language: str, *parts: str) -> set[Path]:
    """The texts of parts of the app."""
    return {STATIC / "texts" / language / f"{part}.json" for part in parts}


def visit(page: str, language: str, *more: Path) -> set[Path]:
    """The frame, a page's module and what else it loads, with all their imports, style sheets and texts."""
    modules = frame().union(*(with_imports(module) for module in (SHELL / f"{page}.js", *more)))
    sources = [file.read_text() for file in modules if file.suffix == ".js" and "vendor" not in file.parts]
    sheets = {STATIC / name for source in sources for name in SHEET.findall(source)}
    return modules | sheets | catalogues(language, *page_files(page).parts)


def board_files(renderer: str, language: str) -> set[Path]:
    """The style sheet and the texts of the board that draws a game."""
    name = renderer if renderer in RENDERERS else "generic"
    own = catalogues(language, "generic") if name == "generic" else {FOLDERS[name] / f"texts.{language}.json"}
    return {FOLDERS[name] / "renderer.css", *own}


def board_module(renderer: str) -> Path:
    """The module of the board that draws a game."""
    return FOLDERS[renderer if renderer in RENDERERS else "generic"] / "renderer.js"


def match_visit(renderer: str, language: str, *, clock: bool) -> set[Path]:
    """The page of a match, by the link to it."""
    clocks = [SHELL / "clock.js"] if clock else []
    return visit("match", language, board_module(renderer), *clocks) | board_files(renderer, language)


def player_visit(renderer: str, language: str) -> set[Path]:
    """The page of one's own live match with clocks, which has a coach."""
    return visit("match", language, SHELL / "coach.js") | match_visit(renderer, language, clock=True)


def board_visit(page: str, renderer: str, language: str) -> set[Path]:
    """A page that draws one board: a tutorial, a review or a puzzle."""
    return visit(page, language, board_module(renderer)) | board_files(renderer, language)


def rated_visit(renderer: str, language: str) -> set[Path]:
    """The page of one's own finished match with clocks, which shows one's rating."""
    return visit("match", language, SHELL / "ownrating.js") | match_visit(renderer, language, clock=True)


def home_visit(language: str, daily: str) -> set[Path]:
    """The games with their pictures, and the puzzle of the day on the board of its game."""
    previews = (FOLDERS[name] / "preview.js" for name in DRAWN)
    thumbnail = FOLDERS[daily] / "thumbnail.js"
    own = thumbnail.exists()
    modules = visit("home", language, *previews, SHELL / "daily.js", thumbnail if own else board_module(daily))
    board = {FOLDERS[daily] / "renderer.css"} if own else board_files(daily, language)
    return modules | board | cards(language, *DRAWN)


def page_visits(language: str, game: str = "skirmish") -> dict[str, set[Path]]:
    """The other pages, where there is something to see on each; the tournament is one of `game`."""
    uplot = STATIC / "vendor" / "uplot" / "uplot.js"
    return {
        "join": visit("join", language),
        "puzzles": visit("puzzles", language),
        "calendar": visit("calendar", language),
        "me": visit("me", language),
        "ghost": board_visit("ghost", "skirmish", language),
        "runs": visit("runs", language, uplot),
        "lab": visit("lab", language),
        "job": visit("job", language),
        "trainform": visit("trainform", language),
        "tournamentform": visit("tournamentform", language) | cards(language, *DRAWN),
        "jobform": visit("jobform", language) | cards(language, *DRAWN),
        "compare": visit("compare", language, uplot),
        "run": visit("run", language, uplot, SHELL / "checkpoints.js"),
        "agents": visit("agents", language),
        "tournaments": visit("tournaments", language) | cards(language, *DRAWN),
        "tournament": visit("tournament", language, uplot) | cards(language, game),
        "administrator": visit("administrator", language),
        "settings": visit("settings", language),
        "edit": board_visit("edit", "minesweeper", language),
        "leaderboard": visit("leaderboard", language) | cards(language, *DRAWN),
    }


def cards(language: str, *names: str) -> set[Path]:
    """What games call themselves where the server's own words do not do."""
    if language == SERVERS_OWN:
        return set()
    return {FOLDERS[name] / f"card.{language}.json" for name in (*names, "generic")}
