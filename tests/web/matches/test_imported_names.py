"""The agents of imported matches: a name that is taken can be shown, and what is refused is not stored."""

import json

import pytest

import ludex
from ludex.core.record import match_file
from tests.web.playing import Visitor


def finished(*agents: str) -> str:
    """The file of a finished match between these."""
    match = ludex.Match(ludex.make("tictactoe"), seed=0)
    for text in ("a3", "b3", "a2", "b2", "a1"):
        match.play_text(text)
    return match_file(match, agents)


@pytest.mark.parametrize(
    "name",
    ["perfect:ties=random", "run:first@500", "kept:gone", 'ugi:"other --hash 64":nodes=9', "py:./x.py:Mine", "new"],
)
def test_names_of_agents_are_taken_and_shown(ann: Visitor, name: str) -> None:
    assert ann.view(ann.bring(finished(name, "you")))["seats"][0]["name"] == name


@pytest.mark.parametrize(
    "name",
    [
        "run:",
        "kept:",
        "run:x:bad",
        "perfect:ties",
        "py:x",
        "Ann Smith",
        "",
        "\u00e9",
        "a\u202eb",
        "x" * 129,
        "<b>",
        " you",
    ],
)
def test_what_no_agent_is_called_is_refused_and_not_stored(ann: Visitor, name: str) -> None:
    ann.begin("tictactoe", "you", "you")
    before = ann.client.get("/api/matches", params={"limit": 1}).json()["matches"]
    ann.refused(422, "bad_option", "POST", "/api/matches/import", json.loads(finished(name, "you")))
    assert ann.client.get("/api/matches", params={"limit": 1}).json()["matches"] == before
    assert len(ann.client.get("/api/matches", params={"yours": True}).json()["matches"]) == 1
