"""The files a browser loads: what they weigh, where they come from, and that nothing in them needs a looser policy."""

import hashlib
import re

import pytest

from ludex.core.registry import spec
from tests.web.page_weight import (
    DRAWN,
    FOLDERS,
    IMPORT,
    LANGUAGES,
    LAZY,
    RENDERERS,
    SERVERS_OWN,
    SHELL,
    STATIC,
    files,
    frame,
    home_visit,
    imported,
    learn_visit,
    match_visit,
    page_visits,
    parts_of_pages,
    player_visit,
    puzzle_visit,
    rated_visit,
    review_visit,
    weight,
    with_imports,
)

MOST_GZIPPED = 60_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_home_page_with_its_pictures_is_light(language: str) -> None:
    loaded = home_visit(language)
    assert sum(file.name == "preview.js" for file in loaded) == len(DRAWN)
    assert weight(loaded) < MOST_GZIPPED


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("renderer", RENDERERS)
def test_a_match_with_clocks_opened_by_its_address_is_light(renderer: str, language: str) -> None:
    loaded = match_visit(renderer, language, clock=True)
    folder = FOLDERS[renderer]
    assert {folder / "renderer.css", folder / f"texts.{language}.js", SHELL / "clock.js"} <= loaded
    assert weight(loaded) < MOST_GZIPPED


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("renderer", RENDERERS)
def test_ones_own_match_is_light_with_a_coach_and_finished_with_a_rating(renderer: str, language: str) -> None:
    assert weight(rated_visit(renderer, language)) < MOST_GZIPPED
    assert weight(player_visit(renderer, language)) < MOST_GZIPPED


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("renderer", RENDERERS)
def test_a_tutorial_and_a_puzzle_are_light(renderer: str, language: str) -> None:
    assert weight(learn_visit(renderer, language)) < MOST_GZIPPED
    assert weight(puzzle_visit(renderer, language)) < MOST_GZIPPED


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("renderer", RENDERERS)
def test_a_review_is_light(renderer: str, language: str) -> None:
    assert weight(review_visit(renderer, language)) < MOST_GZIPPED


def test_rules_and_tutorials_are_loaded_on_demand() -> None:
    loaded = match_visit("skirmish", "en", clock=True) | home_visit("en")
    assert not {SHELL / "rules.js", SHELL / "learn.js", SHELL / "teaching.js", STATIC / "style" / "rules.css"} & loaded


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_other_page_is_light(language: str) -> None:
    for page, loaded in page_visits(language).items():
        assert weight(loaded) < MOST_GZIPPED, page


def test_every_page_has_its_weight_counted() -> None:
    assert parts_of_pages().keys() == {"home", "match", "learn", "puzzle", "review", *page_visits("en")}


def test_the_modules_of_every_page_are_named_in_the_document() -> None:
    named = re.findall(r'rel="modulepreload" href="/static/([^"]+)"', (STATIC / "index.html").read_text())
    main = STATIC / "main.js"
    assert with_imports(main) - {main} <= {STATIC / name for name in named}


def test_the_modules_of_a_page_are_requested_together() -> None:
    for page, parts in parts_of_pages().items():
        module = SHELL / f"{page}.js"
        assert parts == with_imports(module) - frame() - {module}, page


def test_words_are_loaded_for_the_language_alone() -> None:
    words = {file for file in files() if file.name.endswith(tuple(f".{language}.js" for language in LANGUAGES))}
    assert len(words) > len(RENDERERS) * len(LANGUAGES)
    for module in files():
        if module.suffix == ".js":
            assert not words & (with_imports(module) - {module}), module


def test_curves_are_loaded_only_where_some_are_drawn() -> None:
    uplot = STATIC / "vendor" / "uplot" / "uplot.js"
    assert uplot.exists()
    for page in ("runs.js", "run.js", "tournament.js"):
        assert uplot not in with_imports(SHELL / page)


def test_clocks_are_loaded_only_where_a_match_has_some() -> None:
    assert (SHELL / "clock.js").exists()
    assert SHELL / "clock.js" not in match_visit("skirmish", "en", clock=False)


def test_every_import_leads_to_a_file() -> None:
    for module in files():
        if module.suffix != ".js" or "vendor" in module.parts:
            continue
        for name in IMPORT.findall(module.read_text()) + LAZY.findall(module.read_text()):
            target = imported(module, name)
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
    for file in files():
        if file.suffix in {".js", ".css", ".html"} and "vendor" not in file.parts:
            text = file.read_text()
            assert not re.search(r"\sstyle=[\"'$]|\beval\(|new Function\(", text), file
            assert not re.search(r"https?://(?!www\.w3\.org/)", text), file


def test_the_shell_names_no_game() -> None:
    for file in SHELL.glob("*.js"):
        assert not re.search(r"tictactoe|quoridor|minesweeper|skirmish", file.read_text(), re.I), file


@pytest.mark.parametrize("game", DRAWN)
def test_every_agent_is_described_in_every_language(game: str) -> None:
    for language in LANGUAGES:
        if language != SERVERS_OWN:
            words = (FOLDERS[game] / f"card.{language}.js").read_text()
            named = set(re.findall(r"^    (\w+): \"", words, re.M))
            # Those that play every game are described in the shell.
            own = {name for name, agent in spec(game).agents.items() if agent.games != "*"}
            assert own <= named <= set(spec(game).agents), language
