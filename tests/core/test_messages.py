"""Sentences as data: rendered from every catalogue in every language, and refused where something is missing."""

import re
from string import Formatter

import pytest

from ludex.core import registry
from ludex.core.decision import Decision
from ludex.core.errors import BrokenGame
from ludex.core.messages import COMMON, LANGUAGES, Language, ListOf, Message, Parameter, catalogue

OWNERS = (COMMON, *(one.id for one in registry.available()[0] if one.screen.messages is not None))


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
    message = Message("skirmish.odds", {"wounds": 1.25, "kill": 0.5})
    assert message.text("en") == "1.2 wounds expected, 50 % to destroy it"
    assert message.text("fr") == "1,2 blessures attendues, 50\u00a0% de chances de la détruire"
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


def test_a_conversion_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalogue(COMMON, "en"), "text", "{text!r}")
    with pytest.raises(BrokenGame, match="converts a parameter"):
        Message.plain("as it is").text()


def test_the_note_of_a_decision_is_its_first_sentence() -> None:
    assert Decision(3, explanation=(Message.plain("because"), Message.plain("so"))).note == "because"
    assert Decision(3).note == ""
