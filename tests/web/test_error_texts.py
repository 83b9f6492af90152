"""Errors in the language of the screen: every code has a sentence, and reasons that people need keep their details."""

import asyncio
import json
from collections.abc import MutableMapping
from typing import Any

import pytest

import ludex
from ludex.core.errors import BadOption, IllegalAction, LudexError, MoveError, UnknownMatch
from ludex.core.match import Match
from ludex.core.messages import LANGUAGES, Language, catalogue
from ludex.games.skirmish.rules.illegal_actions import RULES, WrongDeployer
from ludex.web.errors import STATUSES, Refused, error_texts, problem_of, refuse
from ludex.web.schemas.base import Problem
from tests.web.playing import Visitor


@pytest.mark.parametrize("code", STATUSES)
def test_every_code_of_the_api_has_a_french_sentence(code: str) -> None:
    assert catalogue("ludex", "fr")[f"error_{code}"]


@pytest.mark.parametrize("code", ["too_large", "not_json", "wrong_origin", "too_many_requests"])
def test_refusals_of_the_guards_are_french_too(code: str) -> None:
    sent: list[dict[str, Any]] = []

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(dict(message))

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    asyncio.run(refuse({"type": "http"}, receive, send, Problem(code=code, message="no")))
    document = json.loads(sent[-1]["body"])
    assert document["text"] == {language: catalogue("ludex", language)[f"error_{code}"] for language in LANGUAGES}


def test_every_refusal_of_a_placement_has_a_french_sentence() -> None:
    refusals: list[type[LudexError]] = [*RULES, WrongDeployer]
    codes = {refusal.code for refusal in refusals}
    assert {"deploy_on_wall", "deploy_occupied", "deploy_outside_pool"} <= codes
    assert all(f"error_{code}" in catalogue("skirmish", "fr") for code in codes)


def test_a_refused_wall_names_the_other_wall_in_french_too() -> None:
    match = Match(ludex.make("quoridor", "5x5"), 0)
    match.play_text("b2h")
    with pytest.raises(IllegalAction) as refused:
        match.play_text("b2v")
    assert error_texts(refused.value) == {
        "en": "the wall b2h already stands across this place",
        "fr": "le mur b2h est déjà en travers de cet endroit",
    }
    problem = problem_of(Refused(refused.value, ["c2"]))
    assert problem.text is not None
    assert (problem.code, problem.legal) == ("illegal_action", ["c2"])
    assert problem.text["fr"].startswith("le mur b2h")


def test_a_refused_order_of_skirmish_says_why_in_french_too() -> None:
    match = Match(ludex.make("skirmish", "small"), 0)
    with pytest.raises(IllegalAction) as refused:
        match.play_text("shoot/04")
    assert refused.value.message.startswith("shoot/04 cannot be played: that is for the shoot phase")
    assert error_texts(refused.value) == {
        "en": "that is for the shoot phase, and this is the deployment phase",
        "fr": "cela se fait en phase de tir, et c\u2019est la phase de déploiement",
    }


def test_a_code_stands_for_its_kind_and_the_server_speaks_english() -> None:
    class Own(MoveError):
        code = "own_code"

    assert error_texts(Own("not there")) == {"en": "not there", "fr": catalogue("ludex", "fr")["error_move"]}
    texts = error_texts(UnknownMatch("no match has the id 'x'"))
    assert texts["en"].startswith("There is no match at this address")
    assert texts["fr"].startswith("Il n\u2019y a pas de partie")


def test_options_that_do_not_fit_say_what_to_do_in_both_languages() -> None:
    with pytest.raises(BadOption) as refused:
        ludex.make("minesweeper", "small:rows=5:cols=5:mines=20")
    texts = error_texts(refused.value)
    assert texts["en"].startswith("At most 16 mines fit on 5×5 cells")
    assert texts["fr"].startswith("Au plus 16 mines tiennent sur 5×5 cases")
    assert all("start=" not in text and "Value error" not in text for text in texts.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_board_that_a_line_does_not_fit_says_what_to_do(language: Language) -> None:
    with pytest.raises(BadOption) as refused:
        ludex.make("tictactoe", "3x3x3:k=5")
    assert {"en": "choose fewer marks", "fr": "choisissez moins de marques"}[language] in error_texts(refused.value)[
        language
    ]


def test_a_request_that_does_not_validate_is_explained_without_the_words_of_the_validator(ann: Visitor) -> None:
    body = {"game": "tictactoe", "seats": ["you", "random"], "movetime_ms": "soon"}
    text = ann.refused(422, "bad_request", "POST", "/api/matches", body)["text"]
    assert text["en"] == "movetime_ms must be a whole number, found 'soon'"
    assert text["fr"].startswith("movetime_ms doit être un nombre entier")
