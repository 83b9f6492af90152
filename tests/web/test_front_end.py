"""The files a browser loads: what they weigh, where they come from, and that nothing in them needs a looser policy."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ludex.core.registry import spec
from ludex.web.page_document import PAGES, STATIC, document, with_imports
from tests.web.page_weight import (
    DRAWN,
    FOLDERS,
    LANGUAGES,
    RENDERERS,
    SERVERS_OWN,
    SHELL,
    board_files,
    board_visit,
    files,
    home_visit,
    match_visit,
    page_visits,
    player_visit,
    rated_visit,
    weight,
)

MOST_GZIPPED = 75_000
PLURAL_FORMS = {"zero", "one", "two", "few", "many", "other"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("daily", DRAWN)
def test_the_home_page_with_its_pictures_and_the_puzzle_of_the_day_is_light(daily: str, language: str) -> None:
    loaded = home_visit(language, daily)
    assert sum(file.name == "preview.js" for file in loaded) == len(DRAWN)
    assert weight(loaded) < MOST_GZIPPED


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("renderer", RENDERERS)
def test_a_match_with_clocks_opened_by_its_address_is_light(renderer: str, language: str) -> None:
    loaded = match_visit(renderer, language, clock=True)
    assert board_files(renderer, language) | {SHELL / "clock.js"} <= loaded
    assert weight(loaded) < MOST_GZIPPED


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("renderer", RENDERERS)
def test_ones_own_match_a_tutorial_a_puzzle_and_a_review_are_light(renderer: str, language: str) -> None:
    """One's own match has a coach, and finished a rating."""
    boards = [board_visit(page, renderer, language) for page in ("learn", "puzzle", "round", "review")]
    for loaded in (rated_visit(renderer, language), player_visit(renderer, language), *boards):
        assert weight(loaded) < MOST_GZIPPED


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_other_page_is_light(language: str) -> None:
    for page, loaded in page_visits(language).items():
        assert weight(loaded) < MOST_GZIPPED, page


def test_every_page_has_its_weight_counted() -> None:
    assert set(PAGES.values()) == {"home", "match", "learn", "puzzle", "round", "review", *page_visits("en")}


@pytest.mark.parametrize("page", PAGES.values())
def test_the_document_of_a_page_names_its_modules_and_texts(page: str) -> None:
    text = document(page).body.decode()
    preloaded = {STATIC / name for name in re.findall(r'rel="modulepreload" href="/static/([^"]+)"', text)}
    assert preloaded == {*with_imports(STATIC / "main.js"), *with_imports(SHELL / f"{page}.js")}
    parts = re.search(r'data-parts="([^"]+)"', text)
    assert parts is not None
    assert {(STATIC / "texts" / "en" / f"{part}.json").is_file() for part in parts[1].split()} == {True}


def test_texts_have_the_same_keys_and_values_in_every_language() -> None:
    pairs = [(file, file.parents[1] / "fr" / file.name) for file in (STATIC / "texts" / "en").iterdir()] + [
        (file, file.with_name("texts.fr.json")) for game in DRAWN for file in FOLDERS[game].glob("texts.en.json")
    ]
    assert len(pairs) > len(RENDERERS)
    for english, french in pairs:
        assert _values_of(french) == _values_of(english), french


def _values_of(catalogue: Path) -> dict[str, set[str]]:
    """By key, the names in braces of a text; all of those of a text with plural forms."""
    return dict(_entries(json.loads(catalogue.read_text()), ""))


def _entries(texts: dict[str, Any], prefix: str) -> Iterator[tuple[str, set[str]]]:
    for key, text in texts.items():
        if isinstance(text, str):
            yield f"{prefix}{key}", set(re.findall(r"\{(\w+)\}", text))
        elif PLURAL_FORMS.issuperset(text):
            values = {form: set(re.findall(r"\{(\w+)\}", words)) for form, words in text.items()}
            # No form stands for one number only: in French, 0 is written as 1 is.
            assert all(names == values["other"] for names in values.values()), f"{prefix}{key}"
            yield f"{prefix}{key}", values["other"]
        else:
            yield from _entries(text, f"{prefix}{key}.")


def test_vendored_files_are_those_that_were_vetted() -> None:
    vendor = STATIC / "vendor"
    vetted = dict(
        reversed(line.split()) for line in re.findall(r"^[0-9a-f]{64}  \S+$", (vendor / "README.md").read_text(), re.M)
    )
    served = {str(file.relative_to(vendor)): file for file in vendor.rglob("*") if file.suffix in {".js", ".css"}}
    assert vetted == {name: hashlib.sha256(file.read_bytes()).hexdigest() for name, file in served.items()}
    assert all((vendor / name.split("/")[0] / "LICENSE").is_file() for name in served)


def test_nothing_is_inline_and_no_other_host_is_named() -> None:
    # A block of data is no script.
    html = document("match").body.decode().replace('<script type="application/json" id="pages">', "")
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=", html)
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
            named = set(json.loads((FOLDERS[game] / f"card.{language}.json").read_text())["agents"])
            # Those that play every game are described in the shell.
            own = {name for name, agent in spec(game).agents.items() if agent.games != "*"}
            assert own <= named <= set(spec(game).agents), language
