"""Draws by agreement between two people."""

from typing import Any

from tests.web.playing import View, Visitor, path


def seated(ann: Visitor, bob: Visitor, **terms: Any) -> View:
    """A match between two people, begun by the first; both have seen it."""
    match = ann.begin("tictactoe", "you", "open", **terms)
    invitation = ann.ask("POST", path(match, "invitation")).json()["path"].partition("=")[2]
    bob.ask("POST", path(match, "join"), {"invitation": invitation})
    return ann.view(match)


def test_an_offer_that_is_accepted_ends_the_match_as_drawn(ann: Visitor, bob: Visitor) -> None:
    match = seated(ann, bob)
    offered = ann.change(match, "draw")
    assert offered["draw"] == {"player": 0, "yours": True}
    seen = bob.view(match)
    assert (seen["draw"], seen["can"]["draw"]) == ({"player": 0, "yours": False}, True)
    over = bob.change(seen, "draw")
    assert (over["live"], over["outcome"]) == (False, {"scores": [0.0, 0.0], "reason": "agreement"})
    assert (over["status"], over["draw"]) == ("Draw by agreement.", None)
    file = ann.ask("GET", path(match, "file")).json()
    taken = ann.ask("POST", "/api/matches/import", file)
    assert taken.json()["outcome"] == over["outcome"]


def test_a_move_withdraws_an_offer(ann: Visitor, bob: Visitor) -> None:
    match = seated(ann, bob)
    offered = bob.change(match, "draw")
    moved = ann.move(offered, "b2")
    assert (moved["draw"], bob.view(match)["draw"]) == (None, None)
    bob.refused(409, "stale_match", "POST", path(match, "draw/decline"), {"version": offered["version"]})
    # After a move a new offer is possible.
    assert bob.change(moved, "draw")["draw"]["yours"]


def test_an_offer_is_declined_or_withdrawn_and_made_once_per_position(ann: Visitor, bob: Visitor) -> None:
    match = seated(ann, bob)
    offered = ann.change(match, "draw")
    ann.refused(409, "draw_offered", "POST", path(match, "draw"), {"version": offered["version"]})
    declined = bob.change(offered, "draw/decline")
    assert (declined["live"], declined["draw"]) == (True, None)
    bob.refused(409, "no_draw_offer", "POST", path(match, "draw/decline"), {"version": declined["version"]})
    ann.refused(409, "draw_offered", "POST", path(match, "draw"), {"version": declined["version"]})
    withdrawn = bob.change(bob.change(declined, "draw"), "draw/decline")
    assert withdrawn["draw"] is None
    assert ann.move(withdrawn, "b2")["plies"] == 1


def test_a_draw_is_agreed_between_two_people_only(ann: Visitor, bob: Visitor) -> None:
    alone, machine = ann.begin("tictactoe", "you", "you"), ann.begin("tictactoe", "you", "perfect")
    waiting = ann.begin("tictactoe", "you", "open")
    for match in (alone, machine, waiting):
        assert not match["can"]["draw"]
        ann.refused(403, "not_your_seat", "POST", path(match, "draw"), {"version": match["version"]})
    match = seated(ann, bob)
    over = ann.change(match, "resign")
    ann.refused(422, "game_over", "POST", path(match, "draw"), {"version": over["version"]})


def test_an_offer_gives_no_time_back(ann: Visitor, bob: Visitor) -> None:
    match = seated(ann, bob, clock={"seconds": 60, "increment": 0})
    ann.until(match, lambda view: view["clock"]["left_ms"][0] < 60_000)
    before = ann.view(match)["clock"]["left_ms"][0]
    offered = ann.change(match, "draw")
    assert (offered["clock"]["left_ms"][0] <= before, offered["clock"]["running"]) == (True, 0)
    declined = bob.change(offered, "draw/decline")
    assert declined["clock"]["left_ms"][0] <= offered["clock"]["left_ms"][0]
