"""Puzzles from a person's own mistakes: of matches that were reviewed, judged by the analyst, not rated."""

import time
from typing import Any

from tests.web.playing import PATIENCE, Visitor
from tests.web.routes.test_teaching import read

GAME = ("a1", "a2", "b2", "c3", "b1", "b3", "c1")
"""An edge in answer to a corner loses."""


def reviewed_match(visitor: Visitor) -> str:
    match: Any = visitor.begin("tictactoe", "you", "you")
    for move in GAME:
        match = visitor.move(match, move)
    deadline = time.monotonic() + PATIENCE
    while not read(visitor, f"/api/matches/{match['id']}/review")["complete"]:
        assert time.monotonic() < deadline, "the review takes too long"
        time.sleep(0.05)
    # It is complete before it is written.
    while not read(visitor, "/api/puzzles")["mistakes"]["count"]:
        assert time.monotonic() < deadline, "the review is not written"
        time.sleep(0.05)
    return str(match["id"])


def test_a_mistake_that_is_put_right_in_the_review_counts_for_who_has_made_it(ann: Visitor, bob: Visitor) -> None:
    match = reviewed_match(ann)
    solved = []
    for text in ("b1", "b2"):
        for visitor in (ann, bob):
            read(visitor, f"/api/matches/{match}/review/try", "POST", {"ply": 1, "text": text})
        solved.append([read(visitor, "/api/puzzles")["mistakes"]["solved"] for visitor in (ann, bob)])
    assert solved == [[0, 0], [1, 0]]


def test_a_mistake_becomes_a_puzzle_and_is_put_right(ann: Visitor, bob: Visitor) -> None:
    assert ann.refused(404, "unknown_puzzle", "GET", "/api/puzzles/mistakes/next")
    match = reviewed_match(ann)
    asked = read(ann, "/api/puzzles/mistakes/next")
    assert asked["id"] == f"{match}-1"
    assert (asked["game"], asked["rating"], asked["tried"]) == ("tictactoe", None, False)
    assert "a2" in asked["task"]["fr"]
    assert [move["text"] for move in asked["position"]["moves"]] == ["a1"]
    path = f"/api/puzzles/mistakes/{asked['id']}"
    wrong = read(ann, path, "POST", {"move": "b1"})
    assert (wrong["solved"], wrong["counted"], wrong["solution"]) == (False, False, None)
    right = read(ann, path, "POST", {"move": "b2"})
    assert right["solved"]
    assert right["solution"]["proof"]
    assert right["solution"]["frames"]
    assert read(ann, "/api/puzzles")["mistakes"]["solved"] == 1
    assert read(ann, "/api/puzzles")["standing"]["attempts"] == 0, "they are not rated"
    assert read(ann, f"{path}/solution", "POST")["accept"] == ["b2"]
    assert bob.refused(404, "unknown_puzzle", "GET", path)
    page = read(ann, "/api/me/page")
    assert page["accuracies"][0]["game"] == "tictactoe"
