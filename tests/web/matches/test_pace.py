"""Two agents that play each other: paused, played move by move, and at a chosen speed."""

import time
from functools import partial

from tests.web.playing import View, Visitor, path


def test_a_paused_match_stands_still_and_is_played_step_by_step(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin("quoridor", "random", "random", preset="7x7", seed=1)
    assert match["pace"] == {"paused": False, "ms": 20, "least_ms": 20}
    paused = ann.ask("PUT", path(match, "pace"), {"paused": True, "ms": 500}).json()
    assert paused["pace"] == {"paused": True, "ms": 500, "least_ms": 20}
    # A look, as after a reload, starts no search.
    assert ann.view(match) == paused
    assert not paused["searching"]
    found = paused
    for _ in range(2):
        before: int = found["plies"]
        ann.ask("POST", path(match, "step"))
        found = ann.until(found, partial(_is_later, before))
        assert (found["plies"], found["pace"]["paused"], found["searching"]) == (before + 1, True, False)
    assert bob.view(match)["can"]["pace"] is False
    ann.ask("PUT", path(match, "pace"), {"paused": False, "ms": 20})
    over = ann.until(match, lambda view: not view["live"])
    assert (over["pace"], over["can"]["pace"]) == (None, False)


def test_a_pause_ends_a_wait_between_two_moves(ann: Visitor) -> None:
    match = ann.begin("quoridor", "random", "random", seed=2)
    ann.ask("PUT", path(match, "pace"), {"paused": False, "ms": 10_000})
    paused = ann.ask("PUT", path(match, "pace"), {"paused": True}).json()
    ann.ask("POST", path(match, "step"))
    began = time.monotonic()
    ann.until(match, lambda view: view["plies"] == paused["plies"] + 1)
    assert time.monotonic() - began < 9
    ann.ask("DELETE", f"/api/matches/{match['id']}")


def test_only_who_began_a_match_between_agents_sets_its_pace(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin("tictactoe", "random", "random")
    bob.refused(403, "not_your_seat", "PUT", path(match, "pace"), {"paused": True})
    bob.refused(403, "not_your_seat", "POST", path(match, "step"))
    problem = ann.refused(422, "bad_request", "PUT", path(match, "pace"), {"paused": False, "ms": 19})
    assert "20 ms" in problem["message"]
    own = ann.begin("tictactoe", "you", "perfect")
    assert own["pace"] is None
    ann.refused(403, "not_your_seat", "PUT", path(own, "pace"), {"paused": True})


def test_a_step_needs_a_paused_match(ann: Visitor) -> None:
    match = ann.begin("quoridor", "random", "random")
    problem = ann.refused(422, "bad_request", "POST", path(match, "step"))
    assert "pause it first" in problem["message"]
    ann.ask("DELETE", f"/api/matches/{match['id']}")


def _is_later(plies: int, view: View) -> bool:
    return bool(view["plies"] > plies)
