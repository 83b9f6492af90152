"""The WebSocket of a match: its state, the machines' searches, and a message that stops them."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from tests.waiting import PATIENCE
from tests.web.playing import Visitor, path

Message = dict[str, Any]


def heard(socket: ClientConnection, met: Callable[[Message], bool], seconds: float = PATIENCE) -> Message:
    """The first message that is as it shall be; others are passed over."""
    deadline = time.monotonic() + seconds
    while True:
        message: Message = json.loads(socket.recv(timeout=max(0.0, deadline - time.monotonic())))
        if met(message):
            return message


def of_type(kind: str) -> Callable[[Message], bool]:
    return lambda message: bool(message["type"] == kind)


def at_ply(plies: int) -> Callable[[Message], bool]:
    return lambda message: message["type"] == "state" and bool(message["match"]["plies"] >= plies)


def say(socket: ClientConnection, kind: str) -> None:
    socket.send(json.dumps({"type": kind}))


def test_all_clients_see_a_move_at_once(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin("tictactoe", "you", "you")
    with ann.watch(match) as own, bob.watch(match) as other:
        assert heard(own, at_ply(0))["match"] == match
        assert heard(other, at_ply(0))["match"] == bob.view(match)
        moved = ann.move(match, "b2")
        assert heard(own, at_ply(1))["match"] == moved
        seen = heard(other, at_ply(1))["match"]
        assert seen["scene"] == moved["scene"]
        assert not seen["can"]["move"]


def test_a_search_is_seen_as_it_improves(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin("quoridor", "you", "master", preset="9x9", movetime_ms=1500)
    with ann.watch(match) as own, bob.watch(match) as other:
        ann.move(match, "e2")
        assert heard(own, at_ply(1))["match"]["searching"]
        analyses = []
        # The same state may be sent twice, when the server finds its own change in the database.
        while not at_ply(2)(message := heard(own, lambda _: True)):
            if message["type"] == "analysis":
                analyses.append(message["analysis"])
        assert len(analyses) >= 2
        assert {(analysis["agent"], analysis["ply"], analysis["final"]) for analysis in analyses} == {
            ("master", 1, False)
        }
        assert analyses[-1]["stats"]["depth"] > analyses[0]["stats"]["depth"]
        assert analyses[-1]["candidates"][0]["line_text"]
        after = message["match"]
        assert (after["plies"], after["searching"], after["can"]["move"]) == (2, False, True)
        assert after["analysis"]["final"]
        assert after["analysis"]["text"] == after["moves"][-1]["text"]
        assert heard(other, of_type("analysis"))["analysis"]["agent"] == "master"
    assert ann.view(match, 2)["analysis"] == after["analysis"]
    assert ann.view(match, 1)["analysis"] is None


def test_a_rated_match_hides_what_the_machine_considers_until_its_end(ann: Visitor, bob: Visitor) -> None:
    """Its candidates and its value would be an engine's help, also for a player who watches in another browser."""
    match = ann.begin("quoridor", "you", "normal", preset="9x9")
    assert match["rated"]
    with ann.watch(match) as own, bob.watch(match) as other:
        ann.move(match, "e2")
        for socket in (own, other):
            messages = [heard(socket, lambda _: True)]
            while not at_ply(2)(messages[-1]):
                messages.append(heard(socket, lambda _: True))
            assert {message["type"] for message in messages} == {"state"}
            assert messages[-1]["match"]["analysis"] is None
    for visitor in (ann, bob):
        assert visitor.view(match, 2)["analysis"] is None
    over = ann.change(ann.view(match), "resign")
    assert over["analysis"]["agent"] == "normal"
    assert bob.view(match, 2)["analysis"] == over["analysis"]


def test_after_a_hint_a_match_is_unrated_and_hides_nothing_more(ann: Visitor) -> None:
    match = ann.on_turn(ann.move(ann.begin("tictactoe", "you", "perfect"), "b2"))
    assert (match["rated"], match["analysis"]) == (True, None)
    assert ann.ask("POST", path(match, "analysis"), {"agent": "perfect", "kind": "hint"}).status_code == 200
    helped = ann.view(match)
    assert (helped["rated"], helped["analysis"]["agent"]) == (False, "perfect")


def test_a_machine_that_is_stopped_plays_its_best_so_far(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin("quoridor", "you", "master", preset="9x9", movetime_ms=50_000)
    with ann.watch(match) as own, bob.watch(match) as other:
        ann.move(match, "e2")
        heard(own, of_type("analysis"))
        say(other, "cancel")
        assert heard(other, of_type("fault"))["problem"]["code"] == "not_your_seat"
        say(own, "cancel")
        assert heard(own, at_ply(2), seconds=20)["match"]["can"]["move"]
        say(own, "cancel")
        say(own, "ping")
        assert heard(own, lambda message: message["type"] != "state") == {"type": "pong"}


def test_an_analysis_is_seen_by_its_caller_only(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin("quoridor", "you", "you", preset="9x9")
    with ann.watch(match) as own, bob.watch(match) as other:
        answer = ann.ask("POST", f"/api/matches/{match['id']}/analysis", {"movetime_ms": 1000})
        assert answer.status_code == 200
        assert heard(own, of_type("analysis"))["analysis"]["agent"] == "master"
        say(other, "ping")
        assert heard(other, lambda message: message["type"] != "state") == {"type": "pong"}


def test_words_that_are_not_understood_are_answered(ann: Visitor) -> None:
    match = ann.begin("tictactoe", "you", "you")
    with ann.watch(match) as socket:
        heard(socket, of_type("state"))
        for word in ("", "{", "[]", "5", '{"type": "dance"}', '{"type": "ping", "loud": true}', b"\xff\x00", b"{}"):
            socket.send(word)
            assert heard(socket, of_type("fault"))["problem"]["code"] == "bad_request"
        say(socket, "ping")
        assert heard(socket, of_type("pong"))


@pytest.mark.parametrize("match_id", ["aaaaaaaaaa", "nothing"])
def test_a_match_that_is_not_there(ann: Visitor, match_id: str) -> None:
    with ann.watch({"id": match_id}) as socket:
        assert heard(socket, of_type("fault"))["problem"]["code"] == "unknown_match"
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=PATIENCE)
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4000, "unknown_match")


def test_a_match_that_is_deleted_ends_its_sockets(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin("tictactoe", "you", "you")
    with bob.watch(match) as socket:
        heard(socket, of_type("state"))
        ann.ask("DELETE", f"/api/matches/{match['id']}")
        assert heard(socket, of_type("fault"))["problem"]["code"] == "unknown_match"
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=PATIENCE)
