"""The files that a browser loads on the first visit to a page, read from the files themselves."""

import gzip
import re
from pathlib import Path

import ludex.web
from ludex.core import registry
from ludex.core.web_files import renderer_of, web_folder

STATIC = Path(ludex.web.__file__).parent / "static"
SHELL = STATIC / "shell"

SERVERS_OWN = "en"
LANGUAGES = (SERVERS_OWN, "fr")
DRAWN = ("tictactoe", "quoridor", "minesweeper", "skirmish")
RENDERERS = (*(name for name in DRAWN if renderer_of(registry.spec(name))), "generic")
FOLDERS = {name: Path(str(web_folder(registry.spec(name)))) for name in DRAWN} | {"generic": STATIC / "generic"}
"""Where the files of each game and of the generic board are."""

IMPORT = re.compile(r"""(?:from|import)\s*["']((?:\.|/static/)[^"']+)["']""")
LAZY = re.compile(r"""import\(["']((?:\.|/static/)[^"']+)["']\)\.?""")
WORDS = re.compile(r"""import\("(\.[^"]+)\.en\.js"\)""")
SHEET = re.compile(r'"/static/([^"]+\.css)"')


def files() -> list[Path]:
    """Every file of the page and of the games."""
    return [file for folder in (STATIC, *map(FOLDERS.__getitem__, DRAWN)) for file in folder.rglob("*")]


def imported(module: Path, name: str) -> Path:
    """The file that a module imports by a name."""
    return STATIC / name.removeprefix("/static/") if name.startswith("/") else (module.parent / name).resolve()


def address(file: Path) -> str:
    """Where the server offers a file."""
    for game in DRAWN:
        if file.is_relative_to(FOLDERS[game]):
            return f"/static/games/{game}/{file.relative_to(FOLDERS[game])}"
    return "/" if file.name == "index.html" else f"/static/{file.relative_to(STATIC)}"


def with_imports(module: Path, found: set[Path] | None = None) -> set[Path]:
    """A module and all it imports at once."""
    found = set() if found is None else found
    if module not in found:
        found.add(module)
        for name in IMPORT.findall(module.read_text()):
            with_imports(imported(module, name), found)
    return found


def weight(files: set[Path]) -> int:
    """What the files weigh on their way, each packed for itself."""
    return sum(len(gzip.compress(file.read_bytes())) for file in files)


def frame() -> set[Path]:
    """What every page loads: the document, what it links to, and the modules of its script."""
    document = STATIC / "index.html"
    linked = {STATIC / name for name in re.findall(r'(?:href|src)="/static/([^"]+)"', document.read_text())}
    modules = {found for file in linked if file.suffix == ".js" for found in with_imports(file)}
    return {document} | linked | modules


def visit(page: str, language: str, *more: Path) -> set[Path]:
    """The frame, a page's module and what else it loads, with all their imports, style sheets and words."""
    found = frame().union(*(with_imports(module) for module in (SHELL / f"{page}.js", *more)))
    texts = {file: file.read_text() for file in found if file.suffix == ".js" and "vendor" not in file.parts}
    sheets = {STATIC / name for text in texts.values() for name in SHEET.findall(text)}
    words = {(file.parent / f"{name}.{language}.js").resolve() for file in texts for name in WORDS.findall(texts[file])}
    return found | sheets | words


def match_visit(renderer: str, language: str, *, clock: bool) -> set[Path]:
    """The page of a match, by the link to it."""
    clocks = [SHELL / "clock.js"] if clock else []
    folder = FOLDERS[renderer if renderer in RENDERERS else "generic"]
    return visit("match", language, folder / "renderer.js", *clocks) | {folder / "renderer.css"}


def player_visit(renderer: str, language: str) -> set[Path]:
    """The page of one's own live match with clocks, which has a coach."""
    return visit("match", language, SHELL / "coach.js") | match_visit(renderer, language, clock=True)


def learn_visit(renderer: str, language: str) -> set[Path]:
    """The page of a tutorial."""
    folder = FOLDERS[renderer if renderer in RENDERERS else "generic"]
    return visit("learn", language, folder / "renderer.js") | {folder / "renderer.css"}


def review_visit(renderer: str, language: str) -> set[Path]:
    """The page of a review."""
    folder = FOLDERS[renderer if renderer in RENDERERS else "generic"]
    return visit("review", language, folder / "renderer.js") | {folder / "renderer.css"}


def puzzle_visit(renderer: str, language: str) -> set[Path]:
    """The page of a puzzle."""
    folder = FOLDERS[renderer if renderer in RENDERERS else "generic"]
    return visit("puzzle", language, folder / "renderer.js") | {folder / "renderer.css"}


def rated_visit(renderer: str, language: str) -> set[Path]:
    """The page of one's own finished match with clocks, which shows one's rating."""
    return visit("match", language, SHELL / "ownrating.js") | match_visit(renderer, language, clock=True)


def home_visit(language: str) -> set[Path]:
    """The games with their pictures."""
    return visit("home", language, *(FOLDERS[name] / "preview.js" for name in DRAWN)) | cards(language, *DRAWN)


def page_visits(language: str, game: str = "skirmish") -> dict[str, set[Path]]:
    """The other pages, where there is something to see on each; the tournament is one of `game`."""
    uplot = STATIC / "vendor" / "uplot" / "uplot.js"
    return {
        "join": visit("join", language),
        "puzzles": visit("puzzles", language),
        "me": visit("me", language),
        "ghost": visit("ghost", language, FOLDERS["skirmish"] / "renderer.js") | {FOLDERS["skirmish"] / "renderer.css"},
        "runs": visit("runs", language, uplot),
        "lab": visit("lab", language),
        "job": visit("job", language),
        "trainform": visit("trainform", language),
        "tournamentform": visit("tournamentform", language) | cards(language, *DRAWN),
        "compare": visit("compare", language, uplot),
        "run": visit("run", language, uplot, SHELL / "checkpoints.js"),
        "agents": visit("agents", language),
        "tournaments": visit("tournaments", language) | cards(language, *DRAWN),
        "tournament": visit("tournament", language, uplot) | cards(language, game),
        "rankings": visit("rankings", language) | cards(language, *DRAWN),
        "administrator": visit("administrator", language),
        "settings": visit("settings", language),
        "leaderboard": visit("leaderboard", language) | cards(language, *DRAWN),
    }


def cards(language: str, *names: str) -> set[Path]:
    """What games call themselves where the server's own words do not do."""
    return set() if language == SERVERS_OWN else {FOLDERS[name] / f"card.{language}.js" for name in names}


def parts_of_pages() -> dict[str, set[Path]]:
    """By page, the modules that the frame asks for beforehand."""
    text = (SHELL / "frame.js").read_text()
    inputs = re.search(r'^const INPUTS = "(.*)";$', text, re.M)
    assert inputs is not None
    rows = re.findall(r'^  \[/.*/, "(\w+)", ["`](.*)["`]\],$', text, re.M)
    return {
        page: {(SHELL / f"{name}.js").resolve() for name in parts.replace("${INPUTS}", inputs[1]).split()}
        for page, parts in rows
    }
