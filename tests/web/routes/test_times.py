"""Times of Minesweeper's boards over HTTP, each layout once; and ghosts, with which a friend plays the same start."""

import re

import numpy as np
import pytest

from ludex.games.minesweeper.rules.inference.probabilities import mine_probabilities
from tests.web.playing import View, Visitor
from tests.web.routes.test_teaching import read

OPEN = "small:rows=4:cols=5:mines=4:start=zero"


def cleared(visitor: Visitor, preset: str, **terms: object) -> View:
    """A match of the caller that was won, by the exact probabilities of what the page shows."""
    while True:
        match = visitor.begin("minesweeper", "you", preset=preset, **terms)
        while match["live"]:
            scene = match["scene"]
            numbers = np.array(scene["numbers"], np.int8).reshape(4, 5)
            risk = mine_probabilities(numbers, 4).reshape(-1)
            cell = min(scene["reveal"], key=lambda cell: float(risk[cell]))
            match = visitor.move(match, f"{'abcde'[cell % 5]}{cell // 5 + 1}")
        if match["outcome"]["scores"] == [1.0]:
            return match


@pytest.mark.parametrize("preset", [OPEN, f"{OPEN}:no_guess=true"])
def test_a_time_is_the_servers_and_the_best_one_stands(ann: Visitor, preset: str) -> None:
    match = cleared(ann, preset)
    assert match["created_utc"] < match["begun_utc"] <= match["updated_utc"]
    first = read(ann, f"/api/times/{match['id']}")
    assert (first["counts"], first["record"]) == (True, True)
    assert first["text"]["en"] == "Your first time on this board"
    assert re.fullmatch(r"\d+\.\d s", first["time"]["en"])
    assert re.fullmatch(r"\d+,\d\xa0s", first["time"]["fr"])
    assert [figure["title"]["fr"] for figure in first["figures"]][-2:] in (
        ["3BV par seconde", "Efficacité"],
        # With one click it took no time.
        ["Efficacité"],
    )
    second = read(ann, f"/api/times/{cleared(ann, preset)['id']}")
    assert second["counts"]
    assert second["text"]["en"].startswith("Your best time on this board" + ("; it was" if second["record"] else " is"))
    [board] = read(ann, "/api/me/page")["times"]
    assert ("no guess" in board["board"]["en"]) == ("no_guess" in preset)
    assert [row["time"] for row in board["rows"]] == [second["time"] if second["record"] else first["time"]]
    assert read(ann, f"/api/times/{ann.begin('minesweeper', 'you', preset=preset)['id']}")["time"] is None


def test_practice_and_a_layout_that_is_known_have_no_time_that_counts(ann: Visitor) -> None:
    practice = read(ann, f"/api/times/{cleared(ann, OPEN, practice=True)['id']}")
    assert (practice["counts"], practice["text"]["en"]) == (False, "This time does not count: it was practice")
    assert not any(row["you"] for board in read(ann, "/api/times")["boards"] for row in board["rows"])
    match = cleared(ann, OPEN)
    ghost = read(ann, "/api/ghosts", "POST", {"match": match["id"], "ply": 0})["path"].rpartition("/")[2]
    again = ann.view({"id": read(ann, f"/api/ghosts/{ghost}/play", "POST")["match"]})
    for move in match["moves"][again["plies"] :]:
        again = ann.move(again, move["text"])
    known = read(ann, f"/api/times/{again['id']}")
    assert (known["counts"], known["record"]) == (False, False)
    assert "does not count" in known["text"]["en"]


def test_people_with_a_nickname_are_listed_and_others_have_no_time_of_it(ann: Visitor, bob: Visitor) -> None:
    match = cleared(bob, OPEN)
    assert read(ann, f"/api/times/{match['id']}")["time"] is None
    assert not any(row["name"] == "Bob" for board in read(ann, "/api/times")["boards"] for row in board["rows"])
    bob.ask("PUT", "/api/me/nickname", {"nickname": "Bob"})
    [board] = [
        board for board in read(ann, "/api/times")["boards"] if any(row["name"] == "Bob" for row in board["rows"])
    ]
    assert (board["game"], board["rows"][0]["you"]) == ("minesweeper", False)
    lost = bob.begin("minesweeper", "you", preset="small")
    view = read(bob, f"/api/times/{bob.change(bob.move(lost, 'a1'), 'resign')['id']}")
    assert (view["counts"], view["text"], view["figures"]) == (False, None, [])


def test_other_games_are_not_timed(ann: Visitor) -> None:
    match = ann.change(ann.begin("tictactoe", "you", "random"), "resign")
    assert read(ann, f"/api/times/{match['id']}")["time"] is None


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
    assert [result["score"] for result in both["results"]] == [-1.0, -1.0]
    assert [result["match"] for result in both["results"]] == [lost["id"], begun]
    assert both["yours"] == begun


def test_a_ghost_begins_at_a_ply_against_the_same_machine(ann: Visitor, bob: Visitor) -> None:
    match = ann.on_turn(ann.move(ann.begin("tictactoe", "you", "perfect"), "b2"))
    done = ann.change(match, "resign")
    ghost = read(ann, "/api/ghosts", "POST", {"match": done["id"], "ply": 2})
    assert ghost["opponent"]["en"] == "Exact solver"
    begun = read(bob, f"/api/ghosts/{ghost['id']}/play", "POST")["match"]
    view = read(bob, f"/api/matches/{begun}")
    assert [move["text"] for move in view["moves"]] == [move["text"] for move in done["moves"]]
    assert [seat["name"] for seat in view["seats"]] == ["you", "perfect"]


def test_only_ones_own_finished_matches_have_ghosts(ann: Visitor, bob: Visitor) -> None:
    match = ann.change(ann.begin("tictactoe", "you", "perfect"), "resign")
    assert bob.refused(403, "not_your_seat", "POST", "/api/ghosts", {"match": match["id"]})
    assert ann.refused(422, "bad_request", "POST", "/api/ghosts", {"match": match["id"], "ply": 7})
    assert ann.refused(404, "unknown_match", "POST", "/api/ghosts", {"match": "aaaaaaaaaa"})
    assert ann.refused(404, "unknown_ghost", "GET", "/api/ghosts/aaaaaaaaaa")
    both = ann.change(ann.begin("tictactoe", "you", "you"), "resign")
    assert ann.refused(422, "unsupported", "POST", "/api/ghosts", {"match": both["id"]})
