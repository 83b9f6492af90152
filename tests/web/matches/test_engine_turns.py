"""What the engines' turns remember: decisions, in bounded memory, and agents that failed."""

import time
from functools import partial

import pytest

from ludex.web.matches.engine_turns import LONGEST_PAUSE, DecisionMemory, RetryBackoff
from ludex.web.schemas.analyses import Analysis, AnalysisCandidate
from ludex.web.schemas.base import Problem
from tests.web.playing import View, Visitor, path


def analysis(ply: int, note: str = "", candidates: int = 24) -> Analysis:
    return Analysis(
        player=1,
        ply=ply,
        agent="objective",
        final=True,
        action=ply,
        text=f"move/{ply}.3",
        value=-0.25,
        titles={},
        candidates=[
            AnalysisCandidate(
                action=action,
                text=f"move/{action}.4",
                score=action / 7,
                prob=None,
                line=[action],
                line_text=[f"move/{action}.4"],
                terms={"objective": action / 3, "risk": -ply / 9},
            )
            for action in range(candidates)
        ],
        stats={"nodes": 3},
        note=note,
        explanation=[],
        overlay={"policy": [None, 0.5, 1 / 3]},
        resigns=False,
        ms=12.5,
    )


def test_an_analysis_comes_back_as_it_was() -> None:
    held = DecisionMemory()
    for ply in range(5):
        held.remember("a", analysis(ply))
    held.remember("a", analysis(2, "another one"))
    assert held.recall("a", 3) == analysis(3)
    assert held.recall("a", 2) == analysis(2, "another one")
    assert held.recall("a", 9) is None
    assert held.recall("b", 3) is None


def test_the_oldest_are_dropped_at_the_limit() -> None:
    held = DecisionMemory(most_bytes=20_000)
    for ply in range(200):
        held.remember("a", analysis(ply))
    kept = [ply for ply in range(200) if held.recall("a", ply) is not None]
    assert 10 < len(kept) < 200
    assert kept == list(range(200 - len(kept), 200))
    assert 10_000 < held.size_bytes <= 20_000


@pytest.mark.slow
def test_a_replaced_decision_is_counted_once() -> None:
    held = DecisionMemory(most_bytes=20_000)
    held.remember("first", analysis(0))
    for _ in range(500):
        held.remember("again", analysis(1))
    assert held.recall("first", 0) is not None


def test_one_that_is_too_large_is_forgotten_at_once() -> None:
    held = DecisionMemory(most_bytes=100)
    held.remember("a", analysis(0))
    assert held.recall("a", 0) is None


FAULT = Problem(code="agent_fault", message="what a day")


def test_a_machine_rests_for_longer_each_time_but_never_for_ever() -> None:
    now = [0.0]
    backoff = RetryBackoff(monotonic=lambda: now[0])
    pauses = []
    for _ in range(2000):
        backoff.add("m", FAULT)
        begin = now[0]
        while backoff.waits("m"):
            now[0] += 1.0
        pauses.append(now[0] - begin)
    assert pauses[:7] == [1, 2, 4, 8, 16, 32, LONGEST_PAUSE]
    assert set(pauses[6:]) == {LONGEST_PAUSE}
    backoff.forget("m")
    assert backoff.problem("m") is None
    backoff.add("m", FAULT)
    now[0] += 1.0
    assert not backoff.waits("m")


def test_few_are_remembered_and_the_last_to_fail_among_them() -> None:
    backoff = RetryBackoff(most=3)
    for match in "abcadef":
        backoff.add(match, FAULT)
    assert [match for match in "abcdef" if backoff.problem(match) is not None] == ["d", "e", "f"]
    assert not backoff.waits("a")


def test_a_paused_match_stands_still_and_is_played_step_by_step(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin("quoridor", "random", "random", preset="7x7", seed=1)
    assert match["pace"] == {"paused": False, "ms": 20, "least_ms": 20}
    paused = ann.ask("PUT", path(match, "pace"), {"paused": True, "ms": 500}).json()
    assert paused["pace"] == {"paused": True, "ms": 500, "least_ms": 20}
    # A look, as after a reload, starts no search.
    assert ann.view(match) == paused
    assert not paused["searching"]
    current = paused
    for _ in range(2):
        before: int = current["plies"]
        ann.ask("POST", path(match, "step"))
        current = ann.until(current, partial(_is_later, before))
        assert (current["plies"], current["pace"]["paused"], current["searching"]) == (before + 1, True, False)
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
