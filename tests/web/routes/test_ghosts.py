"""Ghosts: a friend plays the same start of a finished match, and both results stand side by side."""

from tests.web.playing import Visitor
from tests.web.routes.test_teaching import read


def test_a_friend_plays_the_ghost_and_sees_both_results(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin("minesweeper", "you", preset="beginner")
    assert ann.refused(409, "match_live", "POST", "/api/ghosts", {"match": match["id"]})
    lost = ann.change(ann.move(match, "e5"), "resign")
    read(ann, "/api/me/nickname", "PUT", {"nickname": "Ann"})
    ghost = read(ann, "/api/ghosts", "POST", {"match": lost["id"]})
    assert read(ann, "/api/ghosts", "POST", {"match": lost["id"]})["id"] == ghost["id"]
    (original,) = ghost["results"]
    # The mines lie where the first cell put them: it is given to everybody.
    assert (original["you"], original["score"], original["plies"], ghost["ply"]) == (True, -1.0, 0, 1)

    seen = read(bob, f"/api/ghosts/{ghost['id']}")
    assert seen["yours"] is None
    assert (seen["results"][0]["nickname"], seen["results"][0]["match"]) == ("Ann", None)
    begun = read(bob, f"/api/ghosts/{ghost['id']}/play", "POST")["match"]
    mine = read(bob, f"/api/matches/{begun}")
    assert mine["practice"], "the seed can be known, so the match is not rated"
    assert [move["text"] for move in mine["moves"]] == ["e5"]
    done = bob.change(mine, "resign")
    assert bob.view(done, 1)["scene"] == ann.view(lost, 1)["scene"]
    both = read(bob, f"/api/ghosts/{ghost['id']}")
    assert [one["score"] for one in both["results"]] == [-1.0, -1.0]
    assert [one["match"] for one in both["results"]] == [lost["id"], begun]
    assert both["yours"] == begun


def test_a_ghost_begins_at_a_ply_against_the_same_machine(ann: Visitor, bob: Visitor) -> None:
    match = ann.on_turn(ann.move(ann.begin("tictactoe", "you", "perfect"), "b2"))
    done = ann.change(match, "resign")
    ghost = read(ann, "/api/ghosts", "POST", {"match": done["id"], "ply": 2})
    assert ghost["opponent"]["en"] == "Exact solver"
    begun = read(bob, f"/api/ghosts/{ghost['id']}/play", "POST")["match"]
    found = read(bob, f"/api/matches/{begun}")
    assert [move["text"] for move in found["moves"]] == [move["text"] for move in done["moves"]]
    assert [seat["name"] for seat in found["seats"]] == ["you", "perfect"]


def test_only_ones_own_finished_matches_have_ghosts(ann: Visitor, bob: Visitor) -> None:
    match = ann.change(ann.begin("tictactoe", "you", "perfect"), "resign")
    assert bob.refused(403, "not_your_seat", "POST", "/api/ghosts", {"match": match["id"]})
    assert ann.refused(422, "bad_request", "POST", "/api/ghosts", {"match": match["id"], "ply": 7})
    assert ann.refused(404, "unknown_match", "POST", "/api/ghosts", {"match": "aaaaaaaaaa"})
    assert ann.refused(404, "unknown_ghost", "GET", "/api/ghosts/aaaaaaaaaa")
    both = ann.change(ann.begin("tictactoe", "you", "you"), "resign")
    assert ann.refused(422, "unsupported", "POST", "/api/ghosts", {"match": both["id"]})
