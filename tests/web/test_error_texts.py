"""Errors in the language of the screen: every code has a sentence, and reasons that people need keep their details."""

import asyncio
import json
from collections.abc import MutableMapping
from typing import Any

import pytest

import ludex
from ludex.core.errors import IllegalAction, LudexError, MoveError, UnknownMatch
from ludex.core.match import Match
from ludex.core.messages import catalogue
from ludex.games.skirmish.rules import errors as skirmish_errors
from ludex.web.errors import STATUSES, Refused, error_texts, problem_of, refuse
from ludex.web.schemas.base import Problem


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
    assert document["text"] == {"en": "no", "fr": catalogue("ludex", "fr")[f"error_{code}"]}


def test_every_refusal_of_a_placement_has_a_french_sentence() -> None:
    found = [one for one in vars(skirmish_errors).values() if isinstance(one, type) and issubclass(one, LudexError)]
    codes = {one.code for one in found if one.owner == "skirmish"}
    assert {"deploy_on_wall", "deploy_occupied", "deploy_outside_pool"} <= codes
    assert all(f"error_{code}" in catalogue("skirmish", "fr") for code in codes)


def test_a_refused_wall_names_the_other_wall_in_french_too() -> None:
    match = Match(ludex.make("quoridor", "5x5"), 0)
    match.play_text("b2h")
    with pytest.raises(IllegalAction) as refused:
        match.play_text("b2v")
    assert error_texts(refused.value) == {"en": "the wall b2v crosses b2h", "fr": "le mur b2v croise b2h"}
    problem = problem_of(Refused(refused.value, ["c2"]))
    assert problem.text is not None
    assert (problem.code, problem.text["fr"], problem.legal) == ("illegal_action", "le mur b2v croise b2h", ["c2"])


def test_a_code_stands_for_its_kind_and_the_server_speaks_english() -> None:
    class Own(MoveError):
        code = "own_code"

    assert error_texts(Own("not there")) == {"en": "not there", "fr": "Le coup est refusé."}
    texts = error_texts(UnknownMatch("no match has the id 'x'"))
    assert texts["en"] == "no match has the id 'x'"
    assert texts["fr"].startswith("Aucune partie")
