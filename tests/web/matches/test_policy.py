"""What may be taken back, forked, resigned and imported, and what may not because it would reveal secrets."""

import json
from typing import Any

import pytest

import ludex
from ludex.core.record import match_file
from tests.web.playing import Visitor, path


def test_undo_goes_back_to_ones_own_turn(ann: Visitor) -> None:
    match = ann.begin("tictactoe", "you", "random", seed=1)
    ann.refused(422, "nothing_to_undo", "POST", path(match, "undo"), {"version": match["version"]})
    first = ann.on_turn(ann.move(match, "b2"))
    assert first["plies"] == 2
    second = ann.move(first, ann.legal(first)[0])
    second = ann.on_turn(second)
    back = ann.change(second, "undo")
    assert back["plies"] == 2
    assert back["can"]["move"]
    assert back["version"] == second["version"] + 1
    assert back["moves"] == first["moves"]
    again = ann.change(back, "undo")
    assert (again["plies"], again["can"]["undo"]) == (0, False)


def test_an_analysis_draws_nothing_that_depends_on_the_seed_of_the_match(ann: Visitor) -> None:
    """Else the answers of an agent that plays at random would identify the seed, and with it the mines."""
    matches = [ann.begin("minesweeper", "you", preset="small_8x8_10") for _ in range(5)]
    drawn = {ann.ask("POST", path(match, "analysis"), {"agent": "random"}).json()["text"] for match in matches}
    assert len(drawn) == 1


def test_undo_while_the_machine_thinks(ann: Visitor) -> None:
    match = ann.begin("quoridor", "you", "master", movetime_ms=20_000)
    match = ann.move(match, "e2")
    assert match["searching"]
    back = ann.change(match, "undo")
    assert (back["plies"], back["searching"], back["can"]["move"]) == (0, False, True)
    assert ann.view(back) == back
    ann.ask("DELETE", f"/api/matches/{match['id']}")


def test_a_resignation_is_taken_back_by_itself(ann: Visitor) -> None:
    match = ann.move(ann.begin("tictactoe", "you", "you"), "b2")
    over = ann.change(match, "resign")
    assert over["outcome"] == {"scores": [1.0, -1.0], "reason": "resignation"}
    assert over["status"] == "Player 1 wins: resignation."
    ann.refused(422, "game_over", "POST", path(match, "resign"), {"version": over["version"]})
    back = ann.change(over, "undo")
    assert (back["live"], back["plies"]) == (True, 1)


@pytest.mark.parametrize(("game", "seats"), [("minesweeper", ["you"]), ("skirmish", ["you", "you"])])
def test_dice_and_secrets_are_kept_while_a_match_is_live(ann: Visitor, game: str, seats: list[str]) -> None:
    match = ann.begin(game, *seats, preset=None)
    match = ann.move(match, ann.legal(match)[0])
    assert {name for name, allowed in match["can"].items() if allowed} == {"move", "resign", "analyse", "delete"}
    fork = {"ply": 0, "seats": seats}
    ann.refused(403, "secret", "POST", path(match, "undo"), {"version": match["version"]})
    ann.refused(403, "secret", "POST", path(match, "fork"), fork)
    ann.refused(403, "secret", "GET", path(match, "file"))
    over = ann.change(match, "resign")
    assert over["seed"] is not None
    ann.refused(403, "secret", "POST", path(match, "undo"), {"version": over["version"]})
    assert ann.ask("GET", path(match, "file")).json()["seed"] == over["seed"]
    forked = ann.ask("POST", path(match, "fork"), fork).json()
    assert (forked["practice"], forked["live"], forked["seed"]) == (True, True, None)


@pytest.mark.parametrize(("game", "seats"), [("minesweeper", ["you"]), ("skirmish", ["you", "you"])])
def test_practice_lets_one_take_back_and_fork(ann: Visitor, bob: Visitor, game: str, seats: list[str]) -> None:
    match = ann.begin(game, *seats, practice=True, seed=7)
    assert match["seed"] is None
    match = ann.move(match, ann.legal(match)[0])
    forked = ann.ask("POST", path(match, "fork"), {"ply": 1, "seats": seats})
    assert forked.status_code == 201
    assert forked.json()["scene"] == match["scene"]
    bob.refused(403, "not_your_seat", "POST", path(match, "fork"), {"ply": 0, "seats": seats})
    ann.refused(403, "secret", "GET", path(match, "file"))
    assert ann.change(match, "undo")["plies"] == 0


def test_a_fork_goes_its_own_way(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin("tictactoe", "you", "you")
    for text in ("b2", "a1", "c3"):
        match = ann.move(match, text)
    forked = bob.ask("POST", path(match, "fork"), {"ply": 2, "seats": ["you", "perfect"]}).json()
    assert [move["text"] for move in forked["moves"]] == ["b2", "a1"]
    assert forked["id"] != match["id"]
    assert not forked["practice"]
    forked = bob.on_turn(bob.move(forked, "a2"))
    assert [move["text"] for move in forked["moves"]] == ["b2", "a1", "a2", "c2"]
    assert ann.view(match) == match
    bob.refused(422, "bad_request", "POST", path(match, "fork"), {"ply": 4, "seats": ["you", "you"]})
    bob.refused(404, "unknown_agent", "POST", path(match, "fork"), {"ply": 0, "seats": ["you", "hal"]})


def test_nothing_goes_on_from_an_end(ann: Visitor) -> None:
    match = ann.begin("tictactoe", "you", "you")
    for text in ("a1", "b1", "a2", "b2", "a3"):
        match = ann.move(match, text)
    assert match["status"] == "Player 1 wins: a complete line."
    ann.refused(422, "bad_request", "POST", path(match, "fork"), {"ply": 5, "seats": ["you", "you"]})
    ann.refused(422, "game_over", "POST", path(match, "analysis"), {})
    assert ann.change(match, "undo")["plies"] == 4


def test_a_match_travels_as_a_file(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin("quoridor", "you", "walker")
    match = ann.on_turn(ann.move(match, "e2"))
    answer = ann.ask("GET", path(match, "file"))
    assert answer.headers["content-disposition"] == f'attachment; filename="ludex-{match["id"]}.json"'
    file = answer.json()
    taken = bob.ask("POST", "/api/matches/import", file)
    assert taken.status_code == 201
    copy = taken.json()
    assert copy["moves"] == match["moves"]
    assert [seat["you"] for seat in copy["seats"]] == [True, False]
    copy = bob.on_turn(bob.move(copy, "e3"))
    assert copy["plies"] == 4
    assert bob.ask("GET", path(copy, "file")).json()["seed"] == file["seed"]
    assert ann.view(match)["plies"] == 2


def test_a_finished_match_comes_back_as_it_was(ann: Visitor) -> None:
    match = ann.begin("minesweeper", "you", preset="small_8x8_10", practice=True, seed=3)
    over = ann.change(ann.move(match, "a1"), "resign")
    copy = ann.ask("POST", "/api/matches/import", ann.ask("GET", path(over, "file")).json()).json()
    for name in ("moves", "outcome", "seed", "scene", "status", "live"):
        assert copy[name] == over[name], name


def test_a_sealed_file_may_still_be_invalid(ann: Visitor) -> None:
    """A seal is easy to compute, so a sealed file is replayed too."""
    from ludex.core.documents import digest

    match = ann.move(ann.begin("tictactoe", "you", "you"), "b2")
    file = ann.ask("GET", path(match, "file")).json()
    del file["digest"]
    cases: dict[str, list[dict[str, Any]]] = {
        "bad_record": [
            {"moves": [[0, "b2"], [1, "b2"]]},
            {"moves": [[1, "b2"]]},
            {"outcome": {"scores": [1.0, -1.0], "reason": "line"}},
            {"seed": "-1"},
            {"seed": str(2**128)},
            {"version": 99},
            {"agents": ["you"]},
            {"aborted": "flood"},
            {"outcome": {"scores": 5, "reason": "line"}},
        ],
        "unknown_game": [{"game": "chess"}],
        "unknown_preset": [{"preset": "9x9x9"}],
        "unknown_agent": [{"agents": ["you", "hal"]}],
        "bad_option": [{"agents": ["you", "ugi:sh"]}, {"agents": ["you", "a\nb"]}, {"agents": ["you", "x" * 300]}],
    }
    for code, changes in cases.items():
        for change in changes:
            body = {**file, **change}
            status = 404 if code.startswith("unknown") else 422
            ann.refused(status, code, "POST", "/api/matches/import", {**body, "digest": digest(body)})


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
