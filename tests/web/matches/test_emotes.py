"""Signs between the two people of a match: seen by both and by no other person, and not often."""

import json

from tests.web.matches.test_draws import seated
from tests.web.playing import PATIENCE, Visitor, path
from tests.web.routes.test_live import heard, of_type, say
from tests.web.running import RunningServer


def test_a_sign_reaches_both_people_and_no_spectator(ann: Visitor, bob: Visitor, server: RunningServer) -> None:
    match = seated(ann, bob)
    with Visitor(server) as eve, ann.watch(match) as own, bob.watch(match) as other, eve.watch(match) as third:
        assert ann.ask("POST", path(match, "emotes"), {"emote": "hello"}).status_code == 204
        for socket in (own, other):
            assert heard(socket, of_type("emote")) == {"type": "emote", "player": 0, "emote": "hello"}
        eve.refused(403, "not_your_seat", "POST", path(match, "emotes"), {"emote": "hello"})
        say(third, "ping")
        kinds = []
        while "pong" not in kinds:
            kinds.append(json.loads(third.recv(timeout=PATIENCE))["type"])
        assert "emote" not in kinds
    # It is not stored, and no version of the match.
    assert ann.view(match)["version"] == match["version"]


def test_signs_are_few(ann: Visitor, bob: Visitor) -> None:
    match = seated(ann, bob)
    statuses = [ann.ask("POST", path(match, "emotes"), {"emote": "nice"}).status_code for _ in range(5)]
    assert statuses == [204, 204, 204, 429, 429]
    assert bob.ask("POST", path(match, "emotes"), {"emote": "oops"}).status_code == 204
    ann.refused(422, "bad_request", "POST", path(match, "emotes"), {"emote": "rude"})
    machine = bob.begin("tictactoe", "you", "perfect")
    bob.refused(403, "not_your_seat", "POST", path(machine, "emotes"), {"emote": "hello"})
