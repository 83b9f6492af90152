"""The files a browser loads: what they weigh, where they come from, and that nothing in them needs a looser policy."""

import gzip
import hashlib
import re
from pathlib import Path

import ludex.web

STATIC = Path(ludex.web.__file__).parent / "static"
MOST_GZIPPED = 60_000
IMPORT = re.compile(r"""(?:from|import)\s*["'](\.[^"']+)["']""")
LAZY = re.compile(r"""import\(["'](\.[^"']+)["']\)\.?""")


def with_imports(module: Path, found: set[Path] | None = None) -> set[Path]:
    """A module and all it imports at once."""
    found = set() if found is None else found
    if module not in found:
        found.add(module)
        for name in IMPORT.findall(module.read_text()):
            with_imports((module.parent / name).resolve(), found)
    return found


def weight(files: set[Path]) -> int:
    return sum(len(gzip.compress(file.read_bytes())) for file in files)


def frame() -> set[Path]:
    """What every page loads: the document, what it links to, and the modules of its script."""
    document = STATIC / "index.html"
    linked = {STATIC / name for name in re.findall(r'(?:href|src)="/static/([^"]+)"', document.read_text())}
    modules = {found for file in linked if file.suffix == ".js" for found in with_imports(file)}
    return {document} | linked | modules


def test_the_home_page_with_its_pictures_is_light() -> None:
    previews = {found for file in STATIC.glob("games/*.preview.js") for found in with_imports(file)}
    assert len(previews) > 4
    assert weight(frame() | with_imports(STATIC / "shell" / "home.js") | previews) < MOST_GZIPPED


def test_a_match_opened_by_its_address_is_light_in_every_game() -> None:
    for game in ("tictactoe", "quoridor", "minesweeper", "skirmish", "generic"):
        renderer = with_imports(STATIC / "games" / f"{game}.js") | {STATIC / "games" / f"{game}.css"}
        assert weight(frame() | with_imports(STATIC / "shell" / "match.js") | renderer) < MOST_GZIPPED, game


def test_curves_are_loaded_only_where_some_are_drawn() -> None:
    uplot = STATIC / "vendor" / "uplot" / "uplot.js"
    assert uplot.exists()
    for page in ("runs.js", "tournament.js"):
        assert uplot not in with_imports(STATIC / "shell" / page)


def test_clocks_are_loaded_only_where_a_match_has_some() -> None:
    assert (STATIC / "shell" / "clock.js").exists()
    assert STATIC / "shell" / "clock.js" not in with_imports(STATIC / "shell" / "match.js")


def test_every_import_leads_to_a_file() -> None:
    for module in STATIC.rglob("*.js"):
        if "vendor" in module.parts:
            continue
        for name in IMPORT.findall(module.read_text()) + LAZY.findall(module.read_text()):
            target = (module.parent / name).resolve()
            assert target.exists() or target.with_suffix(".d.ts").exists(), f"{module.name} imports {name}"


def test_vendored_files_are_those_that_were_vetted() -> None:
    vendor = STATIC / "vendor"
    vetted = dict(
        reversed(line.split()) for line in re.findall(r"^[0-9a-f]{64}  \S+$", (vendor / "README.md").read_text(), re.M)
    )
    served = {str(file.relative_to(vendor)): file for file in vendor.rglob("*") if file.suffix in {".js", ".css"}}
    assert vetted == {name: hashlib.sha256(file.read_bytes()).hexdigest() for name, file in served.items()}
    assert all((vendor / name.split("/")[0] / "LICENSE").is_file() for name in served)


def test_nothing_is_inline_and_no_other_host_is_named() -> None:
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=", (STATIC / "index.html").read_text())
    for file in STATIC.rglob("*"):
        if file.suffix in {".js", ".css", ".html"} and "vendor" not in file.parts:
            text = file.read_text()
            assert not re.search(r"\sstyle=[\"'$]|\beval\(|new Function\(", text), file
            assert not re.search(r"https?://(?!www\.w3\.org/)", text), file


def test_the_shell_names_no_game() -> None:
    for file in (STATIC / "shell").glob("*.js"):
        assert not re.search(r"tictactoe|quoridor|minesweeper|skirmish", file.read_text(), re.I), file
