"""Sentences as data: rendered from every catalogue in every language, and refused where something is missing."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from ludex.core import messages, registry
from ludex.core.decision import Decision
from ludex.core.errors import BrokenGame
from ludex.core.messages import COMMON, LANGUAGES, Language, ListOf, Message, Parameter, catalogue

OWNERS = (COMMON, *(spec.id for spec in registry.available()[0] if spec.screen.messages is not None))


def fields(owner: str, name: str, language: Language) -> dict[str, str]:
    """The parameters of a message in a language, with the formats they are written in."""
    entry = catalogue(owner, language)[name]
    texts = [entry] if isinstance(entry, str) else [*entry.values()]
    parsed = [part for text in texts for part in Formatter().parse(text)]
    return {str(field): str(form) for _, field, form, _ in parsed if field is not None}


@pytest.mark.parametrize("owner", OWNERS)
def test_every_id_is_rendered_in_every_language(owner: str) -> None:
    assert {*catalogue(owner, "en")} == {*catalogue(owner, "fr")}
    for name in catalogue(owner, "en"):
        named = fields(owner, name, "en") | fields(owner, name, "fr")
        for count in (1, 2):
            values: dict[str, Parameter] = {one: 0.5 if form.endswith(("t", "f")) else 3 for one, form in named.items()}
            texts = Message(f"{owner}.{name}", values | {"count": count}).texts()
            assert not any(text == "" or re.search(r"[{}]", text) for text in texts.values())


@pytest.mark.parametrize("owner", OWNERS)
def test_a_message_has_the_same_parameters_in_every_language(owner: str) -> None:
    for name in catalogue(owner, "en"):
        english, french = (fields(owner, name, language).keys() - {"count"} for language in LANGUAGES)
        assert english == french, name


def test_numbers_counts_and_lists_are_written_as_the_language_does() -> None:
    message = Message("skirmish.odds", {"count": 1.25, "kill": 0.5})
    assert message.text("en") == "1.2 wounds expected, 50% to destroy it"
    assert message.text("fr") == "1,2 blessure attendue, 50\u00a0% de chances de la détruire"
    one, two = (Message("quoridor.wins", {"move": "e2", "count": count}) for count in (1, 2))
    assert (one.text(), two.text()) == ("e2 wins in 1 ply", "e2 wins in 2 plies")
    numbers = ListOf(tuple(Message("minesweeper.number", {"number": n, "cell": c}) for n, c in ((1, "a1"), (2, "b2"))))
    proof = Message("minesweeper.proof_many", {"cell": "c3", "numbers": numbers}, (0, 1, 2))
    assert proof.text() == "c3 is safe: the 1 at a1 and the 2 at b2 prove it"
    assert proof.text("fr") == "c3 est sûre\u00a0: le 1 en a1 et le 2 en b2 le prouvent"
    assert proof.document()["parameters"]["numbers"][0]["id"] == "minesweeper.number"


@pytest.mark.parametrize(
    ("message", "missing"),
    [
        (Message("ludex.none"), "no message 'none'"),
        (Message("ludex.text"), "no parameter 'text'"),
        (Message("skirmish.waits", {"untit": "01"}), "no parameter 'unit'"),
    ],
)
def test_what_is_missing_is_named(message: Message, missing: str) -> None:
    with pytest.raises(BrokenGame, match=missing):
        message.text()


def test_a_plural_needs_a_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalogue(COMMON, "en"), "text", {"one": "a man", "other": "men"})
    with pytest.raises(BrokenGame, match="no parameter 'count'"):
        Message.plain("as it is").text()


def test_a_conversion_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalogue(COMMON, "en"), "text", "{text!r}")
    with pytest.raises(BrokenGame, match="converts a parameter"):
        Message.plain("as it is").text()


def test_the_note_of_a_decision_is_its_first_sentence() -> None:
    assert Decision(3, explanation=(Message.plain("because"), Message.plain("so"))).note == "because"
    assert Decision(3).note == ""


def listed_entries() -> set[str]:
    """The entries that the manual of catalogues lists, with capitals where the game names them."""
    left = re.findall(r"^ {4}([a-z]\w+(?:, \w+)*)(?: {2,}|$)", str(messages.__doc__), re.MULTILINE)
    return {name for line in left for name in line.split(", ")}


READERS = ("Message", "_level", "entry_of", "text_of", "text")
"""What is called with the name of an entry."""


def read_templates() -> Iterator[str]:
    """What the sources outside the games read from a game's catalogue by name, as patterns."""
    package = Path(messages.__file__).parents[1]
    files = (path for path in package.rglob("*.py") if "games" not in path.relative_to(package).parts)
    for node in (node for path in files for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in READERS:
            named = [argument for argument in node.args if "COMMON" not in ast.unparse(argument)]
        else:
            # An error's entry is looked up before it is made a message.
            named = [node] if isinstance(node, ast.JoinedStr) and ast.unparse(node)[2:8] == "error_" else []
        for argument in named:
            parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
            pattern = "".join(str(part.value) if isinstance(part, ast.Constant) else ".+" for part in parts)
            name = pattern.removeprefix(".+.")
            if re.fullmatch(r"[a-z]+(_(\.\+|[a-z]+))*", name):
                yield name


def test_the_manual_lists_the_entries_that_are_read_by_name() -> None:
    entries, templates = listed_entries(), {*read_templates()}
    assert len(entries) > 20
    assert len(templates) > 15
    assert not [name for name in entries if not any(re.fullmatch(template, name) for template in templates)]
    assert not [template for template in templates if not any(re.fullmatch(template, name) for name in entries)]
