"""The files a browser loads: where they come from, and that nothing in them needs a looser policy."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ludex.core.messages import LANGUAGES, catalogue
from ludex.core.registry import spec
from ludex.core.web_files import web_folder
from ludex.web.routes.pages import PAGES, STATIC, document, with_imports

SHELL = STATIC / "shell"
DRAWN = ("tictactoe", "quoridor", "minesweeper", "skirmish")
FOLDERS = {name: Path(str(web_folder(spec(name)))) for name in DRAWN}
"""Where the files of each game are."""
PLURAL_FORMS = {"zero", "one", "two", "few", "many", "other"}


def files() -> list[Path]:
    """Every file of the page and of the games."""
    return [file for folder in (STATIC, *FOLDERS.values()) for file in folder.rglob("*")]


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
    assert len(pairs) > len(DRAWN)
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


def test_the_shell_names_no_game() -> None:
    for file in SHELL.glob("*.js"):
        assert not re.search(r"tictactoe|quoridor|minesweeper|skirmish", file.read_text(), re.I), file


@pytest.mark.parametrize("game", DRAWN)
def test_every_agent_is_described_in_every_language(game: str) -> None:
    for language in LANGUAGES:
        named = {key.removeprefix("summary_") for key in catalogue(game, language) if key.startswith("summary_")}
        # Those that play every game are described once for all.
        own = {name for name, agent in spec(game).agents.items() if agent.games != "*"}
        assert own <= named, language
