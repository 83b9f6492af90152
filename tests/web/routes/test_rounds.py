"""Rounds of puzzles over HTTP: one puzzle at a time, without its solution, by the server's clock."""

from pathlib import Path
from typing import Any

import pytest

from ludex.coach.puzzles.collection import games_with_puzzles, shipped_puzzles
from ludex.coach.puzzles.rounds import RUSH_MS
from tests.web.playing import Visitor
from tests.web.rounds import asked, wrong_move
from tests.web.routes.test_teaching import read

ROUNDS = "/api/puzzles/rounds"


def begin(visitor: Visitor, game: str, mode: str) -> dict[str, Any]:
    """A new round, once its game is prepared."""
    read(visitor, f"/api/puzzles/{game}/next")
    answer = visitor.ask("POST", ROUNDS, {"game": game, "mode": mode})
    assert answer.status_code == 201, answer.text
    view: dict[str, Any] = answer.json()
    return view


@pytest.fixture
def database(home: Path) -> Path:
    return home / "data" / "ludex.db"


def answer(visitor: Visitor, view: dict[str, Any], database: Path, *, right: bool) -> Any:
    puzzle = asked(database, view["id"])
    *earlier, last = puzzle.moves if right else (wrong_move(puzzle),)
    number = {"number": view["puzzle"]["number"]}
    for turn, move in enumerate(earlier):
        part = read(visitor, f"{ROUNDS}/{view['id']}", "POST", number | {"move": move, "made": earlier[:turn]})
        assert (part["kind"], part["round"]["puzzle"]) == ("part", view["puzzle"])
    return read(visitor, f"{ROUNDS}/{view['id']}", "POST", number | {"move": last, "made": earlier})


@pytest.mark.parametrize("game", games_with_puzzles())
def test_a_rush_gives_a_puzzle_after_each_answer_and_ends_with_the_third_error(
    ann: Visitor, database: Path, game: str
) -> None:
    view = begin(ann, game, "rush")
    assert 0 < view["left_ms"] <= RUSH_MS
    assert view["puzzle"]["position"]["scene"] is not None
    assert not any(puzzle_id in ann.heard[-1] for puzzle_id in shipped_puzzles(game)), "its solution could be looked up"
    verdict = answer(ann, view, database, right=True)
    assert (verdict["solved"], verdict["round"]["solved"], verdict["round"]["puzzle"]["number"]) == (True, 1, 2)
    assert read(ann, f"{ROUNDS}/{view['id']}")["puzzle"] == verdict["round"]["puzzle"]
    for errors in (1, 2, 3):
        wrong = asked(database, view["id"])
        verdict = answer(ann, verdict["round"], database, right=False)
        assert (verdict["solved"], verdict["round"]["errors"]) == (False, errors)
        assert all(verdict["text"][language] for language in ("en", "fr"))
    assert (verdict["round"]["over"], verdict["round"]["puzzle"]) == (True, None)
    assert verdict["round"]["missed"][-1]["id"] == wrong.id
    late = read(ann, f"{ROUNDS}/{view['id']}", "POST", {"number": 5, "move": wrong.proof.accept[0]})
    assert (late["kind"], late["round"]["solved"]) == ("late", 1)
    best = read(ann, "/api/me/page")["rounds"]
    assert [(result["game"], result["mode"], result["solved"]) for result in best] == [(game, "rush", 1)]


def test_what_a_round_refuses(ann: Visitor, bob: Visitor) -> None:
    view = begin(ann, "tictactoe", "streak")
    path = f"{ROUNDS}/{view['id']}"
    assert (view["left_ms"], view["most_errors"]) == (None, 1)
    bob.refused(404, "unknown_round", "GET", path)
    bob.refused(404, "unknown_round", "POST", path, {"number": 1, "move": "b2"})
    ann.refused(409, "stale_round", "POST", path, {"number": 2, "move": "b2"})
    ann.refused(422, "bad_request", "POST", path, {"number": 0, "move": "b2"})
    ann.refused(404, "unknown_game", "POST", ROUNDS, {"game": "chess", "mode": "rush"})
    ann.refused(422, "bad_request", "POST", ROUNDS, {"game": "tictactoe", "mode": "marathon"})
    ann.refused(404, "unknown_game", "GET", ROUNDS, game="chess", mode="rush")
    illegal = read(ann, path, "POST", {"number": 1, "move": "z9"})
    assert (illegal["legal"], illegal["round"]["errors"], illegal["round"]["over"]) == (False, 0, False)


def test_the_table_of_the_day_lists_those_with_a_nickname(ann: Visitor, bob: Visitor, database: Path) -> None:
    ann.ask("PUT", "/api/me/nickname", {"nickname": "Rushing Ann"})
    for visitor in (ann, bob):
        view = begin(visitor, "quoridor", "streak")
        answer(visitor, view, database, right=True)
    table = read(bob, ROUNDS, game="quoridor", mode="streak")
    assert [(row["name"], row["solved"], row["you"]) for row in table["rows"]] == [("Rushing Ann", 1, False)]
    assert (table["nickname"], table["today"]["solved"], table["best"]["day"]) == (None, 1, table["day"])
    assert read(ann, ROUNDS, game="quoridor", mode="streak")["rows"][0]["you"]
    assert read(ann, ROUNDS, game="quoridor", mode="rush")["rows"] == []
