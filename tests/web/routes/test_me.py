"""A person's own page, and their data: taken away as one file, or deleted."""

import json
from typing import Any

from ludex.coach.puzzles.collection import of_theme, shipped
from tests.web.playing import Visitor
from tests.web.routes.test_teaching import read


def lost_match(visitor: Visitor) -> str:
    """A finished match against a level."""
    match = visitor.begin("tictactoe", "you", "unbeatable")
    assert not visitor.change(match, "resign")["live"]
    return str(match["id"])


def fail_puzzles(visitor: Visitor, count: int) -> None:
    for puzzle in of_theme([*shipped("tictactoe").values()], "fork")[:count]:
        body = {"move": puzzle.proof.reasons[0].moves[0]}
        assert read(visitor, f"/api/puzzles/tictactoe/{puzzle.id}", "POST", body)["counted"]


def test_the_page_counts_matches_and_finds_weak_themes(ann: Visitor, bob: Visitor) -> None:
    lost_match(ann)
    fail_puzzles(ann, 5)
    page = read(ann, "/api/me/page")
    (game,) = page["games"]
    assert (game["game"], game["matches"], game["losses"]) == ("tictactoe", 1, 1)
    assert len(page["ratings"]) == 1
    assert len(page["puzzle_ratings"]) == 5
    assert [theme["theme"] for theme in page["weak"]] == ["fork"]
    assert page["next"][0]["href"] == "/puzzles/tictactoe/fork"
    other = read(bob, "/api/me/page")
    assert (other["games"], other["weak"], other["puzzle_ratings"]) == ([], [], [])
    assert [suggestion["href"] for suggestion in other["next"]] == ["/puzzles"], "games that are new are one suggestion"


def test_everything_is_exported_and_deleted(ann: Visitor, bob: Visitor) -> None:
    over = lost_match(ann)
    live, shared = (str(ann.begin("tictactoe", "you", other)["id"]) for other in ("beginner", "open"))
    invitation = read(ann, f"/api/matches/{shared}/invitation", "POST")["path"].split("invitation=")[-1]
    read(bob, f"/api/matches/{shared}/join", "POST", {"invitation": invitation})
    fail_puzzles(ann, 2)
    read(ann, "/api/me/nickname", "PUT", {"nickname": "Ann"})
    answer = ann.ask("GET", "/api/me/export")
    assert "attachment" in answer.headers["content-disposition"]
    document = json.loads(answer.text)
    assert document["nickname"] == "Ann"
    assert {match["id"] for match in document["matches"]} == {over, live, shared}
    seeds = {match["id"]: match["seed"] for match in document["matches"]}
    assert seeds[over] is not None
    assert seeds[live] is None, "the seed of a live match is secret"
    assert len(document["puzzles"]["attempts"]) == 2

    assert ann.ask("POST", "/api/me/delete", {"confirm": "yes"}).status_code == 422
    deleted = read(ann, "/api/me/delete", "POST", {"confirm": "delete everything"})
    assert deleted == {"matches": 2, "left": 1, "attempts": 2}
    assert ann.ask("GET", f"/api/matches/{over}").json()["code"] == "unknown_match"
    assert ann.ask("GET", f"/api/matches/{live}").json()["code"] == "unknown_match"
    after = json.loads(ann.ask("GET", "/api/me/export").text)
    assert (after["nickname"], after["matches"], after["puzzles"]["attempts"]) == (None, [], [])
    # The other person has won the match and keeps it, without Ann.
    assert read(bob, f"/api/matches/{shared}")["outcome"]["scores"] == [-1.0, 1.0]
    seats: list[dict[str, Any]] = read(bob, f"/api/matches/{shared}")["seats"]
    assert [seat["you"] for seat in seats] == [False, True]
    assert not any(seat["you"] for seat in read(ann, f"/api/matches/{shared}")["seats"])
