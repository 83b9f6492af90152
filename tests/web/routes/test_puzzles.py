"""Puzzles over HTTP: set without their solutions, judged by the server, rated once."""

from typing import Any

import pytest

from ludex.coach.puzzles.collection import games_with_puzzles, shipped_puzzles
from ludex.core.puzzle import Puzzle
from tests.waiting import until
from tests.web.playing import Visitor
from tests.web.routes.test_teaching import read


def solved(visitor: Visitor, path: str, puzzle: Puzzle) -> Any:
    """The verdict on the last right move."""
    *earlier, last = puzzle.moves
    for turn, move in enumerate(earlier):
        part = read(visitor, path, "POST", {"move": move, "made": [*puzzle.moves[:turn]]})
        assert (part["kind"], part["solved"], part["counted"]) == ("part", False, False)
        assert part["reply"] == puzzle.proof.turns[turn].reply
        assert part["position"]["scene"] is not None
    return read(visitor, path, "POST", {"move": last, "made": earlier})


@pytest.mark.parametrize("game", ["quoridor", "tictactoe"])
def test_a_puzzle_of_several_moves_is_rated_once_it_is_decided(ann: Visitor, bob: Visitor, game: str) -> None:
    asked = read(ann, f"/api/puzzles/{game}/next", theme="combination")
    puzzle, path = shipped_puzzles(game)[asked["id"]], f"/api/puzzles/{game}/{asked['id']}"
    assert (asked["turns"], asked["solutions"]) == (puzzle.turns, 1)
    assert asked["turns"] > 1
    # Nobody begins with a later turn.
    skipped = ann.ask("POST", path, {"move": puzzle.moves[1], "made": ["b1" if puzzle.moves[0] == "a1" else "a1"]})
    assert (skipped.status_code, skipped.json()["code"]) == (422, "usage")
    right = solved(ann, path, puzzle)
    assert (right["solved"], right["counted"], right["standing"]["streak"]) == (True, True, 1)
    assert right["solution"]["line"][:3] == [puzzle.moves[0], puzzle.proof.turns[0].reply, puzzle.moves[1]]
    wrong = puzzle.proof.turns[0].reasons[0].moves[0]
    failed = read(bob, path, "POST", {"move": wrong, "made": [puzzle.moves[0]]})
    assert (failed["solved"], failed["counted"], failed["kind"]) == (False, True, "attempt")
    assert wrong in failed["text"]["en"]


def test_the_calendar_shows_past_days_and_what_was_solved(ann: Visitor) -> None:
    daily = read(ann, "/api/puzzles")["daily"]
    assert solved(ann, f"/api/puzzles/{daily['game']}/{daily['id']}", shipped_puzzles(daily["game"])[daily["id"]])[
        "solved"
    ]
    month = read(ann, "/api/puzzles/calendar")
    assert (month["month"], month["days"][-1]["day"], month["after"]) == (daily["day"][:7], daily["day"], None)
    assert month["days"][-1]["solved"]
    before = read(ann, "/api/puzzles/calendar", month=month["before"])
    assert len(before["days"]) >= 28
    assert before["after"] == month["month"]
    assert not any(day["solved"] for day in before["days"])
    assert read(ann, "/api/puzzles/calendar", month="2025-01")["before"] is None
    assert ann.ask("GET", "/api/puzzles/calendar", month="2099-12").json()["code"] == "bad_request"


@pytest.mark.parametrize("game", games_with_puzzles())
def test_a_puzzle_is_failed_solved_and_rated_once(ann: Visitor, game: str) -> None:
    asked = read(ann, f"/api/puzzles/{game}/next")
    puzzle, path = shipped_puzzles(game)[asked["id"]], f"/api/puzzles/{game}/{asked['id']}"
    assert asked["position"]["scene"] is not None
    assert not asked["tried"]
    wrong = read(ann, path, "POST", {"move": puzzle.proof.reasons[0].moves[0]})
    assert (wrong["legal"], wrong["solved"], wrong["counted"], wrong["solution"]) == (True, False, True, None)
    assert wrong["change"] < 0
    assert all(wrong["text"][language] for language in ("en", "fr"))
    right = solved(ann, path, puzzle)
    assert (right["solved"], right["counted"], right["change"]) == (True, False, 0)
    assert right["solution"]["accept"] == [*puzzle.proof.accept]
    assert right["solution"]["proof"]
    assert len(right["solution"]["frames"]) == max(1, len(right["solution"]["line"]))
    assert read(ann, path)["tried"]
    assert read(ann, f"/api/puzzles/{game}/next")["id"] != asked["id"]


def test_a_puzzle_is_set_without_its_solution_or_secrets(ann: Visitor) -> None:
    asked = read(ann, "/api/puzzles/minesweeper/next", theme="safe")
    cells: Any = shipped_puzzles("minesweeper")[asked["id"]].position.position
    assert "*" in cells["cells"]
    assert cells["cells"] not in str(asked)
    assert not {"accept", "solution", "proof", "line"} & asked.keys()
    noted = read(ann, f"/api/puzzles/minesweeper/{asked['id']}", "POST", {"move": "a1!"})
    assert noted["kind"] in ("note", "other")


def test_the_overview_shows_themes_the_day_and_the_standing(ann: Visitor, bob: Visitor) -> None:
    page = read(ann, "/api/puzzles")
    assert [game["game"] for game in page["games"]] == games_with_puzzles()
    assert all(theme["puzzles"] >= 200 for game in page["games"] for theme in game["themes"])
    assert page["standing"]["attempts"] == 0
    daily = page["daily"]
    assert read(bob, "/api/puzzles")["daily"]["id"] == daily["id"]
    path = f"/api/puzzles/{daily['game']}/{daily['id']}"
    puzzle = shipped_puzzles(daily["game"])[daily["id"]]
    assert solved(ann, path, puzzle)["solved"]
    after = read(ann, "/api/puzzles")
    assert after["daily"]["solved"]
    assert (after["standing"]["streak"], after["standing"]["days"]) == (1, 1)
    assert not read(bob, "/api/puzzles")["daily"]["tried"]


def test_a_look_at_the_solution_is_a_failed_attempt(ann: Visitor) -> None:
    asked = read(ann, "/api/puzzles/tictactoe/daily")
    solution = read(ann, f"/api/puzzles/tictactoe/{asked['id']}/solution", "POST")
    assert solution["accept"] == [*shipped_puzzles("tictactoe")[asked["id"]].proof.accept]
    assert read(ann, "/api/puzzles")["standing"]["attempts"] == 1


def test_what_does_not_exist_is_said(ann: Visitor) -> None:
    assert ann.ask("GET", "/api/puzzles/tictactoe/000000000000").json()["code"] == "unknown_puzzle"
    assert ann.ask("GET", "/api/puzzles/chess/next").json()["code"] == "unknown_game"
    assert ann.ask("GET", "/api/puzzles/tictactoe/next", theme="safe").json()["code"] == "usage"
    asked = read(ann, "/api/puzzles/tictactoe/next")
    illegal = read(ann, f"/api/puzzles/tictactoe/{asked['id']}", "POST", {"move": "z9"})
    assert (illegal["legal"], illegal["counted"]) == (False, False)


GAME = ("a1", "a2", "b2", "c3", "b1", "b3", "c1")
"""An edge in answer to a corner loses."""


def reviewed_match(visitor: Visitor) -> str:
    match: Any = visitor.begin("tictactoe", "you", "you")
    for move in GAME:
        match = visitor.move(match, move)
    until(lambda: read(visitor, f"/api/matches/{match['id']}/review")["complete"], "the review")
    # It is complete before it is written.
    until(lambda: read(visitor, "/api/puzzles")["mistakes"]["count"], "the written review")
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
